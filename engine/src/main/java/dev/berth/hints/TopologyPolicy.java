package dev.berth.hints;

import java.util.List;

/** Decides where a container or a pod goes, from what the providers of its resources offer. */
@FunctionalInterface
public interface TopologyPolicy {
  /**
   * Merges the offers into one.
   *
   * @param nodes the nodes that all offers are about
   * @param offers one a resource, of all providers; {@link Offer#ANYTHING} for a provider that has
   *     nothing to say
   */
  Merged merge(Nodes nodes, List<Offer> offers);
}
