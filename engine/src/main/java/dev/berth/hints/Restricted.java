package dev.berth.hints;

import java.util.List;

/**
 * Takes the best place there is, and refuses the pod where that is not a preferred one.
 *
 * <p>A bounded search never admits wrongly: what it gives as preferred was checked on every offer.
 *
 * @param tieBreak which of two sets of one size is better
 */
public record Restricted(TieBreak tieBreak) implements TopologyPolicy {
  @Override
  public Merged merge(Nodes nodes, List<Offer> offers) {
    Merged best = new Merger(nodes, tieBreak).merge(offers);
    return best.admitted(best.preferred());
  }
}
