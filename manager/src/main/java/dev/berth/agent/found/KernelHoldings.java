package dev.berth.agent.found;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Holding;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What pods and unknown holders keep when an agent starts, from their records and from the kernel.
 *
 * <p>A running container stays on the CPUs that it has, where these are those of its record or as
 * many as it is owed; its record may be older than its last move. Then unknown containers keep
 * theirs. What a record says of containers that do not run, or not on CPUs that they could have,
 * counts last: as far as these CPUs are free, they stay its own.
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
    private final Map<String, SortedMap<String, CpuSet>> running = new HashMap<>();
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
            UnknownContainers.judge(
                cpus, strange, pods::containsKey, CpuSet.EMPTY, CpuSet.EMPTY, CpuSet.EMPTY),
            notes);
      }
      known.forEach((uid, containers) -> containers.forEach(one -> keepAsRecorded(uid, one)));
      known.forEach((uid, containers) -> containers.forEach(one -> keepWhereItRuns(uid, one)));
      CpuSet recorded = taken;
      for (String uid : pods.keySet()) {
        recorded = recorded.union(recorded(uid).allCpus());
      }
      List<UnknownContainer> unknown =
          UnknownContainers.judge(cpus, strange, pods::containsKey, recorded, taken, placed());
      SortedMap<String, Holding> strangers = UnknownContainers.holdings(unknown);
      strangers.values().forEach(holding -> taken = taken.union(holding.allCpus()));
      Set<String> uids = new LinkedHashSet<>(pods.keySet());
      uids.addAll(written.keySet());
      uids.removeAll(strangers.keySet());
      uids.forEach(this::keepRest);
      strangers.forEach(
          (uid, holding) -> put(uid, Holding.of(holding, recorded(uid), recorded(uid))));
      return new KernelHoldings(holdings, unknown, notes);
    }

    /**
     * Where containers run that are owed exclusive CPUs, also on CPUs that they cannot keep. One
     * with the cpuset of a container that no record names may run on the shared pool with it.
     */
    private CpuSet placed() {
      CpuSet placed = taken;
      for (Map.Entry<String, List<FoundContainer>> entry : known.entrySet()) {
        Pod pod = Objects.requireNonNull(pods.get(entry.getKey()));
        for (FoundContainer one : entry.getValue()) {
          boolean confined =
              !cpus.all().isSubsetOf(one.cpus())
                  && strange.stream().noneMatch(other -> other.cpus().equals(one.cpus()));
          if (confined && owed(pod, one.name()) > 0) {
            placed = placed.union(one.cpus().difference(cpus.reserved()));
          }
        }
      }
      return placed;
    }

    private Holding recorded(String uid) {
      return written.getOrDefault(uid, Holding.NOTHING);
    }

    private static int owed(Pod pod, String name) {
      for (Container container : pod.containers()) {
        if (container.name().equals(name)) {
          return pod.exclusiveCpus(container);
        }
      }
      return 0;
    }

    private void claim(String uid, String container, CpuSet own) {
      running.computeIfAbsent(uid, _ -> new TreeMap<>()).put(container, own);
      taken = taken.union(own);
    }

    /** A container that runs on the CPUs of its record, or of its pod's budget. */
    private void keepAsRecorded(String uid, FoundContainer one) {
      Holding record = recorded(uid);
      CpuSet own = record.cpus().getOrDefault(one.name(), CpuSet.EMPTY);
      if (!own.isEmpty() && own.equals(one.cpus()) && !own.intersects(taken)) {
        claim(uid, one.name(), own);
      }
    }

    /** The record may be of a time before the container was moved. */
    private void keepWhereItRuns(String uid, FoundContainer one) {
      Pod pod = Objects.requireNonNull(pods.get(uid));
      Holding record = recorded(uid);
      CpuSet told = record.cpus().getOrDefault(one.name(), CpuSet.EMPTY);
      boolean single = pod.budget().isEmpty() && record.budget().isEmpty();
      if (single && !told.equals(one.cpus()) && isUsable(one.cpus(), owed(pod, one.name()))) {
        notes.add(
            "pod "
                + uid
                + ": container "
                + one.name()
                + " runs on CPUs "
                + one.cpus()
                + ", its record says "
                + (told.isEmpty() ? "none" : told)
                + ": it stays where it runs");
        claim(uid, one.name(), one.cpus());
      }
    }

    private boolean isUsable(CpuSet set, int owed) {
      return owed > 0
          && set.size() == owed
          && set.isSubsetOf(cpus.all().difference(cpus.reserved()))
          && !set.intersects(taken);
    }

    /**
     * What does not run keeps the CPUs of its record, as far as no container that runs has them.
     */
    private void keepRest(String uid) {
      Holding record = recorded(uid);
      SortedMap<String, CpuSet> own = new TreeMap<>(running.getOrDefault(uid, new TreeMap<>()));
      CpuSet mine = CpuSet.EMPTY;
      for (CpuSet set : own.values()) {
        mine = mine.union(set);
      }
      CpuSet others = taken.difference(mine);
      CpuSet wanted = record.allCpus();
      boolean moved =
          own.entrySet().stream()
              .anyMatch(
                  e -> !e.getValue().equals(record.cpus().getOrDefault(e.getKey(), CpuSet.EMPTY)));
      if (!moved && !wanted.intersects(others)) {
        taken = taken.union(wanted);
        put(uid, record);
        return;
      }
      SortedMap<String, CpuSet> kept = new TreeMap<>(own);
      if (record.budget().isEmpty()) {
        for (Map.Entry<String, CpuSet> entry : record.cpus().entrySet()) {
          // After a move the other containers are admitted anew: they may have shared these CPUs.
          if (!moved && !entry.getValue().intersects(others)) {
            kept.putIfAbsent(entry.getKey(), entry.getValue());
          }
        }
      }
      if (wanted.intersects(others)) {
        notes.add(
            "pod "
                + uid
                + ": its record says CPUs "
                + wanted
                + ", but a container that runs has "
                + wanted.intersection(others)
                + ": it is admitted anew");
      }
      kept.values().forEach(set -> taken = taken.union(set));
      put(uid, Holding.of(Holding.ofCpus(kept), record, record));
    }

    private void put(String uid, Holding holding) {
      if (!holding.isEmpty()) {
        holdings.put(uid, holding);
      }
    }
  }
}
