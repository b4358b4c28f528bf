package dev.berth.agent;

import dev.berth.agent.found.FoundGroups;
import dev.berth.cgroup.Changes;
import dev.berth.cgroup.Failure;
import dev.berth.cgroup.GroupPath;
import dev.berth.cgroup.Settings;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.linux.ProcessId;
import dev.berth.linux.ProcessTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
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
import java.util.function.Supplier;

/** The groups of all who are there, brought to where they should be and kept there. */
final class Groups {
  /** A group that is made and removed to see whether that can be done. */
  private static final GroupPath PROBE = GroupPath.of("probe");

  private final Supplier<Collection<? extends Resident>> residents;
  private final Books books;
  private final Enclosure enclosure;
  private final Arrangement arrangement;
  private final Wishes wishes;
  private final Events events;
  private final Metrics metrics;
  private final UnknownHolders unknown;
  private final Membership membership = new Membership();
  private SortedMap<GroupPath, NavigableSet<ProcessId>> foreign = new TreeMap<>();

  /** The groups that were needed when there were no others; none where there may be others. */
  private Set<GroupPath> swept = Set.of();

  /** What groups ran into last; empty once they are known to work. */
  private Optional<String> trouble = Optional.empty();

  Groups(
      Supplier<Collection<? extends Resident>> residents,
      Books books,
      Enclosure enclosure,
      Arrangement arrangement,
      Wishes wishes,
      Events events,
      Metrics metrics,
      UnknownHolders unknown) {
    this.residents = residents;
    this.books = books;
    this.enclosure = enclosure;
    this.arrangement = arrangement;
    this.wishes = wishes;
    this.events = events;
    this.metrics = metrics;
    this.unknown = unknown;
  }

  /** Who sits where now. */
  Seating seating() {
    return new Seating(books.node(), arrangement.isolated());
  }

  private SortedMap<GroupPath, Settings> wanted() {
    return seating().wanted(residents.get(), unknown.all());
  }

  /**
   * Brings all groups to what is wanted, and says what failed. CPUs of somebody's own are as these
   * wish then.
   */
  Changes apply() {
    Changes changes = told(enclosure.apply(wanted()));
    wishes.keep(seating(), residents.get());
    return changes;
  }

  private Changes told(Changes changes) {
    changes.failures().forEach(failure -> events.add("failed", "", failure.toString()));
    metrics.groups(changes);
    trouble = first(changes).or(() -> trouble);
    return changes;
  }

  /** Brings all groups to what is wanted after everybody may have other CPUs than before. */
  void resettle() {
    apply();
    if (arrangement.isolated() && relocate()) {
      apply();
    }
  }

  /** A partition's group stands elsewhere, so who loses or gets one changes groups. */
  private boolean relocate() {
    boolean moved = false;
    Seating seating = seating();
    List<GroupPath> there = enclosure.groups();
    for (Resident resident : residents.get()) {
      for (ContainerLife container : resident.placed()) {
        GroupPath before = seating.otherGroupOf(resident.request(), container.name());
        if (there.contains(before)) {
          enclosure.move(before, seating.groupOf(resident.request(), container.name()));
          enclosure.remove(before);
          moved = true;
        }
      }
    }
    return moved;
  }

  /**
   * Refuses to go on with groups that stand where these settings do not look for them.
   *
   * @throws InvalidInputException where containers run that were started with another partition
   */
  void expectSamePartition() {
    if (enclosure.isPartitioned() == arrangement.isolated()) {
      return;
    }
    boolean runs =
        enclosure.groups().stream()
            .anyMatch(group -> !group.equals(Seating.AGENT) && enclosure.isPopulated(group));
    if (runs) {
      String now = arrangement.isolated() ? "isolated" : "member";
      String before = arrangement.isolated() ? "member" : "isolated";
      throw new InvalidInputException(
          "berth.partition: expected "
              + before
              + " as long as containers run that were started so, found "
              + now
              + "; remove them first");
    }
    enclosure.remove(GroupPath.OWN);
  }

  private static Optional<String> first(Changes changes) {
    return changes.failures().stream().map(Failure::toString).findFirst();
  }

  /** What keeps a pod from its place; what went wrong with the groups of others does not. */
  static Optional<String> blocked(Changes changes, String uid) {
    GroupPath own = Seating.groupOf(uid);
    return changes.failures().stream()
        .filter(failure ->
            own.equals(failure.group())
                || own.isBelow(failure.group())
                || failure.group().isBelow(own)
                || Seating.isApart(failure.group(), uid))
        .map(Failure::toString)
        .findFirst();
  }

  /**
   * Why groups cannot be brought to what is wanted now. Where something failed before, a group is
   * made and removed: a look at those that are as they should be would not tell.
   */
  Optional<String> unready() {
    if (trouble.isPresent()) {
      SortedMap<GroupPath, Settings> wanted = wanted();
      wanted.put(PROBE, wanted.getOrDefault(Seating.AGENT, Settings.NONE));
      Changes changes = enclosure.apply(wanted);
      enclosure.remove(PROBE);
      trouble = first(changes);
    }
    return trouble;
  }

  /**
   * Looks at the processes in the groups of containers that run: one that is outside its group is
   * put back, a foreign process inside is told and left.
   *
   * @param members containers that run
   * @param found the groups as they are now
   */
  void verify(List<Membership.Member> members, FoundGroups found) {
    Map<GroupPath, SortedSet<Long>> inside = new HashMap<>();
    found.containers().forEach(one -> inside.put(one.group(), one.processes()));
    SortedMap<GroupPath, NavigableSet<ProcessId>> now = new TreeMap<>();
    found
        .loose()
        .forEach((group, processes) -> {
          NavigableSet<ProcessId> all = new TreeSet<>(Membership.ORDER);
          processes.forEach(pid -> ProcessId.of(pid).ifPresent(all::add));
          now.put(group, all);
        });
    membership
        .compare(members, inside)
        .forEach((group, difference) -> {
          difference.outside().forEach(process -> putBack(group, process));
          if (!difference.foreign().isEmpty()) {
            now.put(group, difference.foreign());
          }
        });
    now.forEach((group, processes) -> {
      NavigableSet<ProcessId> told = foreign.getOrDefault(group, new TreeSet<>(Membership.ORDER));
      processes.stream()
          .filter(process -> !told.contains(process))
          .forEach(process -> tell(group, process));
    });
    foreign = now;
    metrics.foreignProcesses(now.values().stream().mapToInt(NavigableSet::size).sum());
  }

  private void putBack(GroupPath group, ProcessId process) {
    // It may have been started after the group was read.
    if (!process.isAlive() || enclosure.isIn(group, process)) {
      return;
    }
    String name = "process " + process.pid() + " (" + ProcessTable.name(process) + ")";
    try {
      if (enclosure.putBack(group, process)) {
        metrics.putBack();
        events.add(
            "repaired", Seating.podOf(group), name + " was outside cgroup " + group + ": put back");
      }
    } catch (IOException e) {
      events.add(
          "failed",
          Seating.podOf(group),
          name + " is outside cgroup " + group + " and cannot be put back: " + e.getMessage());
    }
  }

  private void tell(GroupPath group, ProcessId process) {
    events.add(
        "foreign",
        Seating.podOf(group),
        "process "
            + process.pid()
            + " ("
            + ProcessTable.name(process)
            + ") is in cgroup "
            + group
            + " and no container of ours started it: it is left there");
  }

  /** Processes in a group that no container of ours started. */
  NavigableSet<ProcessId> foreign(GroupPath group) {
    return foreign.getOrDefault(group, new TreeSet<>(Membership.ORDER));
  }

  /** All of them, by group. */
  SortedMap<GroupPath, NavigableSet<ProcessId>> foreign() {
    return Collections.unmodifiableSortedMap(foreign);
  }

  /** Looks at every group, repairs what others changed, and removes what nobody needs. */
  Changes reconcile() {
    SortedMap<GroupPath, Settings> wanted = wanted();
    Changes changes = told(enclosure.reconcile(wanted));
    // A pass in which nothing has changed since the last need not list a thousand folders.
    if (!wanted.keySet().equals(swept)) {
      swept = removeOthers(wanted.keySet()) ? Set.copyOf(wanted.keySet()) : Set.of();
    }
    return changes.withRepaired(wishes.check(seating(), residents.get()));
  }

  /** Removes the groups that nobody needs; whether none is left. */
  private boolean removeOthers(Set<GroupPath> wanted) {
    Set<GroupPath> needed = new HashSet<>(Set.of(GroupPath.OWN, Seating.AGENT));
    for (GroupPath path : wanted) {
      for (GroupPath at = path; needed.add(at); ) {
        at = at.parent();
      }
    }
    boolean clean = true;
    for (GroupPath group : enclosure.groups()) {
      if (!needed.contains(group)) {
        clean = false;
        if (!enclosure.isPopulated(group)) {
          enclosure.remove(group);
        }
      }
    }
    return clean;
  }

  /**
   * Gives all CPUs back to groups that were confined under another policy, and reads them back: no
   * cpuset is written from then on.
   */
  private void release() throws IOException {
    Settings whole = seating().whole();
    CpuSet all = whole.cpus().orElse(CpuSet.EMPTY);
    SortedMap<GroupPath, Settings> narrow = new TreeMap<>();
    enclosure
        .cpusets()
        .forEach((group, cpus) -> {
          if (!all.isSubsetOf(cpus)) {
            narrow.put(group, whole);
          }
        });
    if (narrow.isEmpty()) {
      return;
    }
    told(enclosure.reconcile(narrow));
    List<String> left = new ArrayList<>();
    enclosure
        .cpusets()
        .forEach((group, cpus) -> {
          if (narrow.containsKey(group) && !all.isSubsetOf(cpus)) {
            left.add("cgroup " + group + " (" + cpus + ")");
          }
        });
    events.add(
        left.isEmpty() ? "released" : "failed",
        "",
        Descriptions.released(narrow.size() - left.size(), left));
  }

  /** Has everything where it belongs at the start: the groups, and the agent in its own. */
  void settle() throws IOException {
    if (!seating().managesCpus()) {
      release();
    }
    if (enclosure.mustEnterFirst()) {
      enclosure.enter(Seating.AGENT, seating().system());
    }
    told(enclosure.reconcile(wanted()));
    resettle();
    enclosure.gather();
    if (isAgentPlaced() && !enclosure.mustEnterFirst()) {
      enclosure.enter(Seating.AGENT, seating().system());
    }
  }

  private boolean isAgentPlaced() {
    return seating().managesCpus() && !arrangement.isolated();
  }

  /** Moves the agent to the CPUs that are reserved now, where its group does not do that. */
  void stayOnReserved() {
    if (isAgentPlaced()) {
      try {
        enclosure.enter(Seating.AGENT, seating().system());
      } catch (IOException e) {
        events.add("failed", "", "the agent stays where it is: " + e.getMessage());
      }
    }
  }

  /** Removes the groups of one who has left. */
  void remove(String uid) {
    swept = Set.of();
    List<GroupPath> groups = new ArrayList<>(List.of(Seating.groupOf(uid)));
    List<GroupPath> all = arrangement.isolated() ? enclosure.groups() : List.of();
    all.stream().filter(group -> Seating.isApart(group, uid)).forEach(groups::add);
    groups.forEach(enclosure::remove);
  }
}
