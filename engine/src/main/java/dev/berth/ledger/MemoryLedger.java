package dev.berth.ledger;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.Trace;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Draft;
import dev.berth.hints.HintProvider;
import dev.berth.hints.Nodes;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Who has which memory under the static policy. */
final class MemoryLedger implements HintProvider {
  private final FeatureGates gates;
  private final Map<String, Map<String, List<MemoryBlock>>> blocks = new HashMap<>();
  private final Map<String, List<MemoryBlock>> budgets = new HashMap<>();
  private MemoryBooks books;

  MemoryLedger(Machine machine, Nodes nodes, Configuration configuration) {
    gates = configuration.gates();
    books = new MemoryBooks(new MemoryStock(machine, nodes, configuration.memory()));
  }

  FeatureGates gates() {
    return gates;
  }

  Map<String, List<MemoryBlock>> of(String pod) {
    return blocks.getOrDefault(pod, Map.of());
  }

  @Override
  public Draft begin(Pod pod, Trace trace) {
    return new MemoryDraft(this, pod, of(pod.uid()), books, trace);
  }

  /** Takes over the outcome of an admission. */
  void take(
      String pod,
      MemoryBooks now,
      Map<String, List<MemoryBlock>> granted,
      List<MemoryBlock> budget) {
    books = now;
    if (!granted.isEmpty()) {
      blocks.put(pod, Readmitted.of(of(pod), granted));
    }
    if (!budget.isEmpty()) {
      budgets.put(pod, budget);
    }
  }

  @Override
  public void remove(String uid) {
    Map<String, List<MemoryBlock>> held = blocks.remove(uid);
    List<MemoryBlock> budget = budgets.remove(uid);
    if (held == null && budget == null) {
      return;
    }
    books = books.copy();
    if (budget != null) {
      budget.forEach(books::takeBack);
      beyond(budget, held == null ? Map.of() : held).forEach(books::letGo);
    } else if (held != null) {
      held.values().stream().flatMap(Collection::stream).forEach(books::takeBack);
    }
  }

  /** The blocks of kinds that the pod's budget does not have. */
  private static List<MemoryBlock> beyond(
      List<MemoryBlock> budget, Map<String, List<MemoryBlock>> held) {
    return held.values().stream()
        .flatMap(Collection::stream)
        .filter(block -> budget.stream().noneMatch(own -> own.type().equals(block.type())))
        .toList();
  }

  MemoryAssignments assignments() {
    return written(books, blocks, budgets);
  }

  /** The assignments of this moment, to be written out if somebody asks. */
  Supplier<MemoryAssignments> frozen() {
    MemoryBooks booksThen = books;
    Map<String, Map<String, List<MemoryBlock>>> blocksThen = new HashMap<>(blocks);
    Map<String, List<MemoryBlock>> budgetsThen = new HashMap<>(budgets);
    return () -> written(booksThen, blocksThen, budgetsThen);
  }

  private static MemoryAssignments written(
      MemoryBooks books,
      Map<String, Map<String, List<MemoryBlock>>> blocks,
      Map<String, List<MemoryBlock>> budgets) {
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> sorted = new TreeMap<>();
    blocks.forEach((pod, containers) -> sorted.put(pod, new TreeMap<>(containers)));
    return new MemoryAssignments(books.accounts(), sorted, new TreeMap<>(budgets));
  }

  /** Takes over what another left, if its accounts are what its blocks come to. */
  void restore(MemoryAssignments before) {
    MemoryBooks expected = new MemoryBooks(books.stock());
    Set<NodeSet> used = giveAll(before, expected);
    MemoryCheck.compare(expected, used, before.nodes())
        .ifPresent(fault -> {
          throw new InvalidInputException("memory assignments: " + fault);
        });
    books = expected;
    books.restore(before.nodes());
    before.blocks().forEach((pod, list) -> blocks.put(pod, new LinkedHashMap<>(list)));
    budgets.putAll(before.budgets());
    budgets.forEach((pod, budget) -> beyond(budget, of(pod)).forEach(books::promise));
  }

  /**
   * Gives all pods their blocks anew: those of one node first, for the others can make way.
   *
   * @return the sets of nodes that they are on
   */
  private static Set<NodeSet> giveAll(MemoryAssignments before, MemoryBooks to) {
    Set<String> pods = new TreeSet<>(before.blocks().keySet());
    pods.addAll(before.budgets().keySet());
    Set<NodeSet> used = new HashSet<>();
    for (boolean single : List.of(true, false)) {
      for (String pod : pods) {
        for (MemoryBlock block : before.counted(pod)) {
          if (single == (block.nodes().size() == 1)) {
            used.add(block.nodes());
            give(pod, block, to);
          }
        }
      }
    }
    return used;
  }

  private static void give(String pod, MemoryBlock block, MemoryBooks to) {
    NodeSet all = to.stock().nodes.all();
    if (block.nodes().isEmpty() || !block.nodes().isSubsetOf(all)) {
      throw new InvalidInputException(
          "memory assignments: pod "
              + pod
              + ": expected a block on nodes among "
              + all
              + ", found one on "
              + (block.nodes().isEmpty() ? "none" : block.nodes()));
    }
    long missing = to.give(block);
    if (missing > 0) {
      throw new InvalidInputException(
          "memory assignments: pod "
              + pod
              + ": node"
              + (block.nodes().size() == 1 ? " " : "s ")
              + block.nodes()
              + ": expected at most "
              + (block.size() - missing)
              + " bytes of "
              + block.type()
              + " to be left for it, found "
              + block.size());
    }
  }
}
