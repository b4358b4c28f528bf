package dev.berth.ledger;

import dev.berth.allocation.Chooser;
import dev.berth.allocation.Trace;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.hints.Draft;
import dev.berth.hints.HintProvider;
import dev.berth.hints.Nodes;
import dev.berth.workload.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Who has which CPUs under the static policy. */
final class CpuLedger implements HintProvider {
  private final StaticPolicy policy;
  private final Chooser chooser;
  private final CpuOffers offers;
  private final StrictCaches strict;
  private final boolean placesBudgets;
  private final Map<String, Map<String, CpuSet>> exclusive = new HashMap<>();
  private final Map<String, CpuSet> budgets = new HashMap<>();
  private CpuSet shared;

  CpuLedger(StaticPolicy policy, Nodes nodes, boolean placesBudgets) {
    this.policy = policy;
    this.placesBudgets = placesBudgets;
    chooser = policy.chooser();
    offers = new CpuOffers(policy.machine, nodes, policy.alignBySocket);
    strict = new StrictCaches(policy, nodes);
    shared = policy.wholePool();
  }

  /** The same at this moment, with a chooser of its own. */
  CpuLedger copy() {
    return new CpuLedger(this);
  }

  private CpuLedger(CpuLedger other) {
    policy = other.policy;
    placesBudgets = other.placesBudgets;
    chooser = policy.chooser();
    offers = other.offers;
    strict = other.strict;
    exclusive.putAll(other.exclusive);
    budgets.putAll(other.budgets);
    shared = other.shared;
  }

  /** Takes over what another left, if it keeps the rules. */
  void restore(Assignments before) {
    if (before.shared().isEmpty() && before.exclusive().isEmpty() && before.budgets().isEmpty()) {
      return;
    }
    List<String> broken = policy.rules().broken(before, List.of());
    if (!broken.isEmpty()) {
      throw new InvalidInputException(
          "assignments: expected all rules to hold, found " + broken.getFirst());
    }
    shared = before.shared();
    exclusive.putAll(before.exclusive());
    budgets.putAll(before.budgets());
  }

  /** Keeps with somebody what was checked to be free. */
  void keep(String uid, Holding held) {
    shared = shared.difference(held.allCpus());
    if (!held.cpus().isEmpty()) {
      exclusive.put(uid, held.cpus());
    }
    if (!held.budget().isEmpty()) {
      budgets.put(uid, held.budget());
    }
  }

  StaticPolicy policy() {
    return policy;
  }

  CpuOffers offers() {
    return offers;
  }

  StrictCaches strict() {
    return strict;
  }

  CpuSet shared() {
    return shared;
  }

  /** The CPUs of a pod's containers. */
  Map<String, CpuSet> of(String pod) {
    return exclusive.getOrDefault(pod, Map.of());
  }

  /** The CPUs of a pod's own budget; empty where it has none. */
  CpuSet budgetOf(String pod) {
    return budgets.getOrDefault(pod, CpuSet.EMPTY);
  }

  /** Whether a pod's own budget is placed as a whole, as pod scope does. */
  boolean placesBudgets() {
    return placesBudgets;
  }

  boolean hasBudget(String pod) {
    return budgets.containsKey(pod);
  }

  Assignments assignments() {
    return Assignments.of(CpuPolicy.STATIC, shared, exclusive, budgets);
  }

  /** The assignments of this moment, to be written out if somebody asks. */
  Supplier<Assignments> frozen() {
    CpuSet sharedThen = shared;
    Map<String, Map<String, CpuSet>> exclusiveThen = new HashMap<>(exclusive);
    Map<String, CpuSet> budgetsThen = new HashMap<>(budgets);
    return () -> Assignments.of(CpuPolicy.STATIC, sharedThen, exclusiveThen, budgetsThen);
  }

  @Override
  public Draft begin(Pod pod, Trace trace) {
    return new CpuDraft(this, chooser, pod, of(pod.uid()), shared, trace);
  }

  /** Takes over the outcome of an admission. */
  void take(String pod, CpuSet sharedNow, Map<String, CpuSet> granted, CpuSet budget) {
    shared = sharedNow;
    if (!granted.isEmpty()) {
      exclusive.put(pod, Readmitted.of(of(pod), granted));
    }
    if (!budget.isEmpty()) {
      budgets.put(pod, budget);
    }
  }

  @Override
  public void remove(String uid) {
    Map<String, CpuSet> held = exclusive.remove(uid);
    CpuSet budget = budgets.remove(uid);
    if (budget != null) {
      shared = shared.union(budget);
    }
    if (held != null) {
      for (CpuSet cpus : held.values()) {
        shared = shared.union(cpus);
      }
    }
  }
}
