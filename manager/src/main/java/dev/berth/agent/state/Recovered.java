package dev.berth.agent.state;

import dev.berth.ledger.Before;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryAssignments;
import dev.berth.workload.Pod;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was found in a state folder.
 *
 * @param pods in the order of their coming, refused and ended ones included
 * @param unknown by uid, what is with somebody of whom nothing else is known; it stays theirs until
 *     they are removed
 * @param found of these, those known by running containers of ours alone
 * @param bootId the kernel's id of the boot during which it was written, where that is known
 * @param policy the name of the CPU policy then, where that is known
 * @param options the names of that policy's options that were on, as far as known
 * @param memory the accounts of memory, where a file has them that agrees with the rest
 * @param why how this came about, one line; and one more for each file that was not as it should be
 */
public record Recovered(
    List<PodRecord> pods,
    SortedMap<String, Holding> unknown,
    Set<String> found,
    Optional<String> bootId,
    Optional<String> policy,
    Set<String> options,
    Optional<MemoryAssignments> memory,
    List<String> why) {
  /** Takes copies. */
  public Recovered {
    pods = List.copyOf(pods);
    unknown = Collections.unmodifiableSortedMap(new TreeMap<>(unknown));
    found = Set.copyOf(found);
    options = Set.copyOf(options);
    why = List.copyOf(why);
  }

  /** The same with these pods. */
  Recovered with(List<PodRecord> others) {
    return new Recovered(others, unknown, found, bootId, policy, options, memory, why);
  }

  /** What everybody has who has something, by uid. */
  public SortedMap<String, Holding> holdings() {
    SortedMap<String, Holding> all = new TreeMap<>(unknown);
    pods.stream()
        .filter(pod -> !pod.holding().isEmpty())
        .forEach(pod -> all.put(pod.uid(), pod.holding()));
    return all;
  }

  /** What there was, to go on from: those who are in, and what everybody has. */
  public Before before() {
    return new Before(holdings(), admitted(), memory, options);
  }

  /** The pods that are in, in the order of their coming. */
  public List<Pod> admitted() {
    return pods.stream().filter(PodRecord::isIn).map(PodRecord::pod).toList();
  }
}
