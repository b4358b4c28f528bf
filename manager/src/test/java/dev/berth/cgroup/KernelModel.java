package dev.berth.cgroup;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The rules of the kernel's cpusets and quotas, as its documentation has them. A step that breaks
 * one is an error here, where the kernel would answer EBUSY, EACCES, EINVAL or ENOSPC.
 */
final class KernelModel {
  private static final Settings FRESH = Settings.NONE.withQuota(Quota.unlimited());

  private final boolean strict;
  private final Settings outside;
  private final SortedMap<GroupPath, Settings> groups = new TreeMap<>();

  /**
   * A kernel.
   *
   * @param strict whether the rules of version 1 hold
   * @param outside the CPUs and nodes of the group around all
   */
  KernelModel(boolean strict, Settings outside) {
    this.strict = strict;
    this.outside = outside;
  }

  SortedMap<GroupPath, Settings> groups() {
    return groups;
  }

  void step(Step step) {
    switch (step) {
      case Step.Make(GroupPath group, Controller _) -> make(group);
      case Step.Write write -> set(write.group(), write.value());
      case Step.Refuse _ -> {}
    }
  }

  void make(GroupPath group) {
    check(group.isOwn() || groups.containsKey(group.parent()), "no parent of", group);
    groups.putIfAbsent(group, FRESH);
  }

  void set(GroupPath group, Setting setting) {
    Settings before = groups.get(group);
    if (before == null) {
      throw new AssertionError("no such group: " + group);
    }
    switch (setting) {
      case Setting.Cpus(CpuSet cpus) -> cpus(group, cpus);
      case Setting.Mems(NodeSet mems) -> mems(group, mems);
      case Setting.Time(Quota quota) -> quota(group, quota);
      default -> {}
    }
    check(!before.like(setting).equals(Optional.of(setting)), "wrote what was there to", group);
    groups.put(group, before.with(setting));
  }

  private void cpus(GroupPath group, CpuSet cpus) {
    if (strict) {
      CpuSet above = parent(group).cpus().orElse(CpuSet.EMPTY);
      check(cpus.isSubsetOf(above), cpus + " is more than its parent's " + above + " of", group);
      for (GroupPath child : children(group)) {
        CpuSet below = groups.getOrDefault(child, FRESH).cpus().orElse(CpuSet.EMPTY);
        check(
            below.isSubsetOf(cpus), cpus + " is less than " + child + "'s " + below + " of", group);
      }
    }
  }

  private void mems(GroupPath group, NodeSet mems) {
    if (strict) {
      NodeSet above = parent(group).mems().orElse(NodeSet.EMPTY);
      check(mems.isSubsetOf(above), mems + " is more than its parent's " + above + " of", group);
      for (GroupPath child : children(group)) {
        NodeSet below = groups.getOrDefault(child, FRESH).mems().orElse(NodeSet.EMPTY);
        check(
            below.isSubsetOf(mems), mems + " is less than " + child + "'s " + below + " of", group);
      }
    }
  }

  private void quota(GroupPath group, Quota quota) {
    if (strict && quota instanceof Quota.Limited) {
      GroupPath at = group;
      while (!at.isOwn()) {
        at = at.parent();
        double above = groups.getOrDefault(at, FRESH).quota().orElseThrow().share();
        check(quota.share() <= above, "quota above that of " + at + " in", group);
      }
      for (Map.Entry<GroupPath, Settings> other : groups.entrySet()) {
        double below = other.getValue().quota().orElseThrow().share();
        check(
            !other.getKey().isBelow(group)
                || below == Double.POSITIVE_INFINITY
                || below <= quota.share(),
            "quota below that of " + other.getKey() + " in",
            group);
      }
    }
  }

  private Settings parent(GroupPath group) {
    return group.isOwn() ? outside : groups.getOrDefault(group.parent(), FRESH);
  }

  SortedSet<GroupPath> children(GroupPath group) {
    SortedSet<GroupPath> children = new TreeSet<>();
    for (GroupPath other : groups.keySet()) {
      if (!other.isOwn() && other.parent().equals(group)) {
        children.add(other);
      }
    }
    return children;
  }

  private static void check(boolean holds, String what, GroupPath group) {
    if (!holds) {
      throw new AssertionError(what + " " + group);
    }
  }
}
