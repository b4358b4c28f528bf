package dev.berth.allocation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The most balanced way to take CPUs from a given number of NUMA nodes.
 *
 * <p>Every chosen node gives the same even part; what does not divide is dealt out, group by group
 * and round by round, over a subset of them. The best way leaves the machine's nodes with the least
 * standard deviation of free CPUs, compared to three decimals. Among equals, the chosen nodes that
 * come first win, then the widest subset, then the subset that comes first.
 *
 * <p>The total that is left is the same for every way, so the deviation grows with the sum of
 * squares, which is a sum over nodes. {@link ShareSearch} finds its minimum, and the first way that
 * reaches it, without walking all subsets.
 */
final class Distribution {
  private final int even;
  private final int[] extra;

  private Distribution(int even, int[] extra) {
    this.even = even;
    this.extra = extra;
  }

  /** How many nodes were looked at. */
  int nodes() {
    return extra.length;
  }

  /** How many CPUs every chosen node gives. */
  int even() {
    return even;
  }

  /** Whether the node is one of the chosen. */
  boolean takesFrom(int node) {
    return extra[node] >= 0;
  }

  /** How many groups a chosen node gives beyond the even part. */
  int extraGroups(int node) {
    return extra[node];
  }

  /**
   * The best way over {@code width} nodes, or null where there is none.
   *
   * @param free the free CPUs of each node, in order of preference
   * @param width how many nodes are to share, at most {@code count / group}
   * @param count how many CPUs, a multiple of {@code group}
   * @param group how many CPUs stay together
   */
  static @Nullable Distribution over(int[] free, int width, int count, int group) {
    int even = count / (width * group) * group;
    int extraGroups = (count - even * width) / group;
    if (!isPossible(free, width, even, extraGroups, group)) {
      return null;
    }
    int[] extra = new ShareSearch(free, width, even, extraGroups, group, count).best();
    return new Distribution(even, extra);
  }

  /** Whether enough nodes can give the even part and the roomiest of them the rest. */
  private static boolean isPossible(int[] free, int width, int even, int extraGroups, int group) {
    int[] rooms = new int[free.length];
    int eligible = 0;
    for (int cpus : free) {
      if (cpus >= even) {
        rooms[eligible++] = (cpus - even) / group;
      }
    }
    if (eligible < width) {
      return false;
    }
    Arrays.sort(rooms, 0, eligible);
    long room = 0;
    for (int i = eligible - width; i < eligible; i++) {
      room += rooms[i];
    }
    return room >= extraGroups;
  }
}
