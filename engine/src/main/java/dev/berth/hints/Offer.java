package dev.berth.hints;

import dev.berth.cpu.NodeSet;
import java.util.List;

/**
 * What a provider says about one resource: from which sets of nodes it could be given.
 *
 * <p>Immutable. Offers of one merge are made for the same {@link Nodes}.
 */
public sealed interface Offer permits Offer.Anything, Offer.Impossible, Listed, Family {
  /** Whether it is about these nodes, and so can be merged with others that are. */
  boolean isFor(Nodes nodes);

  /** No preference. */
  Offer ANYTHING = new Anything();

  /** The resource cannot be given at all. */
  Offer IMPOSSIBLE = new Impossible();

  /** These hints; none at all means that the resource cannot be given. */
  static Offer listed(Nodes nodes, List<Hint> hints) {
    return hints.isEmpty() ? IMPOSSIBLE : new Listed(nodes, hints);
  }

  /** Every set of a cover. */
  static Offer family(Cover cover, Preference preference) {
    return family(cover, List.of(), preference);
  }

  /**
   * Every set of a cover, and some more sets by name.
   *
   * @param more for example groups of nodes whose memory is already used together
   */
  static Offer family(Cover cover, List<NodeSet> more, Preference preference) {
    return cover.isEmpty() && more.isEmpty() ? IMPOSSIBLE : new Family(cover, more, preference);
  }

  /** Any node will do, and is as good as another. */
  record Anything() implements Offer {
    @Override
    public boolean isFor(Nodes nodes) {
      return true;
    }
  }

  /**
   * No set of nodes will do. It counts as any node, not preferred: others may still find their
   * place.
   */
  record Impossible() implements Offer {
    @Override
    public boolean isFor(Nodes nodes) {
      return true;
    }
  }
}
