package dev.berth.ledger;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.Trace;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Draft;
import dev.berth.hints.HintProvider;
import dev.berth.hints.Nodes;
import dev.berth.ledger.MemoryAssignments.NodeAccount;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private MemoryLedger(MemoryLedger other) {
    gates = other.gates;
    blocks.putAll(other.blocks);
    budgets.putAll(other.budgets);
    books = other.books;
  }

  /** The same at this moment; the books are never written in, only replaced. */
  MemoryLedger copy() {
    return new MemoryLedger(this);
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

  /** What a pod has beyond its budget; nothing where it has none. */
  static List<MemoryBlock> beyond(MemoryAssignments from, String pod) {
    List<MemoryBlock> budget = from.budgets().get(pod);
    return budget == null
        ? List.of()
        : beyond(budget, from.blocks().getOrDefault(pod, Collections.emptySortedMap()));
  }

  /** The memory of a pod's containers, by name. */
  Map<String, List<MemoryBlock>> blocksOf(String pod) {
    return blocks.getOrDefault(pod, Map.of());
  }

  /** The memory of a pod's own budget; empty where it has none. */
  List<MemoryBlock> budgetOf(String pod) {
    return budgets.getOrDefault(pod, List.of());
  }

  /** The nodes of the memory that is a container's own, or its pod's; empty where it has none. */
  NodeSet nodesOf(String pod, String container) {
    List<MemoryBlock> own = blocksOf(pod).getOrDefault(container, List.of());
    NodeSet nodes = NodeSet.EMPTY;
    for (MemoryBlock block : own.isEmpty() ? budgetOf(pod) : own) {
      nodes = nodes.union(block.nodes());
    }
    return nodes;
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
    MemoryGiving giving = new MemoryGiving(books.stock());
    Set<String> pods = new TreeSet<>(before.blocks().keySet());
    pods.addAll(before.budgets().keySet());
    giving
        .give(pods, before)
        .map(misfit -> "pod " + misfit.pod() + ": " + misfit.fault())
        .or(() -> MemoryCheck.compare(giving.books, giving.used, before.nodes()))
        .ifPresent(fault -> {
          throw new InvalidInputException("memory assignments: " + fault);
        });
    adopt(giving.books, before);
    books.restore(before.nodes());
    pods.forEach(pod -> beyond(before, pod).forEach(books::promise));
  }

  private void adopt(MemoryBooks given, MemoryAssignments from) {
    books = given;
    from.blocks().forEach((pod, list) -> blocks.put(pod, new LinkedHashMap<>(list)));
    budgets.putAll(from.budgets());
  }

  /**
   * Keeps memory with pods as far as there is room, and tells of the others why not. Where all can
   * stay and the accounts still fit, they are taken as they were.
   *
   * @param wanted by pod, in the order in which they come first
   */
  Map<String, String> keep(Map<String, Holding> wanted, Optional<MemoryAssignments> before) {
    if (before.isPresent()) {
      try {
        restore(assignments(before.get().nodes(), wanted));
        return Map.of();
      } catch (InvalidInputException e) {
        // The accounts are those of other rules, another machine or other pods.
        return keepSome(wanted);
      }
    }
    return keepSome(wanted);
  }

  private Map<String, String> keepSome(Map<String, Holding> wanted) {
    Map<String, Holding> left = new LinkedHashMap<>(wanted);
    Map<String, String> lost = new LinkedHashMap<>();
    while (true) {
      MemoryGiving giving = new MemoryGiving(books.stock());
      MemoryAssignments kept = assignments(new TreeMap<>(), left);
      Optional<MemoryGiving.Misfit> misfit =
          giving.give(left.keySet(), kept).or(() -> giving.promise(left.keySet(), kept));
      if (misfit.isEmpty()) {
        adopt(giving.books, kept);
        return lost;
      }
      left.remove(misfit.get().pod());
      lost.put(misfit.get().pod(), "memory: " + misfit.get().fault());
    }
  }

  private static MemoryAssignments assignments(
      SortedMap<Integer, NodeAccount> accounts, Map<String, Holding> holdings) {
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> own = new TreeMap<>();
    SortedMap<String, List<MemoryBlock>> whole = new TreeMap<>();
    holdings.forEach((pod, held) -> {
      if (!held.memory().isEmpty()) {
        own.put(pod, held.memory());
      }
      if (!held.memoryBudget().isEmpty()) {
        whole.put(pod, held.memoryBudget());
      }
    });
    return new MemoryAssignments(accounts, own, whole);
  }
}
