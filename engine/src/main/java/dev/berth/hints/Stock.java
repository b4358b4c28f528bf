package dev.berth.hints;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one cover has left while it gives up nodes, starting from its whole universe.
 *
 * <p>What it holds beyond a demand is its slack; giving up a node costs what the node brought. In
 * which order nodes are given up does not matter to what is left.
 */
final class Stock {
  private final Cover cover;
  private final Demand[] demands;
  private final int[] order;
  private final long[] kept;
  private final long[] slack;
  private final long[] ahead;
  private final long[] atStart;
  private final int[] @Nullable [] lightestFirst;

  /**
   * Makes one.
   *
   * @param order the nodes that it may come to give up, none of them decided yet
   */
  Stock(Cover cover, int[] order) {
    this.cover = cover;
    this.order = order;
    demands = cover.demands().toArray(Demand[]::new);
    kept = cover.universe().clone();
    slack = new long[demands.length];
    ahead = new long[demands.length];
    lightestFirst = new int[demands.length][];
    for (int d = 0; d < demands.length; d++) {
      slack[d] = demands[d].covered(kept) - demands[d].threshold;
      ahead[d] = demands[d].groups.length;
      for (int position : order) {
        ahead[d] += demands[d].weights[position];
      }
    }
    atStart = slack.clone();
  }

  /** Whether the cover has a member at all. */
  boolean isPossible() {
    return Arrays.stream(slack).allMatch(amount -> amount >= 0);
  }

  /** Counts a node as decided, or with {@code sign} 1 as undecided again. */
  void shift(int position, int sign) {
    for (int d = 0; d < demands.length; d++) {
      ahead[d] += sign * demands[d].weights[position];
    }
  }

  /** Whether it can give up all undecided nodes at once. */
  boolean affordsAll() {
    for (int d = 0; d < demands.length; d++) {
      if (slack[d] < ahead[d]) {
        return false;
      }
    }
    return true;
  }

  /** Whether the node never means anything to it. */
  boolean ignores(int position) {
    for (Demand demand : demands) {
      if (!demand.ignores(position)) {
        return false;
      }
    }
    return true;
  }

  /** Gives the node up; false, and nothing changed, where it cannot. */
  boolean giveUp(int position) {
    for (int d = 0; d < demands.length; d++) {
      if (demands[d].loss(kept, position) > slack[d]) {
        return false;
      }
    }
    for (int d = 0; d < demands.length; d++) {
      slack[d] -= demands[d].loss(kept, position);
    }
    Masks.remove(kept, position);
    return true;
  }

  void takeBack(int position) {
    Masks.add(kept, position);
    for (int d = 0; d < demands.length; d++) {
      slack[d] += demands[d].loss(kept, position);
    }
  }

  /** Whether it stands exactly where the other one does, so that trying both would be vain. */
  boolean isLike(Stock other) {
    return cover == other.cover
        && Arrays.equals(slack, other.slack)
        && Arrays.equals(kept, other.kept);
  }

  /**
   * At least how much of the slack it had at the start the node takes: 1 is all of it.
   *
   * <p>The average over the demands, which is why shares of nodes that fit together never add up to
   * more than 1. Infinite where the node is too much for one of them.
   */
  double share(int position) {
    double sum = 0;
    for (int d = 0; d < demands.length; d++) {
      long weight = demands[d].weights[position];
      if (weight > atStart[d]) {
        return Double.POSITIVE_INFINITY;
      }
      sum += weight == 0 ? 0 : (double) weight / atStart[d];
    }
    return demands.length == 0 ? 0 : sum / demands.length;
  }

  /**
   * Whether it could give up so many of the undecided nodes, demand by demand the lightest ones.
   */
  boolean couldGiveUp(int wanted, long[] undecided) {
    for (int d = 0; d < demands.length; d++) {
      long left = slack[d];
      int count = 0;
      int[] sorted = lightestFirst(d);
      for (int i = 0; i < sorted.length && count < wanted && left >= 0; i++) {
        if (Masks.has(undecided, sorted[i])) {
          left -= demands[d].weights[sorted[i]];
          count++;
        }
      }
      if (left < 0) {
        return false;
      }
    }
    return true;
  }

  private int[] lightestFirst(int d) {
    int[] sorted = lightestFirst[d];
    if (sorted == null) {
      long[] weights = demands[d].weights;
      sorted =
          Arrays.stream(order)
              .boxed()
              .sorted((a, b) -> Long.compare(weights[a], weights[b]))
              .mapToInt(Integer::intValue)
              .toArray();
      lightestFirst[d] = sorted;
    }
    return sorted;
  }

  /** Whether {@code greater} serves at least as well as {@code lesser} would in its place. */
  boolean isAtLeast(int greater, int lesser) {
    for (Demand demand : demands) {
      if (!demand.isAtLeast(greater, lesser)) {
        return false;
      }
    }
    return true;
  }
}
