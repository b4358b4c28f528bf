package dev.berth.agent;

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
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Threads bound one by one, where there are no groups to be had.
 *
 * <p>A process can undo that for itself, and nothing but CPUs is kept in bounds; the notes say so.
 */
final class AffinityEnclosure implements Enclosure {
  private final String why;
  private final Map<GroupPath, ProcessId> first = new TreeMap<>();
  private final Map<GroupPath, CpuSet> bound = new HashMap<>();

  /**
   * Without groups.
   *
   * @param why there are none, in one line
   */
  AffinityEnclosure(String why) {
    this.why = why;
  }

  /** A new process is bound by its parent, so a set that has not changed needs no second look. */
  @Override
  public Changes apply(SortedMap<GroupPath, Settings> wanted) {
    return bind(wanted, false);
  }

  @Override
  public Changes reconcile(SortedMap<GroupPath, Settings> wanted) {
    return bind(wanted, true);
  }

  private Changes bind(SortedMap<GroupPath, Settings> wanted, boolean all) {
    int writes = 0;
    int repaired = 0;
    List<Failure> failures = new ArrayList<>();
    for (Map.Entry<GroupPath, ProcessId> entry : first.entrySet()) {
      GroupPath group = entry.getKey();
      Optional<CpuSet> cpus = Optional.ofNullable(wanted.get(group)).flatMap(Settings::cpus);
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
        failures.add(
            new Failure(group, "affinity", cpus.get().toString(), String.valueOf(e.getMessage())));
      }
    }
    return new Changes(0, writes, repaired, failures);
  }

  @Override
  public List<Path> joinFiles(GroupPath group) {
    return List.of();
  }

  @Override
  public Optional<CpuSet> affinity(CpuSet cpus) {
    return Optional.of(cpus);
  }

  @Override
  public void watch(GroupPath group, ProcessId process) {
    first.put(group, process);
  }

  @Override
  public boolean isPopulated(GroupPath group) {
    ProcessId process = first.get(group);
    return process != null && !ProcessTree.of(process).isEmpty();
  }

  @Override
  public void kill(GroupPath group) {
    ProcessId process = first.get(group);
    if (process == null) {
      return;
    }
    for (long pid : ProcessTree.of(process)) {
      end(pid);
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
