package dev.berth.agent.found;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Holding;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What pods and unknown holders keep when an agent starts, from their records and from the kernel.
 *
 * <p>A running container stays on the CPUs that it has, where these are as many as it is owed; its
 * record may be older than its last move. Then unknown containers keep theirs. A record of a pod
 * that does not run counts last: as far as its CPUs are free, they stay its own.
 *
 * @param holdings by uid, with no CPU twice
 * @param unknown the containers that no record names
 * @param notes a line for each record that the kernel contradicts
 */
public record KernelHoldings(
    SortedMap<String, Holding> holdings, List<UnknownContainer> unknown, List<String> notes) {
  /** Takes copies. */
  public KernelHoldings {
    holdings = Collections.unmodifiableSortedMap(new TreeMap<>(holdings));
    unknown = List.copyOf(unknown);
    notes = List.copyOf(notes);
  }

  /**
   * Brings records and kernel together.
   *
   * @param written by uid, what records say
   * @param pods those that are admitted, in the order of their admission
   * @param found every container that runs
   * @param cpus of the node
   */
  public static KernelHoldings of(
      SortedMap<String, Holding> written,
      List<Pod> pods,
      List<FoundContainer> found,
      NodeCpus cpus) {
    return new Joining(written, pods, found, cpus).join();
  }

  /** One such joining. */
  private static final class Joining {
    private final SortedMap<String, Holding> written;
    private final Map<String, Pod> pods = new LinkedHashMap<>();
    private final NodeCpus cpus;
    private final Map<String, List<FoundContainer>> known = new LinkedHashMap<>();
    private final List<FoundContainer> strange = new ArrayList<>();
    private final SortedMap<String, Holding> holdings = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private CpuSet taken = CpuSet.EMPTY;

    Joining(
        SortedMap<String, Holding> written,
        List<Pod> admitted,
        List<FoundContainer> found,
        NodeCpus cpus) {
      this.written = written;
      this.cpus = cpus;
      admitted.forEach(pod -> pods.put(pod.uid(), pod));
      for (FoundContainer one : found) {
        Pod pod = pods.get(one.uid());
        if (pod != null && pod.containers().stream().anyMatch(c -> c.name().equals(one.name()))) {
          known.computeIfAbsent(one.uid(), _ -> new ArrayList<>()).add(one);
        } else {
          strange.add(one);
        }
      }
    }

    KernelHoldings join() {
      if (!cpus.managed()) {
        return new KernelHoldings(
            written,
            UnknownContainers.judge(cpus, strange, pods::containsKey, CpuSet.EMPTY, CpuSet.EMPTY),
            notes);
      }
      List<Pod> running =
          pods.values().stream().filter(pod -> known.containsKey(pod.uid())).toList();
      Map<Boolean, List<Pod>> agreeing =
          running.stream().collect(Collectors.partitioningBy(this::agrees));
      agreeing.getOrDefault(true, List.of()).forEach(pod -> keep(pod.uid(), recorded(pod.uid())));
      agreeing.getOrDefault(false, List.of()).forEach(this::keepWhereItRuns);
      CpuSet recorded = CpuSet.EMPTY;
      for (String uid : pods.keySet()) {
        recorded = recorded.union(recorded(uid).allCpus());
      }
      List<UnknownContainer> unknown =
          UnknownContainers.judge(cpus, strange, pods::containsKey, recorded.union(taken), taken);
      UnknownContainers.holdings(unknown).forEach(this::keepUnknown);
      written.forEach(this::keepRest);
      return new KernelHoldings(holdings, unknown, notes);
    }

    private Holding recorded(String uid) {
      return written.getOrDefault(uid, Holding.NOTHING);
    }

    /** Whether every container of a pod that runs is where its record says. */
    private boolean agrees(Pod pod) {
      Holding holding = recorded(pod.uid());
      return known.getOrDefault(pod.uid(), List.of()).stream()
          .allMatch(one -> {
            CpuSet own = holding.cpus().getOrDefault(one.name(), CpuSet.EMPTY);
            return own.isEmpty() ? owed(pod, one.name()) == 0 : own.equals(one.cpus());
          });
    }

    private static int owed(Pod pod, String name) {
      for (Container container : pod.containers()) {
        if (container.name().equals(name)) {
          return pod.exclusiveCpus(container);
        }
      }
      return 0;
    }

    private void keep(String uid, Holding holding) {
      if (holding.allCpus().intersects(taken)) {
        drop(uid, holding);
        return;
      }
      taken = taken.union(holding.allCpus());
      put(uid, holding);
    }

    private void put(String uid, Holding holding) {
      if (!holding.isEmpty()) {
        holdings.put(uid, holding);
      }
    }

    /** Memory and devices stay; for CPUs it is admitted anew. */
    private void drop(String uid, Holding holding) {
      CpuSet both = holding.allCpus().intersection(taken);
      notes.add(
          "pod "
              + uid
              + ": its record says CPUs "
              + holding.allCpus()
              + ", but a container that"
              + " runs has "
              + both
              + ": it is admitted anew");
      put(uid, Holding.of(Holding.NOTHING, holding, holding));
    }

    /** The record may be of a time before the container was moved. */
    private void keepWhereItRuns(Pod pod) {
      Holding record = recorded(pod.uid());
      SortedMap<String, CpuSet> own = new TreeMap<>();
      CpuSet all = CpuSet.EMPTY;
      boolean usable = pod.budget().isEmpty() && record.budget().isEmpty();
      for (FoundContainer one : known.getOrDefault(pod.uid(), List.of())) {
        int owed = owed(pod, one.name());
        if (owed > 0) {
          usable &= isUsable(one.cpus(), owed) && !one.cpus().intersects(all);
          all = all.union(one.cpus());
          own.put(one.name(), one.cpus());
        }
      }
      if (!usable || own.isEmpty()) {
        keep(pod.uid(), record);
        return;
      }
      notes.add(
          "pod "
              + pod.uid()
              + ": it runs on CPUs "
              + all
              + ", its record says "
              + (record.allCpus().isEmpty() ? "none" : record.allCpus())
              + ": it stays where it runs");
      Holding kept = Holding.ofCpus(own);
      keep(pod.uid(), Holding.of(kept, record, record));
    }

    private boolean isUsable(CpuSet set, int owed) {
      return set.size() == owed
          && set.isSubsetOf(cpus.all().difference(cpus.reserved()))
          && !set.intersects(taken);
    }

    private void keepUnknown(String uid, Holding holding) {
      taken = taken.union(holding.allCpus());
      put(uid, holding);
    }

    /** Whatever does not run, and memory and devices of unknown holders. */
    private void keepRest(String uid, Holding holding) {
      if (known.containsKey(uid)) {
        return;
      }
      Holding found = holdings.get(uid);
      if (found == null) {
        keep(uid, holding);
      } else {
        put(uid, Holding.of(found, holding, holding));
      }
    }
  }
}
