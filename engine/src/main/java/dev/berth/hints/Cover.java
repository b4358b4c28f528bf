package dev.berth.hints;

import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Every non-empty set of nodes, within some, that meets all of some demands.
 *
 * <p>Described, never listed: on 64 nodes there are 10<sup>19</sup> of them. What makes that
 * possible is that a cover is closed upwards (a member with one more node of the universe is a
 * member) and that the sets which belong to two covers are a cover again.
 */
public final class Cover {
  private final Nodes nodes;
  private final long[] universe;
  private final List<Demand> demands;

  private Cover(Nodes nodes, long[] universe, List<Demand> demands) {
    this.nodes = nodes;
    this.universe = universe;
    this.demands = demands;
  }

  /** Every non-empty set of nodes. */
  public static Cover everySet(Nodes nodes) {
    return new Cover(nodes, Masks.all(nodes.size()), List.of());
  }

  /** Every non-empty set within {@code universe} that meets all demands; there may be none. */
  public static Cover of(Nodes nodes, NodeSet universe, Demand... demands) {
    List<Demand> real = new ArrayList<>();
    for (Demand demand : demands) {
      if (demand.weights.length != nodes.size()) {
        throw new InvalidInputException(
            "demand: expected "
                + nodes.size()
                + " weights, one a node, found "
                + demand.weights.length);
      }
      if (demand.threshold > 0) {
        real.add(demand);
      }
    }
    return new Cover(nodes, nodes.mask("universe", universe), List.copyOf(real));
  }

  Nodes nodes() {
    return nodes;
  }

  long[] universe() {
    return universe;
  }

  List<Demand> demands() {
    return demands;
  }

  /** Whether no set will do. */
  public boolean isEmpty() {
    return !contains(universe);
  }

  /** Whether this set will do. */
  public boolean contains(NodeSet set) {
    return set.isSubsetOf(nodes.all()) && contains(nodes.mask("set", set));
  }

  boolean contains(long[] set) {
    if (Masks.isEmpty(set) || !Masks.isSubset(set, universe)) {
      return false;
    }
    for (Demand demand : demands) {
      if (demand.covered(set) < demand.threshold) {
        return false;
      }
    }
    return true;
  }

  /** The sets that belong to both. */
  Cover and(Cover other) {
    List<Demand> both = new ArrayList<>(demands);
    both.addAll(other.demands);
    return new Cover(nodes, Masks.and(universe, other.universe), List.copyOf(both));
  }

  /** The sets within {@code region} that meet one more demand. */
  Cover within(long[] region, Demand more) {
    List<Demand> all = new ArrayList<>(demands);
    all.add(more);
    return new Cover(nodes, Masks.and(universe, region), List.copyOf(all));
  }

  /**
   * The same sets, with a demand that follows from the others and helps to see early that none
   * fits.
   */
  Cover tightened() {
    boolean plain = demands.stream().allMatch(demand -> demand.groups.length == 0);
    if (demands.size() < 2 || !plain) {
      return this;
    }
    List<Demand> all = new ArrayList<>(demands);
    all.add(Demand.sumOf(demands));
    return new Cover(nodes, universe, List.copyOf(all));
  }

  /**
   * How many nodes the narrowest set has.
   *
   * @return 0 where no set will do; where the search for several demands met its bound, a number
   *     that is not above the true one, and then {@link Width#exact} is false
   */
  public Width narrowest() {
    Budget budget = new Budget();
    int width = narrowest(budget);
    return new Width(width, !budget.isExhausted());
  }

  /**
   * A number of nodes, and whether it is known to be the least.
   *
   * @param nodes how many
   * @param exact false where the search for a narrower set was cut short
   */
  public record Width(int nodes, boolean exact) {}

  int narrowest(Budget budget) {
    if (isEmpty()) {
      return 0;
    }
    int width = 1;
    for (Demand demand : demands) {
      width = Math.max(width, demand.fewestNodes(universe));
    }
    boolean certain = demands.size() <= 1 && demands.stream().allMatch(d -> d.groups.length == 0);
    if (certain) {
      return width;
    }
    Cover tight = tightened();
    while (ExclusionSearch.lowest(List.of(tight), universe, width, budget) == null) {
      if (budget.isExhausted()) {
        return width;
      }
      width++;
    }
    return width;
  }
}
