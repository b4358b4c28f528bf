package dev.berth.hints;

import org.jspecify.annotations.Nullable;

/**
 * The best set of nodes offered so far, under the one total order of the merge.
 *
 * <p>Sets of exactly {@code target} nodes come first, then narrower ones from wide to narrow, then
 * wider ones from narrow to wide; among sets of one size the {@link TieBreak} decides. With a
 * target of 0 that is "the fewest nodes", which is the order among preferred hints.
 */
final class Best {
  private final Nodes nodes;
  private final TieBreak tieBreak;
  private final int target;
  private long @Nullable [] mask;
  private int rank = Integer.MAX_VALUE;
  private long spread;

  Best(Nodes nodes, TieBreak tieBreak, int target) {
    this.nodes = nodes;
    this.tieBreak = tieBreak;
    this.target = target;
  }

  /**
   * The size that comes at this place of the order, from 0 to one less than the number of nodes.
   */
  static int sizeAt(int place, int target, int nodes) {
    int narrowFirst = Math.min(target, nodes);
    return place < narrowFirst ? narrowFirst - place : place + 1;
  }

  /**
   * Takes the set if it is not empty and better than what is held; the caller may not change it.
   */
  void consider(long[] candidate) {
    int size = Masks.count(candidate);
    int place = size <= target ? target - size : nodes.size() + size;
    if (size == 0 || place > rank) {
      return;
    }
    long distance = tieBreak == TieBreak.CLOSEST ? nodes.spread(candidate) : 0;
    if (place < rank || distance < spread || (distance == spread && isLower(candidate))) {
      mask = candidate;
      rank = place;
      spread = distance;
    }
  }

  private boolean isLower(long[] candidate) {
    return mask == null || Masks.compare(candidate, mask) < 0;
  }

  /** The best one, or null where none was considered. */
  long @Nullable [] mask() {
    return mask;
  }
}
