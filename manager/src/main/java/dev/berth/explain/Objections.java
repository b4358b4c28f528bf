package dev.berth.explain;

import dev.berth.ledger.Node;
import dev.berth.ledger.Objection;
import java.util.Optional;

/** What somebody beside the engine would have against a pod that the engine lets in. */
@FunctionalInterface
public interface Objections {
  /** Nobody has anything. */
  Objections NONE = after -> Optional.empty();

  /**
   * What there is against it, if anything.
   *
   * @param after the node with the pod on it
   */
  Optional<Objection> against(Node after);
}
