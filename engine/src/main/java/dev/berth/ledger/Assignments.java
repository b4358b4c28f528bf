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
 * @param exclusive by pod and container, the CPUs that are theirs alone
 */
public record Assignments(
    CpuPolicy policy, CpuSet shared, SortedMap<String, SortedMap<String, CpuSet>> exclusive) {
  /** Takes an unmodifiable copy. */
  public Assignments {
    SortedMap<String, SortedMap<String, CpuSet>> copy = new TreeMap<>();
    exclusive.forEach((pod, containers) ->
        copy.put(pod, Collections.unmodifiableSortedMap(new TreeMap<>(containers))));
    exclusive = Collections.unmodifiableSortedMap(copy);
  }

  /** From any maps. */
  public static Assignments of(
      CpuPolicy policy, CpuSet shared, Map<String, ? extends Map<String, CpuSet>> exclusive) {
    SortedMap<String, SortedMap<String, CpuSet>> sorted = new TreeMap<>();
    exclusive.forEach((pod, containers) -> sorted.put(pod, new TreeMap<>(containers)));
    return new Assignments(policy, shared, sorted);
  }

  /** All CPUs of a pod's containers together. */
  public CpuSet of(String pod) {
    CpuSet all = CpuSet.EMPTY;
    for (CpuSet cpus : exclusive.getOrDefault(pod, Collections.emptySortedMap()).values()) {
      all = all.union(cpus);
    }
    return all;
  }
}
