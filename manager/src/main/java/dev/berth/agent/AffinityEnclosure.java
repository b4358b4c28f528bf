package dev.berth.agent;

import dev.berth.agent.found.FoundContainer;
import dev.berth.agent.found.FoundGroups;
import dev.berth.cgroup.Changes;
import dev.berth.cgroup.Failure;
import dev.berth.cgroup.GroupPath;
import dev.berth.cgroup.Settings;
import dev.berth.cpu.CpuSet;
import dev.berth.linux.Affinity;
import dev.berth.linux.Posix;
import dev.berth.linux.ProcessId;
import dev.berth.linux.ProcessTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads bound one by one, where there are no groups to be had.
 *
 * <p>A process can undo that for itself, and nothing but CPUs is kept in bounds; the notes say so.
 */
final class AffinityEnclosure implements Enclosure {
  /** Whoever is killed is gone soon, or not for a long time. */
  private static final int KILL_PASSES = 100;

  private static final long PAUSE = 1_000_000;

  private final String why;
  private final Map<GroupPath, ProcessId> first = new TreeMap<>();
  private final Map<GroupPath, CpuSet> bound = new HashMap<>();
  private SortedMap<GroupPath, Settings> wanted = new TreeMap<>();

  /**
   * Without groups.
   *
   * @param why there are none, in one line
   */
  AffinityEnclosure(String why) {
    this.why = why;
  }

  @Override
  public Changes apply(SortedMap<GroupPath, Settings> groups) {
    wanted = groups;
    return bind(false);
  }

  @Override
  public Changes reconcile(SortedMap<GroupPath, Settings> groups) {
    wanted = groups;
    return bind(true);
  }

  /** A new process is bound by its parent, so a set that has not changed needs no second look. */
  private Changes bind(boolean all) {
    int writes = 0;
    int repaired = 0;
    CpuSet kept = CpuSet.EMPTY;
    List<Failure> failures = new ArrayList<>();
    for (Map.Entry<GroupPath, ProcessId> entry : first.entrySet()) {
      GroupPath group = entry.getKey();
      Optional<CpuSet> cpus = wantedCpus(group);
      boolean known = cpus.equals(Optional.ofNullable(bound.get(group)));
      if (cpus.isEmpty() || (known && !all)) {
        continue;
      }
      try {
        int changed = Affinity.apply(entry.getValue(), cpus.get());
        bound.put(group, cpus.get());
        writes += changed;
        repaired += known ? changed : 0;
      } catch (IOException e) {
        failures.add(failure(group, cpus.get(), String.valueOf(e.getMessage())));
        kept = kept.union(bound.getOrDefault(group, cpus.get()).difference(cpus.get()));
      }
    }
    failures.addAll(waiting(kept));
    return new Changes(0, writes, repaired, failures);
  }

  private static Failure failure(GroupPath group, CpuSet cpus, String words) {
    return new Failure(group, "affinity", cpus.toString(), words);
  }

  /** Those containers that were to have CPUs which others still sit on. */
  private List<Failure> waiting(CpuSet kept) {
    List<Failure> waiting = new ArrayList<>();
    wanted.forEach((group, settings) -> {
      CpuSet cpus = settings.cpus().orElse(CpuSet.EMPTY);
      if (Seating.isContainer(group) && cpus.intersects(kept)) {
        String taken = cpus.intersection(kept).toString();
        waiting.add(
            failure(group, cpus, "CPUs " + taken + " could not be taken from others first"));
      }
    });
    return waiting;
  }

  private Optional<CpuSet> wantedCpus(GroupPath group) {
    return Optional.ofNullable(wanted.get(group)).flatMap(Settings::cpus);
  }

  @Override
  public List<Path> joinFiles(GroupPath group) {
    return List.of();
  }

  @Override
  public Optional<CpuSet> affinity(CpuSet cpus) {
    return Optional.of(cpus);
  }

  /**
   * It was started on what was its own a moment ago, and that may have changed before it was seen.
   */
  @Override
  public void watch(GroupPath group, ProcessId process) {
    if (process.equals(first.put(group, process))) {
      return;
    }
    bound.remove(group);
    Optional<CpuSet> cpus = wantedCpus(group);
    if (cpus.isPresent()) {
      try {
        Affinity.apply(process, cpus.get());
        bound.put(group, cpus.get());
      } catch (IOException e) {
        // Not known to be bound, it is tried again with the next change, which tells what failed.
        return;
      }
    }
  }

  @Override
  public void hold(GroupPath group, ProcessId process) {
    watch(group, process);
  }

  /** Without groups the first process of a container is all that is known of it. */
  @Override
  public FoundGroups survey() {
    List<FoundContainer> containers = new ArrayList<>();
    first.forEach((group, process) -> {
      Optional<CpuSet> now = Affinity.of(process);
      if (now.isPresent() && Seating.isContainer(group)) {
        containers.add(
            new FoundContainer(
                Seating.podOf(group),
                group.segments().getLast(),
                group,
                now.get(),
                false,
                new TreeSet<>(Set.of(process.pid()))));
      }
    });
    return new FoundGroups(containers, new TreeMap<>());
  }

  @Override
  public SortedMap<GroupPath, CpuSet> cpusets() {
    return new TreeMap<>();
  }

  @Override
  public Optional<CpuSet> cpus(GroupPath group) {
    return Optional.ofNullable(first.get(group)).flatMap(Affinity::of);
  }

  @Override
  public boolean putBack(GroupPath group, ProcessId process) {
    return false;
  }

  /** What a container started is its own wherever it is: there is no group to leave. */
  @Override
  public boolean isIn(GroupPath group, ProcessId process) {
    return true;
  }

  @Override
  public void gather() {
    // There is nothing to be put into.
  }

  @Override
  public void move(GroupPath from, GroupPath to) {
    // A process is where its first one is.
  }

  @Override
  public boolean isPartitioned() {
    return false;
  }

  @Override
  public boolean isPopulated(GroupPath group) {
    ProcessId process = first.get(group);
    return process != null && !ProcessTree.of(process).isEmpty();
  }

  /** Goes over them until none is left, since one may start another before its turn comes. */
  @Override
  public void kill(GroupPath group) {
    ProcessId process = first.get(group);
    if (process == null) {
      return;
    }
    for (int pass = 0; pass < KILL_PASSES; pass++) {
      Set<Long> left = ProcessTree.of(process);
      if (left.isEmpty()) {
        return;
      }
      left.forEach(AffinityEnclosure::end);
      LockSupport.parkNanos(PAUSE);
    }
  }

  private static void end(long pid) {
    try {
      Posix.kill(pid, Posix.SIGKILL);
    } catch (IOException e) {
      // It has ended by itself, or is seen in the next look at what is left.
      return;
    }
  }

  @Override
  public void remove(GroupPath group) {
    first.keySet().removeIf(path -> path.equals(group) || path.isBelow(group));
    bound.keySet().removeIf(path -> path.equals(group) || path.isBelow(group));
  }

  @Override
  public List<GroupPath> groups() {
    return List.copyOf(first.keySet());
  }

  @Override
  public boolean limitsHugepages() {
    return false;
  }

  @Override
  public List<String> notes() {
    return List.of(why, caution());
  }

  @Override
  public String caution() {
    return "processes are bound with sched_setaffinity: one can undo that for itself, others may"
        + " use its CPUs, and limits of CPU time, memory and hugepages do not hold";
  }

  @Override
  public boolean mustEnterFirst() {
    return false;
  }

  @Override
  public void enter(GroupPath group, CpuSet cpus) throws IOException {
    Optional<ProcessId> self = ProcessId.of(ProcessHandle.current().pid());
    if (self.isPresent()) {
      Affinity.apply(self.get(), cpus);
    }
  }

  @Override
  public void leave(boolean everything) {
    // There is nothing to leave.
  }
}
