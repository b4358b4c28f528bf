package dev.berth.hints;

/**
 * How long the searches of one merge may go on.
 *
 * <p>Counted in steps, not in time, so that an answer never depends on how busy the machine is. A
 * step decides one node, or tries one choice of named sets for one size. Naming sets counts too:
 * the meetings of named sets that are looked at are bounded by the steps ({@link ReachableSearch}).
 *
 * <p>Ordinary requests, over a few nodes, never meet the bound. On more than 16 nodes two kinds do:
 * resources that are each scattered over a dozen nodes and more, above all with {@code
 * prefer-closest-numa-nodes}, and several long lists of hints, which have more than {@value
 * Choices#MOST} different meetings. The answer then still is one that the offers allow, and mostly
 * the best one; what is missing is the proof. {@code docs/merge.md} says what that costs.
 */
final class Budget {
  /**
   * Tens of milliseconds at worst, once the JVM has compiled the search; what ordinary requests
   * need is a few hundred.
   */
  static final int STEPS = 20_000;

  private int left;

  Budget() {
    this(STEPS);
  }

  Budget(int steps) {
    left = steps;
  }

  /** Takes a step; false from the moment that none is left. */
  boolean step() {
    if (left > 0) {
      left--;
    }
    return left > 0;
  }

  int left() {
    return left;
  }

  boolean isExhausted() {
    return left == 0;
  }
}
