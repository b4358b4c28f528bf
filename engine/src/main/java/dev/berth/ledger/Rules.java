package dev.berth.ledger;

import dev.berth.cpu.CpuSet;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules that hold at every moment, in the one place where they are checked.
 *
 * <p>No CPU is with two pods, nor with two containers of one pod that can run at once, nor both in
 * the shared pool and with a container; none is lost, none is foreign, and no reserved one is given
 * away.
 */
public final class Rules {
  private final CpuSet all;
  private final CpuSet reserved;
  private final boolean strict;

  /**
   * The rules for a machine and its reservation.
   *
   * @param all the machine's usable CPUs
   * @param reserved those kept back
   * @param strict whether reserved CPUs are kept out of the shared pool too
   */
  public Rules(CpuSet all, CpuSet reserved, boolean strict) {
    this.all = all;
    this.reserved = reserved;
    this.strict = strict;
  }

  /**
   * What is broken, a line each; empty where all is well.
   *
   * @param running the pods whose containers' order is known; others are checked as a whole
   */
  public List<String> broken(Assignments assignments, Collection<Pod> running) {
    List<String> broken = new ArrayList<>();
    CpuSet owned = CpuSet.EMPTY;
    Set<String> pods = new TreeSet<>(assignments.exclusive().keySet());
    pods.addAll(assignments.budgets().keySet());
    for (String pod : pods) {
      CpuSet cpus = assignments.of(pod);
      report(broken, cpus.intersection(owned), "pod " + pod + " has CPUs of another pod");
      report(broken, cpus.intersection(assignments.shared()), "pod " + pod + " has shared CPUs");
      report(broken, cpus.intersection(reserved), "pod " + pod + " has reserved CPUs");
      owned = owned.union(cpus);
    }
    CpuSet expected = strict ? all.difference(reserved) : all;
    CpuSet known = assignments.shared().union(owned);
    report(broken, expected.difference(known), "lost: in no pool and with no pod");
    report(broken, known.difference(expected), "foreign: not this machine's to give");
    assignments
        .budgets()
        .forEach((pod, budget) ->
            report(
                broken,
                assignments.of(pod).difference(budget),
                "pod " + pod + " has CPUs beyond its budget"));
    for (Pod pod : running) {
      if (assignments.budgets().containsKey(pod.uid())) {
        continue; // its containers that share do so with each other, within the budget
      }
      together(
          broken,
          pod,
          assignments.exclusive().getOrDefault(pod.uid(), Collections.emptySortedMap()));
    }
    return broken;
  }

  /**
   * An app or sidecar runs beside everything that starts after it; an init container is over then.
   */
  private static void together(List<String> broken, Pod pod, Map<String, CpuSet> assigned) {
    CpuSet lasting = CpuSet.EMPTY;
    for (Container container : pod.containers()) {
      CpuSet cpus = assigned.getOrDefault(container.name(), CpuSet.EMPTY);
      report(
          broken,
          cpus.intersection(lasting),
          "container "
              + container.name()
              + " of pod "
              + pod.uid()
              + " has CPUs of one that runs beside it");
      if (container.role() != Container.Role.INIT) {
        lasting = lasting.union(cpus);
      }
    }
  }

  private static void report(List<String> broken, CpuSet cpus, String what) {
    if (!cpus.isEmpty()) {
      broken.add(what + ": " + cpus);
    }
  }
}
