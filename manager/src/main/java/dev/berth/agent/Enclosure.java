package dev.berth.agent;

import dev.berth.agent.found.FoundGroups;
import dev.berth.cgroup.Changes;
import dev.berth.cgroup.GroupPath;
import dev.berth.cgroup.Settings;
import dev.berth.cpu.CpuSet;
import dev.berth.linux.ProcessId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What keeps containers in their places: groups of the kernel, or less where there are none. */
interface Enclosure {
  /** Brings all groups to what is wanted, as far as they are not known to be so. */
  Changes apply(SortedMap<GroupPath, Settings> wanted);

  /** The same, but looks at everything first and repairs what others changed. */
  Changes reconcile(SortedMap<GroupPath, Settings> wanted);

  /** The files by which a process joins a group; none where there are no groups. */
  List<Path> joinFiles(GroupPath group);

  /** The CPUs to which a process is bound at its start; none where groups do that. */
  Optional<CpuSet> affinity(CpuSet cpus);

  /** From now on, this is the first process of a group. */
  void watch(GroupPath group, ProcessId process);

  /**
   * The same for one that does not join its group any more: it is in it, or was started by an agent
   * that had no groups, and is put into it with all that it started.
   */
  void hold(GroupPath group, ProcessId process);

  /**
   * Puts the processes of all groups into those trees of the kernel that they are not in, which
   * were not used before.
   */
  void gather();

  /** Moves all processes of a group to another one, which is there. */
  void move(GroupPath from, GroupPath to);

  /** Whether an agent before this one has made our own group a partition. */
  boolean isPartitioned();

  /** Whether any process is left in a group. */
  boolean isPopulated(GroupPath group);

  /** Kills every process in a group. */
  void kill(GroupPath group);

  /** Removes a group and all below it; nothing where there is none. */
  void remove(GroupPath group);

  /**
   * The containers that run, as the kernel has them now.
   *
   * @throws IOException where that cannot be read
   */
  FoundGroups survey() throws IOException;

  /**
   * The CPUs of every group of ours that has a cpuset, from the top down.
   *
   * @throws IOException where that cannot be read
   */
  SortedMap<GroupPath, CpuSet> cpusets() throws IOException;

  /** Where the processes of a group may run, as the kernel has it; none where it is not there. */
  Optional<CpuSet> cpus(GroupPath group);

  /** Puts a process into a group, in every tree; false where it has ended meanwhile. */
  boolean putBack(GroupPath group, ProcessId process) throws IOException;

  /** Whether a process is in a group or below it now. */
  boolean isIn(GroupPath group, ProcessId process);

  /** The groups that there are. */
  List<GroupPath> groups();

  /** Whether limits of hugepages hold here. */
  boolean limitsHugepages();

  /** What a person should know at the start, a line each. */
  List<String> notes();

  /** What everybody should know who counts on exclusive CPUs; empty where they can. */
  String caution();

  /** Whether the agent must be in its own group before any other can be made. */
  boolean mustEnterFirst();

  /** Moves the agent itself to where it may be: its own group, on its own CPUs. */
  void enter(GroupPath group, CpuSet cpus) throws IOException;

  /**
   * The agent ends.
   *
   * @param everything whether nothing of ours is to be left, since nobody is in it
   */
  void leave(boolean everything);
}
