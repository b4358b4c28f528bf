package dev.berth.ledger;

import dev.berth.workload.Pod;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What there was on a node that is to go on under other rules or on another machine.
 *
 * @param holdings by uid, who has what; who is not among the pods is kept, but never moved
 * @param pods who is there, in the order of their admission, those without anything included
 * @param memory the accounts of memory, where they are known
 * @param options the names of the static policy's options that were on, as far as known: what was
 *     given while one was on is not measured by it again
 */
public record Before(
    SortedMap<String, Holding> holdings,
    List<Pod> pods,
    Optional<MemoryAssignments> memory,
    Set<String> options) {
  /** Takes copies, and refuses a pod that comes twice. */
  public Before {
    holdings = Collections.unmodifiableSortedMap(new TreeMap<>(holdings));
    pods = List.copyOf(pods);
    options = Set.copyOf(options);
    Set<String> uids = new HashSet<>();
    for (Pod pod : pods) {
      if (!uids.add(pod.uid())) {
        throw new IllegalArgumentException("pod " + pod.uid() + " comes twice");
      }
    }
  }

  /** What there is on a node now, with these pods. */
  public static Before of(Node node, List<Pod> pods) {
    return new Before(
        Holding.all(node), pods, node.memoryAssignments(), node.configuration().optionsOn());
  }

  Holding holding(String uid) {
    return holdings.getOrDefault(uid, Holding.NOTHING);
  }

  /** All who are there, by uid: the pods in their order, then others who have something. */
  Map<String, Optional<Pod>> everybody() {
    Map<String, Optional<Pod>> all = new LinkedHashMap<>();
    pods.forEach(pod -> all.put(pod.uid(), Optional.of(pod)));
    holdings.keySet().forEach(uid -> all.putIfAbsent(uid, Optional.empty()));
    return all;
  }
}
