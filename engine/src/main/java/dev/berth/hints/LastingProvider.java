package dev.berth.hints;

import java.util.Map;
import java.util.Set;

/**
 * A provider whose accounts can be copied, written down and taken over.
 *
 * <p>So a copy of the node includes it, what-if decisions ask it too, and what it holds outlives
 * whoever uses the node. Berth's own programs accept no other provider from outside.
 *
 * <p>{@link #name} is the key under which holdings are written down: it must be the same after a
 * restart, and no other provider's.
 */
public interface LastingProvider extends HintProvider {
  /** The resources of containers that it gives, always the same: requests of these are its own. */
  Set<String> resources();

  /** The same at this moment: what is done to one does not alter the other. */
  LastingProvider copy();

  /**
   * What each pod has, by uid, as text that {@link #restore} understands, also of a later version.
   * The same holding is always the same text. Pods that have nothing are left out.
   */
  Map<String, String> holdings();

  /**
   * Gives a pod what it had before, on a provider that does not know the pod.
   *
   * @param holding what {@link #holdings} said
   * @throws RuntimeException where it cannot be given, such as when a card is gone; its message
   *     says why, and nothing has changed
   */
  void restore(String uid, String holding);
}
