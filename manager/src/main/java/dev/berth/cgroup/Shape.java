package dev.berth.cgroup;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a plan starts from: the groups that are there and those that are wanted, as one tree.
 *
 * <p>A group that is wanted and has no wanted group below it is an <em>owner</em>: processes run in
 * it. So is the topmost of groups that are there and nobody asked for. The groups above owners hold
 * no processes and only have to be wide enough.
 */
final class Shape {
  private final SortedMap<GroupPath, Present> current;
  private final SortedMap<GroupPath, Settings> wanted;
  private final Settings outside;
  private final Settings fresh;
  private final Map<GroupPath, List<GroupPath>> children = new HashMap<>();
  private final SortedSet<GroupPath> owners = new TreeSet<>();

  /**
   * A shape.
   *
   * @param current the groups that are there, and what is known of them
   * @param wanted what groups are to have
   * @param outside the CPUs and nodes of the group that ours is in, where new groups start without
   *     any (version 1); nothing where they inherit by themselves
   * @param fresh what a new group has
   */
  Shape(
      SortedMap<GroupPath, Present> current,
      SortedMap<GroupPath, Settings> wanted,
      Settings outside,
      Settings fresh) {
    this.current = current;
    this.wanted = complete(wanted);
    this.outside = outside;
    this.fresh = fresh;
    SortedSet<GroupPath> all = new TreeSet<>(this.wanted.keySet());
    all.addAll(current.keySet());
    for (GroupPath group : all) {
      if (!group.isOwn()) {
        children.computeIfAbsent(group.parent(), g -> new ArrayList<>()).add(group);
      }
    }
    for (GroupPath group : all) {
      if (!isInner(group) && (this.wanted.containsKey(group) || isInner(group.parent()))) {
        owners.add(group);
      }
    }
  }

  /** The wanted groups and all groups above them. */
  static SortedMap<GroupPath, Settings> complete(SortedMap<GroupPath, Settings> wanted) {
    SortedMap<GroupPath, Settings> complete = new TreeMap<>(wanted);
    for (GroupPath group : wanted.keySet()) {
      GroupPath above = group;
      while (!above.isOwn()) {
        above = above.parent();
        complete.putIfAbsent(above, Settings.NONE);
      }
    }
    return complete;
  }

  SortedMap<GroupPath, Present> current() {
    return current;
  }

  SortedMap<GroupPath, Settings> wanted() {
    return wanted;
  }

  Settings outside() {
    return outside;
  }

  /** Groups directly below, wanted or there, by name. */
  List<GroupPath> children(GroupPath group) {
    return children.getOrDefault(group, List.of());
  }

  SortedSet<GroupPath> owners() {
    return owners;
  }

  /** Whether there is a wanted group below this one. */
  boolean isInner(GroupPath group) {
    return children(group).stream().anyMatch(child -> wanted.containsKey(child));
  }

  /** The wanted groups that hold no processes, from the top down. */
  List<GroupPath> inner() {
    return wanted.keySet().stream().filter(this::isInner).toList();
  }

  /** A group and everything below it, from the top down. */
  List<GroupPath> subtree(GroupPath top) {
    List<GroupPath> all = new ArrayList<>();
    all.add(top);
    for (int i = 0; i < all.size(); i++) {
      all.addAll(children(all.get(i)));
    }
    Collections.sort(all);
    return all;
  }

  /** What a group has of the kind of {@code setting}, or has once it was made; empty if unknown. */
  Optional<Setting> had(GroupPath group, Setting setting) {
    Present present = current.get(group);
    if (present != null && present.in().contains(setting.controller())) {
      return present.settings().like(setting);
    }
    return setting instanceof Setting.Hugepages(long size, Limit ignored)
        ? Optional.of(new Setting.Hugepages(size, Limit.unlimited()))
        : fresh.like(setting);
  }
}
