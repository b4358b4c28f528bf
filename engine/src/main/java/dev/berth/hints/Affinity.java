package dev.berth.hints;

import dev.berth.cpu.NodeSet;

/** Where something may be placed: on a set of NUMA nodes, or anywhere. */
public sealed interface Affinity {
  /** No node is better or worse than another. */
  Affinity ANY = new Any();

  /** The affinity to exactly these nodes. */
  static Affinity to(NodeSet nodes) {
    return new To(nodes);
  }

  /** Anywhere: counts as all nodes where affinities are intersected, and equals every other one. */
  record Any() implements Affinity {
    @Override
    public String toString() {
      return "any";
    }
  }

  /**
   * On these nodes, using every one of them.
   *
   * @param nodes which
   */
  record To(NodeSet nodes) implements Affinity {
    @Override
    public String toString() {
      return nodes.toString();
    }
  }
}
