package dev.berth.cgroup;

import dev.berth.cpu.CpuSet;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A group as the kernel has it.
 *
 * @param group its path
 * @param cpus where its processes may run; empty where no cpuset says so
 * @param partition whether its CPUs are scheduled apart
 * @param processes the processes that are in the group itself, in the tree that decides on CPUs
 */
public record GroupState(
    GroupPath group, CpuSet cpus, boolean partition, SortedSet<Long> processes) {
  /** Takes a copy. */
  public GroupState {
    processes = Collections.unmodifiableSortedSet(new TreeSet<>(processes));
  }
}
