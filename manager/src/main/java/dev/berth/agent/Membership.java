package dev.berth.agent;

import dev.berth.cgroup.GroupPath;
import dev.berth.linux.ProcessId;
import dev.berth.linux.ProcessTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares the processes in the cgroup of a container with its own. On the loop only.
 *
 * <p>A process belongs to a container if it descends from the container's first process, is of its
 * session, was in the cgroup before as one of the container's, or carries the container's
 * environment. The last two hold for a daemon too, whose parent has ended.
 */
final class Membership {
  private static final String POD = "BERTH_POD";
  static final Comparator<ProcessId> ORDER =
      Comparator.comparingLong(ProcessId::pid).thenComparingLong(ProcessId::startTicks);

  /**
   * A container that runs.
   *
   * @param pod its pod's name
   * @param group its cgroup
   * @param first its first process
   * @param session whether its session is its own; that of a command is its terminal's
   */
  record Member(String pod, GroupPath group, ProcessId first, boolean session) {}

  /**
   * What differs in a cgroup.
   *
   * @param outside processes of the container that are not in it
   * @param foreign processes in it that are not the container's
   */
  record Difference(NavigableSet<ProcessId> outside, NavigableSet<ProcessId> foreign) {}

  private final Map<GroupPath, Set<ProcessId>> belonging = new HashMap<>();

  /**
   * Compares all containers that run.
   *
   * @param inside by cgroup, the processes in it and below
   */
  SortedMap<GroupPath, Difference> compare(
      List<Member> members, Map<GroupPath, SortedSet<Long>> inside) {
    Set<GroupPath> running = new HashSet<>();
    members.forEach(member -> running.add(member.group()));
    belonging.keySet().retainAll(running);
    SortedMap<GroupPath, Difference> differences = new TreeMap<>();
    if (members.isEmpty()) {
      return differences;
    }
    ProcessTable table = ProcessTable.now();
    Set<ProcessId> firsts = new HashSet<>();
    members.forEach(member -> firsts.add(member.first()));
    for (Member member : members) {
      // A command may have started another that has a place of its own.
      Set<ProcessId> others = new HashSet<>(firsts);
      others.remove(member.first());
      Difference difference =
          compare(
              member,
              others,
              inside.getOrDefault(member.group(), Collections.emptySortedSet()),
              table);
      if (!difference.outside().isEmpty() || !difference.foreign().isEmpty()) {
        differences.put(member.group(), difference);
      }
    }
    return differences;
  }

  private Difference compare(
      Member member, Set<ProcessId> elsewhere, Set<Long> inside, ProcessTable table) {
    Set<ProcessId> roots = new HashSet<>(belonging.getOrDefault(member.group(), Set.of()));
    roots.add(member.first());
    Set<ProcessId> own = table.withDescendants(roots, elsewhere);
    List<ProcessId> others = new ArrayList<>();
    for (long pid : inside) {
      Optional<ProcessId> process = table.process(pid).filter(one -> !own.contains(one));
      process.ifPresent(others::add);
    }
    NavigableSet<ProcessId> foreign = new TreeSet<>(ORDER);
    for (ProcessId other : others) {
      if ((member.session() && table.shareSession(other, member.first()))
          || ProcessTable.hasVariable(other, POD, member.pod())) {
        own.add(other);
      } else {
        foreign.add(other);
      }
    }
    foreign.removeAll(table.withDescendants(own, elsewhere));
    foreign.removeIf(process -> !process.isAlive());
    NavigableSet<ProcessId> outside = new TreeSet<>(ORDER);
    own.stream().filter(process -> !inside.contains(process.pid())).forEach(outside::add);
    belonging.put(member.group(), own);
    return new Difference(outside, foreign);
  }
}
