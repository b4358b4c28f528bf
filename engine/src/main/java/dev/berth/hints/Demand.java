package dev.berth.hints;

import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import java.util.Arrays;
import java.util.List;

/**
 * What a set of nodes must add up to: at least so many free CPUs, so many bytes, so many devices.
 *
 * <p>A node brings its own weight; a device that sits between nodes brings one as soon as any of
 * them is in the set. So more nodes never bring less, which all of the searches rest on. A single
 * weight never counts for more than what is demanded: that changes no answer and tightens bounds.
 */
public final class Demand {
  private static final long SCALE = 1 << 20;

  final long threshold;
  final long[] weights;
  final long[][] groups;

  private Demand(long threshold, long[] weights, long[][] groups) {
    this.threshold = threshold;
    this.weights = weights;
    this.groups = groups;
  }

  /**
   * At least {@code threshold} in all.
   *
   * @param weights what each node brings, in the order of the node ids; none below 0
   */
  public static Demand atLeast(long threshold, long... weights) {
    long[] capped = new long[weights.length];
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] < 0) {
        throw new InvalidInputException(
            "weight of node number " + i + ": expected 0 or more, found " + weights[i]);
      }
      capped[i] = Math.min(weights[i], Math.max(threshold, 0));
    }
    return new Demand(threshold, capped, new long[0][]);
  }

  /**
   * At least {@code threshold} of these devices.
   *
   * @param places the nodes of each device: it counts where the set has one of them, and never
   *     where it has none itself
   */
  public static Demand devices(Nodes nodes, int threshold, List<NodeSet> places) {
    long[] weights = new long[nodes.size()];
    long[][] groups =
        places.stream()
            .map(place -> nodes.mask("device", place))
            .filter(place -> Masks.count(place) > 1)
            .toArray(long[][]::new);
    for (NodeSet place : places) {
      if (place.size() == 1) {
        weights[Masks.positions(nodes.mask("device", place))[0]]++;
      }
    }
    return new Demand(threshold, weights, groups);
  }

  /** All of these nodes. */
  public static Demand containing(Nodes nodes, NodeSet required) {
    long[] weights = new long[nodes.size()];
    for (int position : Masks.positions(nodes.mask("required nodes", required))) {
      weights[position] = 1;
    }
    return new Demand(required.size(), weights, new long[0][]);
  }

  /** At least one node of each group. */
  static Demand touchingEach(int positions, long[][] groups) {
    return new Demand(groups.length, new long[positions], groups);
  }

  /**
   * A demand that every set meets which meets all of these: the sum of the shares.
   *
   * <p>Two demands that can only be met on different nodes look harmless one by one; their sum
   * shows that there are not enough nodes for both.
   */
  static Demand sumOf(List<Demand> demands) {
    long[] weights = new long[demands.getFirst().weights.length];
    for (Demand demand : demands) {
      for (int i = 0; i < weights.length; i++) {
        double share = (double) demand.weights[i] / demand.threshold;
        // Rounded up, so that rounding can never refuse a set that meets every part.
        weights[i] += demand.weights[i] == 0 ? 0 : 1 + (long) (share * SCALE);
      }
    }
    return new Demand(SCALE * demands.size(), weights, new long[0][]);
  }

  /** What the set brings. */
  long covered(long[] mask) {
    long sum = 0;
    for (int i = 0; i < mask.length; i++) {
      for (long word = mask[i]; word != 0; word &= word - 1) {
        sum += weights[(i << 6) + Long.numberOfTrailingZeros(word)];
      }
    }
    for (long[] group : groups) {
      sum += Masks.intersects(group, mask) ? 1 : 0;
    }
    return sum;
  }

  /** What a set that holds the node, and holds {@code kept} with it, loses without the node. */
  long loss(long[] kept, int position) {
    long loss = weights[position];
    for (long[] group : groups) {
      loss += Masks.meetOnlyAt(group, kept, position) ? 1 : 0;
    }
    return loss;
  }

  /** Whether the set could always do without this node. */
  boolean ignores(int position) {
    return weights[position] == 0 && groupsOf(position) == 0;
  }

  /**
   * Whether wherever {@code lesser} brings something, {@code greater} in its place brings as much.
   */
  boolean isAtLeast(int greater, int lesser) {
    if (weights[greater] < weights[lesser]) {
      return false;
    }
    for (long[] group : groups) {
      if (Masks.has(group, lesser) && !Masks.has(group, greater)) {
        return false;
      }
    }
    return true;
  }

  /** How many nodes it takes at least: exact where no device sits between nodes. */
  int fewestNodes(long[] universe) {
    int[] positions = Masks.positions(universe);
    long[] most = new long[positions.length];
    for (int i = 0; i < most.length; i++) {
      most[i] = weights[positions[i]] + groupsOf(positions[i]);
    }
    Arrays.sort(most);
    long sum = 0;
    int count = 0;
    while (sum < threshold && count < most.length) {
      sum += most[most.length - ++count];
    }
    return count;
  }

  private int groupsOf(int position) {
    int count = 0;
    for (long[] group : groups) {
      count += Masks.has(group, position) ? 1 : 0;
    }
    return count;
  }
}
