package dev.berth.linux;

import dev.berth.cpu.CpuSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Places of one kind, each with the kernel's id and the usable CPUs in it; no CPU is in two.
 *
 * <p>The kernel's ids are kept where they tell the places apart. Otherwise every place is named by
 * its lowest CPU, which is unique because the places are disjoint.
 */
final class Groups {
  private record Group(int id, CpuSet cpus) {}

  private final CpuSet usable;
  private final List<Group> groups = new ArrayList<>();
  private CpuSet seen = CpuSet.EMPTY;

  Groups(CpuSet usable) {
    this.usable = usable;
  }

  boolean has(int cpu) {
    return seen.contains(cpu);
  }

  /** Adds a place; CPUs that are not usable, or already in another, are left out. */
  void add(int id, CpuSet cpus) {
    CpuSet members = cpus.intersection(usable).difference(seen);
    groups.add(new Group(id, members));
    seen = seen.union(members);
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }

  List<CpuSet> sets() {
    return groups.stream().map(Group::cpus).toList();
  }

  /** Whether the places are the same sets as those that {@code names} tells, indexed by CPU. */
  boolean areSplitAs(int[] names) {
    Set<Integer> seenNames = new HashSet<>();
    for (Group group : groups) {
      int name = names[group.cpus.first()];
      if (!seenNames.add(name)) {
        return false;
      }
      for (int cpu = group.cpus.first(); cpu >= 0; cpu = group.cpus.next(cpu + 1)) {
        if (names[cpu] != name) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether the kernel gave any place an id. */
  boolean hasId() {
    return groups.stream().anyMatch(group -> group.id >= 0);
  }

  /** Whether each place has an id, from 0, that no other has. */
  boolean areIdsUnique() {
    Set<Integer> ids = new HashSet<>();
    return groups.stream().allMatch(group -> group.id >= 0 && ids.add(group.id));
  }

  /** The name of each CPU's place, indexed by CPU: the kernel's id where they are unique. */
  int[] names() {
    boolean keep = areIdsUnique();
    int[] names = new int[usable.last() + 1];
    Arrays.fill(names, -1);
    for (Group group : groups) {
      int name = keep ? group.id : group.cpus.first();
      group.cpus.forEach(cpu -> names[cpu] = name);
    }
    return names;
  }
}
