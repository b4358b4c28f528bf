package dev.berth.hints;

import dev.berth.allocation.Trace;
import dev.berth.workload.Container;
import java.util.Map;
import java.util.Optional;

/**
 * One pod's admission with one {@link HintProvider}, on values of its own.
 *
 * <p>Asked for offers and told to allocate, container by container in the order of the pod, or once
 * for the whole pod.
 */
public interface Draft {
  /** How a pod stands with a provider before anything is decided. */
  enum Standing {
    /** It is owed nothing here. */
    NOTHING_OWED,
    /** It has all that it is owed, from an earlier admission. */
    HELD,
    /** It is owed something that it does not have. */
    MISSING
  }

  /** How the pod stands with this provider. A pod that misses nothing anywhere simply stays. */
  Standing standing();

  /** What it offers for a container, by resource; empty where it has nothing to say. */
  Map<String, Offer> offers(Container container);

  /** What it offers for the whole pod, by resource; empty where it has nothing to say. */
  Map<String, Offer> offers();

  /**
   * Allocates for a container.
   *
   * @param place where all agreed to go; what cannot be had there may come from elsewhere
   * @return why it cannot, if so
   */
  Optional<Refusal> allocate(Container container, Hint place);

  /**
   * Allocates a pod's own budget and splits it among the containers.
   *
   * @param place where all agreed to go
   * @return why it cannot, if so
   */
  Optional<Refusal> allocateBudget(Hint place);

  /**
   * The same admission from the same beginning, to be explained: whatever has been committed since
   * does not count. It may be asked for by any thread at any time, and is never committed.
   */
  Draft again(Trace trace);

  /**
   * The pod was refused after all. Nothing is kept for it; a provider whose accounts remember the
   * way things went, as Kubernetes' do, may give back step by step what the draft had taken.
   */
  default void abandon() {}

  /** Makes what was allocated count. */
  void commit();
}
