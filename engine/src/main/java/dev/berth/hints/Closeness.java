package dev.berth.hints;

import java.util.Arrays;
import java.util.function.Predicate;

/**
 * How close the nodes taken so far are, and whether the set can still become the closest.
 *
 * <p>Sets are considered in the order of their numbers, so one must be strictly closer than the
 * best to replace it. The bound: each node still to come brings its distances to itself, to all
 * that is taken and, at best, half of those to its nearest neighbours; the cheapest such nodes are
 * summed. On machines whose nodes come in equal clusters it is exact.
 */
final class Closeness {
  private final Nodes nodes;
  private final int[] region;
  private final long[][] nearest;
  private final long[] toTaken;
  private final long[] costs;
  private long spread;
  private long limit;
  private long[] best;

  Closeness(Nodes nodes, int[] region, long[] lowest) {
    this.nodes = nodes;
    this.region = region;
    best = lowest;
    limit = nodes.spread(lowest) - 1;
    toTaken = new long[nodes.size()];
    costs = new long[region.length];
    nearest = new long[nodes.size()][];
    for (int position : region) {
      nearest[position] = nearestOf(position);
    }
  }

  /** Entry i: the sum over the i nearest others of the region. */
  private long[] nearestOf(int position) {
    long[] sums = new long[region.length];
    int at = 0;
    for (int other : region) {
      if (other != position) {
        sums[++at] = nodes.pair(position, other);
      }
    }
    Arrays.sort(sums);
    for (int i = 1; i < sums.length; i++) {
      sums[i] += sums[i - 1];
    }
    return sums;
  }

  /**
   * Looks for a close set greedily around every node, to know early how close is possible.
   *
   * @param possible whether a set may be the answer
   */
  void guess(int size, Predicate<long[]> possible) {
    long bound = limit;
    for (int start : region) {
      long[] set = around(start, size);
      long sum = nodes.spread(set);
      if (sum <= bound && possible.test(set)) {
        // The guess itself may come again in its turn: sets as close as it stay welcome.
        bound = sum - 1;
        limit = sum;
        best = set;
      }
    }
  }

  private long[] around(int start, int size) {
    long[] set = Masks.none(nodes.size());
    long[] sums = new long[nodes.size()];
    int next = start;
    for (int i = 0; i < size; i++) {
      Masks.add(set, next);
      int closest = -1;
      for (int other : region) {
        sums[other] += nodes.pair(other, next);
        if (!Masks.has(set, other) && (closest < 0 || cost(sums, other) < cost(sums, closest))) {
          closest = other;
        }
      }
      next = closest;
    }
    return set;
  }

  private long cost(long[] sums, int position) {
    return sums[position] + nodes.self(position);
  }

  void take(int position) {
    spread += nodes.self(position) + toTaken[position];
    for (int other : region) {
      toTaken[other] += nodes.pair(other, position);
    }
  }

  void release(int position) {
    for (int other : region) {
      toTaken[other] -= nodes.pair(other, position);
    }
    spread -= nodes.self(position) + toTaken[position];
  }

  /** Whether no {@code need} of these nodes can make the set closer than the best. */
  boolean isHopeless(long[] undecided, int need) {
    if (need == 0) {
      return spread > limit;
    }
    int count = 0;
    for (int position : region) {
      if (Masks.has(undecided, position)) {
        costs[count++] =
            2 * (nodes.self(position) + toTaken[position]) + nearest[position][need - 1];
      }
    }
    Arrays.sort(costs, 0, count);
    long bound = 2 * spread;
    for (int i = 0; i < need; i++) {
      bound += costs[i];
    }
    return bound > 2 * limit;
  }

  void consider(long[] set) {
    long sum = nodes.spread(set);
    if (sum <= limit) {
      limit = sum - 1;
      best = set;
    }
  }

  long[] best() {
    return best;
  }
}
