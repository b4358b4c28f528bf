package dev.berth.topology;

import java.util.Arrays;

/**
 * Which places of one kind share CPUs with which of another.
 *
 * <p>Whoever starts on a new machine waits for this, so the usual case has a way of its own: where
 * every place of the second kind lies in one of the first, as cores do in caches, each is listed
 * once, and lists come out sorted. Otherwise one of the second kind is listed in several of the
 * first: where these lie in it, or where the two straddle, as a cache that serves two NUMA nodes
 * does.
 */
final class Neighbours {
  private Neighbours() {}

  /**
   * By place of the first kind, the places of the second, lowest first.
   *
   * @param cpus all CPUs
   * @param froms by CPU, its place of the first kind, of which there are {@code fromCount}
   * @param tos by CPU, its place of the second kind, of which there are {@code toCount}
   */
  static int[][] of(int[] cpus, int[] froms, int fromCount, int[] tos, int toCount) {
    int[] homes = new int[toCount];
    int[] counts = new int[fromCount];
    Arrays.fill(homes, -1);
    for (int cpu : cpus) {
      int from = froms[cpu];
      int home = homes[tos[cpu]];
      if (home < 0) {
        homes[tos[cpu]] = from;
        counts[from]++;
      } else if (home != from) {
        return overlapping(cpus, froms, fromCount, tos, toCount);
      }
    }
    int[][] result = new int[fromCount][];
    for (int from = 0; from < fromCount; from++) {
      result[from] = new int[counts[from]];
    }
    // Backwards, so that the counts lead to the places in the lists.
    for (int to = toCount - 1; to >= 0; to--) {
      result[homes[to]][--counts[homes[to]]] = to;
    }
    return result;
  }

  private static int[][] overlapping(
      int[] cpus, int[] froms, int fromCount, int[] tos, int toCount) {
    boolean[][] shared = new boolean[fromCount][toCount];
    for (int cpu : cpus) {
      shared[froms[cpu]][tos[cpu]] = true;
    }
    int[][] result = new int[fromCount][];
    int[] found = new int[toCount];
    for (int from = 0; from < fromCount; from++) {
      int count = 0;
      for (int to = 0; to < toCount; to++) {
        if (shared[from][to]) {
          found[count++] = to;
        }
      }
      result[from] = Arrays.copyOf(found, count);
    }
    return result;
  }
}
