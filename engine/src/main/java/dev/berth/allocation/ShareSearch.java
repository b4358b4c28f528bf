package dev.berth.allocation;

import java.util.Arrays;

/**
 * Finds the shares of a {@link Distribution}: which nodes give the even part, and which of them how
 * many groups more.
 *
 * <p>Two searches of the same kind, both by {@link FirstPick}: first the earliest set of nodes with
 * which the least sum of squares can be reached, then, among these, the widest and earliest subset
 * to deal the rest to.
 */
final class ShareSearch {
  private final int[] free;
  private final int width;
  private final int extraGroups;
  private final int group;
  private final int[] left;
  private final int[] room;
  private final double total;
  private final int levels;

  ShareSearch(int[] free, int width, int even, int extraGroups, int group, int count) {
    this.free = free;
    this.width = width;
    this.extraGroups = extraGroups;
    this.group = group;
    left = new int[free.length];
    room = new int[free.length];
    int sum = 0;
    for (int node = 0; node < free.length; node++) {
      left[node] = free[node] - even;
      room[node] = left[node] < 0 ? -1 : left[node] / group;
      sum += free[node];
    }
    total = sum - count;
    levels = levels();
  }

  /**
   * How many full rounds need to be considered, plus one. Where the nodes differ by less than a
   * group, a second group from one node is always worse than a first one from another, and there is
   * another, because fewer groups than nodes are left over.
   */
  private int levels() {
    int least = Integer.MAX_VALUE;
    int most = 0;
    for (int node = 0; node < left.length; node++) {
      if (room[node] >= 0) {
        least = Math.min(least, left[node]);
        most = Math.max(most, left[node]);
      }
    }
    return most - least < group ? 1 : Math.max(1, Math.min(extraGroups, most / group));
  }

  /**
   * For every node -1 where it gives nothing, otherwise the groups it gives beyond the even part.
   */
  int[] best() {
    int[] all = new int[free.length];
    Arrays.setAll(all, node -> node);
    long[] evenCost = new long[free.length];
    Arrays.setAll(evenCost, node -> square(left[node]) - square(free[node]));
    FirstPick nodes = pick(all, evenCost, width, true);
    long least = nodes.least(width);
    long limit = least + slack(least);
    int[] chosen = nodes.first(width, limit);
    int[] extra = new int[free.length];
    Arrays.fill(extra, -1);
    for (int node : chosen) {
      extra[node] = 0;
      limit -= evenCost[node];
    }
    if (extraGroups > 0) {
      deal(extra, subset(chosen, limit));
    }
    return extra;
  }

  private FirstPick pick(int[] nodes, long[] evenCost, int size, boolean mayGetNothing) {
    long[][] costs = new long[nodes.length][];
    for (int i = 0; i < nodes.length; i++) {
      int node = nodes[i];
      costs[i] = new long[Math.min(Math.max(room[node], 0), levels) + 1];
      for (int groups = 0; groups < costs[i].length; groups++) {
        costs[i][groups] = evenCost[i] + square(left[node] - groups * group) - square(left[node]);
      }
    }
    boolean[] eligible = new boolean[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      eligible[i] = room[nodes[i]] >= 0;
    }
    return new FirstPick(costs, eligible, size, extraGroups, levels, mayGetNothing);
  }

  /** The widest subset of the chosen nodes, then the first, that keeps within the limit. */
  private int[] subset(int[] chosen, long limit) {
    int[] roomy = Arrays.stream(chosen).filter(node -> room[node] > 0).toArray();
    FirstPick subsets = pick(roomy, new long[roomy.length], roomy.length, false);
    int size = roomy.length;
    while (subsets.least(size) > limit) {
      size--;
    }
    return Arrays.stream(subsets.first(size, limit)).map(i -> roomy[i]).toArray();
  }

  private void deal(int[] extra, int[] subset) {
    int rest = extraGroups;
    while (rest > 0) {
      for (int node : subset) {
        if (rest > 0 && extra[node] < room[node]) {
          extra[node]++;
          rest--;
        }
      }
    }
  }

  /**
   * How much larger a sum of squares may be and still give the same deviation to three decimals.
   */
  private long slack(long least) {
    long base = least;
    for (int cpus : free) {
      base += square(cpus);
    }
    double deviation = deviation(base);
    long slack = 0;
    long step = 1;
    while (deviation(base + slack + step) == deviation) {
      slack += step;
      step *= 2;
    }
    for (; step > 0; step /= 2) {
      if (deviation(base + slack + step) == deviation) {
        slack += step;
      }
    }
    return slack;
  }

  /** The standard deviation of what is left, with mean and result rounded to three decimals. */
  private double deviation(long squares) {
    double mean = Math.round(total / free.length * 1000) / 1000.0;
    double variance = (squares - 2 * mean * total + free.length * mean * mean) / free.length;
    return Math.round(Math.sqrt(Math.max(variance, 0)) * 1000) / 1000.0;
  }

  private static long square(long number) {
    return number * number;
  }
}
