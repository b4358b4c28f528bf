package dev.berth.agent.found;

import dev.berth.cgroup.GroupPath;
import dev.berth.cpu.CpuSet;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A container that runs, as its cgroup shows it.
 *
 * @param uid of its pod
 * @param name of the container
 * @param group its cgroup
 * @param cpus where its processes may run; empty where no cpuset says so
 * @param partition whether its CPUs are scheduled apart
 * @param processes the processes in the cgroup and below it, at least one
 */
public record FoundContainer(
    String uid,
    String name,
    GroupPath group,
    CpuSet cpus,
    boolean partition,
    SortedSet<Long> processes) {
  /** Takes a copy. */
  public FoundContainer {
    processes = Collections.unmodifiableSortedSet(new TreeSet<>(processes));
  }
}
