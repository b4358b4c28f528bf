package dev.berth.ledger;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.Trace;
import dev.berth.cpu.InvalidInputException;
import dev.berth.hints.Draft;
import dev.berth.hints.HintProvider;
import dev.berth.hints.Nodes;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

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
    } else if (held != null) {
      held.values().stream().flatMap(Collection::stream).forEach(books::takeBack);
    }
  }

  MemoryAssignments assignments() {
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> sorted = new TreeMap<>();
    blocks.forEach((pod, containers) -> sorted.put(pod, new TreeMap<>(containers)));
    return new MemoryAssignments(books.accounts(), sorted, new TreeMap<>(budgets));
  }

  /** Takes over what another left, if its accounts are what its blocks come to. */
  void restore(MemoryAssignments before) {
    MemoryBooks expected = new MemoryBooks(books.stock());
    before
        .blocks()
        .forEach((pod, containers) -> {
          List<MemoryBlock> budget = before.budgets().get(pod);
          if (budget != null) {
            budget.forEach(expected::give);
          } else {
            containers.values().forEach(list -> list.forEach(expected::give));
          }
        });
    MemoryCheck.compare(expected.accounts(), before.nodes())
        .ifPresent(fault -> {
          throw new InvalidInputException("memory assignments: " + fault);
        });
    books = expected;
    books.restore(before.nodes());
    before.blocks().forEach((pod, list) -> blocks.put(pod, new LinkedHashMap<>(list)));
    budgets.putAll(before.budgets());
  }
}
