package dev.berth.hints;

import java.util.List;

/**
 * Takes the best place there is, and every pod.
 *
 * @param tieBreak which of two sets of one size is better
 */
public record BestEffort(TieBreak tieBreak) implements TopologyPolicy {
  @Override
  public Merged merge(Nodes nodes, List<Offer> offers) {
    return new Merger(nodes, tieBreak).merge(offers);
  }
}
