package dev.berth.agent;

import dev.berth.agent.found.FoundGroups;
import dev.berth.cgroup.Cgroups;
import dev.berth.cgroup.Changes;
import dev.berth.cgroup.Controller;
import dev.berth.cgroup.GroupPath;
import dev.berth.cgroup.Settings;
import dev.berth.cpu.CpuSet;
import dev.berth.linux.Affinity;
import dev.berth.linux.ProcessId;
import dev.berth.linux.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/** Groups of the kernel. */
final class GroupEnclosure implements Enclosure {
  private final Cgroups cgroups;
  private final Consumer<String> failed;

  /** Those that were looked for in their group once; afterwards the kernel keeps them there. */
  private final Map<GroupPath, ProcessId> held = new HashMap<>();

  /**
   * With these groups.
   *
   * @param failed told about a group that could not be emptied or removed
   */
  GroupEnclosure(Cgroups cgroups, Consumer<String> failed) {
    this.cgroups = cgroups;
    this.failed = failed;
  }

  @Override
  public Changes apply(SortedMap<GroupPath, Settings> wanted) {
    return cgroups.apply(wanted);
  }

  @Override
  public Changes reconcile(SortedMap<GroupPath, Settings> wanted) {
    return cgroups.reconcile(wanted);
  }

  @Override
  public List<Path> joinFiles(GroupPath group) {
    return cgroups.joinFiles(group);
  }

  @Override
  public Optional<CpuSet> affinity(CpuSet cpus) {
    return Optional.empty();
  }

  @Override
  public void watch(GroupPath group, ProcessId process) {
    // The kernel knows who is in a group.
  }

  @Override
  public void hold(GroupPath group, ProcessId process) {
    if (process.equals(held.put(group, process))
        || cgroups.processes(group).contains(process.pid())) {
      return;
    }
    List<Path> files = cgroups.joinFiles(group);
    // Where nothing is enforced there is no group to be put into.
    if (!files.isEmpty()) {
      ProcessTree.of(process).stream()
          .flatMap(pid -> ProcessId.of(pid).stream())
          .forEach(member -> take(member, files));
    }
  }

  /** The mask by which it was bound before would hold beside its group. */
  private void take(ProcessId process, List<Path> files) {
    try {
      for (Path file : files) {
        Files.writeString(file, String.valueOf(process.pid()));
      }
      Affinity.widen(process);
    } catch (IOException e) {
      if (process.isAlive()) {
        failed.accept("process " + process.pid() + " stays out of its group: " + e.getMessage());
      }
    }
  }

  @Override
  public FoundGroups survey() throws IOException {
    return FoundGroups.of(cgroups.survey(), Seating.AGENT);
  }

  @Override
  public SortedMap<GroupPath, CpuSet> cpusets() throws IOException {
    return cgroups.cpusets();
  }

  @Override
  public Optional<CpuSet> cpus(GroupPath group) {
    return cgroups.cpus(group);
  }

  @Override
  public boolean putBack(GroupPath group, ProcessId process) throws IOException {
    try {
      for (Path file : cgroups.joinFiles(group)) {
        Files.writeString(file, String.valueOf(process.pid()));
      }
      return true;
    } catch (IOException e) {
      if (process.isAlive()) {
        throw e;
      }
      return false;
    }
  }

  @Override
  public boolean isIn(GroupPath group, ProcessId process) {
    return cgroups.placed(group).contains(process.pid());
  }

  @Override
  public void gather() {
    cgroups.gather(GroupPath.OWN).ifPresent(failure -> failed.accept(failure.toString()));
  }

  @Override
  public void move(GroupPath from, GroupPath to) {
    for (long process : cgroups.processes(from)) {
      for (Path file : cgroups.joinFiles(to)) {
        try {
          Files.writeString(file, String.valueOf(process));
        } catch (IOException e) {
          failed.accept("process " + process + " stays in " + from + ": " + e.getMessage());
        }
      }
    }
  }

  @Override
  public boolean isPartitioned() {
    return !cgroups.partitioned().isEmpty();
  }

  @Override
  public boolean isPopulated(GroupPath group) {
    return cgroups.populated(group);
  }

  @Override
  public void kill(GroupPath group) {
    cgroups.kill(group).ifPresent(failure -> failed.accept(failure.toString()));
  }

  @Override
  public void remove(GroupPath group) {
    held.keySet().removeIf(path -> path.equals(group) || path.isBelow(group));
    cgroups.remove(group).ifPresent(failure -> failed.accept(failure.toString()));
  }

  @Override
  public List<GroupPath> groups() {
    return List.copyOf(cgroups.groups());
  }

  @Override
  public boolean limitsHugepages() {
    return cgroups.controllers().contains(Controller.HUGETLB);
  }

  @Override
  public List<String> notes() {
    return cgroups.notes();
  }

  @Override
  public String caution() {
    return "";
  }

  @Override
  public boolean mustEnterFirst() {
    return cgroups.mustEnter();
  }

  @Override
  public void enter(GroupPath group, CpuSet cpus) throws IOException {
    cgroups.enter(group);
  }

  @Override
  public void leave(boolean everything) {
    try {
      cgroups.leave();
    } catch (IOException e) {
      // Where the kernel does not let it go back, its group goes with its process.
      failed.accept("the agent stays in its group: " + e.getMessage());
      return;
    }
    if (everything) {
      remove(GroupPath.OWN);
    }
  }
}
