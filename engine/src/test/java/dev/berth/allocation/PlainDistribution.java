package dev.berth.allocation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * KEP-2902's rule as it reads: every set of nodes, every subset to deal the rest to, one by one.
 *
 * <p>Deliberately without a thought for speed, and sharing no code with what it checks.
 */
final class PlainDistribution {
  private final int[] free;
  private final int group;
  private double best = Double.MAX_VALUE;
  private int @Nullable [] shares;

  private PlainDistribution(int[] free, int group) {
    this.free = free;
    this.group = group;
  }

  /**
   * For every node -1 where it gives nothing, otherwise the groups that it gives beyond the even
   * part; null where no set of nodes can do it.
   */
  static int @Nullable [] over(int[] free, int width, int count, int group) {
    PlainDistribution plain = new PlainDistribution(free, group);
    int even = count / (width * group) * group;
    List<Integer> all = new ArrayList<>();
    for (int node = 0; node < free.length; node++) {
      all.add(node);
    }
    for (List<Integer> nodes : combinations(all, width)) {
      if (nodes.stream().allMatch(node -> free[node] >= even)) {
        plain.tryNodes(nodes, even, (count - even * width) / group);
      }
    }
    return plain.shares;
  }

  private void tryNodes(List<Integer> nodes, int even, int extra) {
    int[] left = free.clone();
    nodes.forEach(node -> left[node] -= even);
    if (extra == 0) {
      consider(nodes, left, new int[free.length]);
      return;
    }
    List<Integer> roomy = nodes.stream().filter(node -> left[node] >= group).toList();
    for (int size = roomy.size(); size > 0; size--) {
      for (List<Integer> subset : combinations(roomy, size)) {
        deal(nodes, subset, left, extra);
      }
    }
  }

  /** A group to each in turn, while there are groups and room. */
  private void deal(List<Integer> nodes, List<Integer> subset, int[] left, int extra) {
    int[] after = left.clone();
    int[] dealt = new int[free.length];
    int rest = extra;
    boolean moved = true;
    while (rest > 0 && moved) {
      moved = false;
      for (int node : subset) {
        if (rest > 0 && after[node] >= group) {
          after[node] -= group;
          dealt[node]++;
          rest--;
          moved = true;
        }
      }
    }
    if (rest == 0) {
      consider(nodes, after, dealt);
    }
  }

  private void consider(List<Integer> nodes, int[] left, int[] dealt) {
    double deviation = deviation(left);
    if (deviation < best) {
      best = deviation;
      int[] found = new int[free.length];
      Arrays.fill(found, -1);
      nodes.forEach(node -> found[node] = dealt[node]);
      shares = found;
    }
  }

  private static double deviation(int[] left) {
    double mean = rounded(Arrays.stream(left).average().orElseThrow());
    double sum = 0;
    for (int cpus : left) {
      sum += (cpus - mean) * (cpus - mean);
    }
    return rounded(Math.sqrt(sum / left.length));
  }

  private static double rounded(double number) {
    return Math.round(number * 1000) / 1000.0;
  }

  /** All choices of so many elements, in lexicographic order of their positions. */
  private static List<List<Integer>> combinations(List<Integer> from, int size) {
    if (size == 0) {
      return List.of(List.of());
    }
    List<List<Integer>> found = new ArrayList<>();
    for (int first = 0; first + size <= from.size(); first++) {
      for (List<Integer> rest : combinations(from.subList(first + 1, from.size()), size - 1)) {
        List<Integer> whole = new ArrayList<>(List.of(from.get(first)));
        whole.addAll(rest);
        found.add(whole);
      }
    }
    return found;
  }
}
