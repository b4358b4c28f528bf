package dev.berth.hints;

import java.util.List;

/**
 * Takes one node that all resources prefer, the lowest of several, and refuses the pod where there
 * is none.
 *
 * <p>Where no resource has a preference, or the machine has only one node, the answer is "any".
 * Distances play no part, and no search is needed: each node is asked once.
 */
public record SingleNumaNode() implements TopologyPolicy {
  @Override
  public Merged merge(Nodes nodes, List<Offer> offers) {
    boolean named = false;
    boolean anywhere = true;
    for (Offer offer : offers) {
      named |= offer instanceof Listed || offer instanceof Family;
      anywhere &= prefersAny(offer);
    }
    for (int position = 0; named && position < nodes.size(); position++) {
      long[] single = Masks.none(nodes.size());
      Masks.add(single, position);
      if (isAgreed(offers, single, anywhere)) {
        return at(nodes, single);
      }
    }
    return new Merged(Affinity.ANY, anywhere, anywhere, false);
  }

  private static Merged at(Nodes nodes, long[] single) {
    Affinity affinity = nodes.size() == 1 ? Affinity.ANY : Affinity.to(nodes.set(single));
    return new Merged(affinity, true, true, false);
  }

  private static boolean prefersAny(Offer offer) {
    return switch (offer) {
      case Offer.Anything ignored -> true;
      case Offer.Impossible ignored -> false;
      case Listed listed -> listed.prefersAny();
      case Family ignored -> false;
    };
  }

  /** Whether all prefer the node or any, and, where all would take any, one names it. */
  private static boolean isAgreed(List<Offer> offers, long[] single, boolean anywhere) {
    boolean named = !anywhere;
    for (Offer offer : offers) {
      boolean names = names(offer, single);
      if (!names && !prefersAny(offer)) {
        return false;
      }
      named |= names;
    }
    return named;
  }

  private static boolean names(Offer offer, long[] single) {
    return switch (offer) {
      case Offer.Anything ignored -> false;
      case Offer.Impossible ignored -> false;
      case Listed listed -> listed.prefers(single);
      case Family family -> family.prefers(single);
    };
  }
}
