package dev.berth.hints;

import dev.berth.allocation.Trace;
import dev.berth.workload.Pod;

/**
 * A manager of some resource that takes part in placement: it says from where it could give, and
 * gives once all have agreed on a place.
 *
 * <p>Implementations outside this project are found by {@link java.util.ServiceLoader} where the
 * one who starts a node asks for them. They are called by one thread at a time.
 */
public interface HintProvider {
  /** What people know it by; the name of its class, if it does not say. */
  default String name() {
    return getClass().getSimpleName();
  }

  /**
   * Begins a pod's admission. What the draft does counts only once it is {@linkplain Draft#commit
   * committed}; a draft that is not is forgotten.
   *
   * @param trace told the steps, where somebody asked
   */
  Draft begin(Pod pod, Trace trace);

  /** Gives back all that a pod has; nothing where it has nothing. */
  void remove(String uid);
}
