package dev.berth.ledger;

import dev.berth.cpu.CpuSet;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who has which CPUs at one moment: what a checkpoint holds.
 *
 * @param policy the policy that made it
 * @param shared the shared pool; empty under policy none
 * @param exclusive by pod and container, the CPUs that are theirs alone; for a pod with a budget of
 *     its own also, for a container that shares, the part that it shares
 * @param budgets by pod, the CPUs of its budget, where it has one
 */
public record Assignments(
    CpuPolicy policy,
    CpuSet shared,
    SortedMap<String, SortedMap<String, CpuSet>> exclusive,
    SortedMap<String, CpuSet> budgets) {
  /** Takes an unmodifiable copy. */
  public Assignments {
    SortedMap<String, SortedMap<String, CpuSet>> copy = new TreeMap<>();
    exclusive.forEach((pod, containers) ->
        copy.put(pod, Collections.unmodifiableSortedMap(new TreeMap<>(containers))));
    exclusive = Collections.unmodifiableSortedMap(copy);
    budgets = Collections.unmodifiableSortedMap(new TreeMap<>(budgets));
  }

  /** From any maps, without budgets. */
  public static Assignments of(
      CpuPolicy policy, CpuSet shared, Map<String, ? extends Map<String, CpuSet>> exclusive) {
    return of(policy, shared, exclusive, Map.of());
  }

  /** From any maps. */
  public static Assignments of(
      CpuPolicy policy,
      CpuSet shared,
      Map<String, ? extends Map<String, CpuSet>> exclusive,
      Map<String, CpuSet> budgets) {
    SortedMap<String, SortedMap<String, CpuSet>> sorted = new TreeMap<>();
    // The constructor copies, so what is sorted already is handed on as it is.
    exclusive.forEach((pod, containers) ->
        sorted.put(
            pod,
            containers instanceof SortedMap<String, CpuSet> inOrder
                ? inOrder
                : new TreeMap<>(containers)));
    return new Assignments(policy, shared, sorted, new TreeMap<>(budgets));
  }

  /** All CPUs that a pod has: its budget, and those of its containers. */
  public CpuSet of(String pod) {
    CpuSet all = budgets.getOrDefault(pod, CpuSet.EMPTY);
    for (CpuSet cpus : exclusive.getOrDefault(pod, Collections.emptySortedMap()).values()) {
      all = all.union(cpus);
    }
    return all;
  }
}
