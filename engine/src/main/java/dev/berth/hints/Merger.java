package dev.berth.hints;

import dev.berth.cpu.NodeSet;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the minimum of the merge's total order, by tables or by search.
 *
 * <p>Lists on machines of few nodes go by {@link TableMerge}; everything else by search. Where a
 * search meets its bound on a machine that tables can hold, the tables answer after all, so that
 * only machines of more than {@value Table#MOST_NODES} nodes can see a bounded answer.
 */
final class Merger {
  private final Nodes nodes;
  private final TieBreak tieBreak;
  private final int steps;

  Merger(Nodes nodes, TieBreak tieBreak) {
    this(nodes, tieBreak, Budget.STEPS);
  }

  Merger(Nodes nodes, TieBreak tieBreak, int steps) {
    this.nodes = nodes;
    this.tieBreak = tieBreak;
    this.steps = steps;
  }

  /** The best merged hint, admitted for now. */
  Merged merge(List<Offer> offers) {
    if (nodes.size() > Table.MOST_NODES) {
      return bySearch(offers, steps);
    }
    if (areWorthTables(offers)) {
      return byTables(offers);
    }
    // A table costs about as much as this many steps.
    Merged found = bySearch(offers, Math.min(steps, 16 << (nodes.size() / 2)));
    return found.bounded() ? byTables(offers) : found;
  }

  private static boolean areWorthTables(List<Offer> offers) {
    for (Offer offer : offers) {
      if (offer instanceof Listed listed && listed.isWorthATable()) {
        return true;
      }
    }
    return false;
  }

  Merged bySearch(List<Offer> offers, int budgetSteps) {
    Budget budget = new Budget(budgetSteps);
    long[] preferred = PreferredSearch.find(nodes, offers, tieBreak, budget);
    if (preferred != null) {
      return merged(nodes.set(preferred), true, budget.isExhausted());
    }
    boolean bounded = budget.isExhausted();
    // A budget of its own: without it a bounded first search would leave nothing for the second.
    ReachableSearch search = new ReachableSearch(nodes, tieBreak, new Budget(budgetSteps));
    NodeSet found = nodes.set(search.find(offers));
    return merged(found, false, bounded || search.isCutShort());
  }

  Merged byTables(List<Offer> offers) {
    Table[] tables = new Table[offers.size()];
    int count = 0;
    boolean impossible = false;
    for (Offer offer : offers) {
      switch (offer) {
        case Offer.Anything ignored -> {}
        case Offer.Impossible ignored -> impossible = true;
        case Listed listed -> tables[count++] = Table.of(nodes.size(), listed);
        case Family family -> tables[count++] = Table.of(nodes.size(), family);
      }
    }
    tables = count == tables.length ? tables : Arrays.copyOf(tables, count);
    TableMerge merge = new TableMerge(nodes, tieBreak, tables, impossible);
    int preferred = merge.preferred();
    int found = preferred != 0 ? preferred : merge.reachable();
    return merged(nodes.set(found), preferred != 0, false);
  }

  private static Merged merged(NodeSet set, boolean preferred, boolean bounded) {
    return new Merged(Affinity.to(set), preferred, true, bounded);
  }
}
