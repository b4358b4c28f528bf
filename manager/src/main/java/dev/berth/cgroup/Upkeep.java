package dev.berth.cgroup;

import dev.berth.cpu.CpuSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Knows what groups have, and brings them to what they are to have. */
final class Upkeep {
  private final Trees trees;
  private final TreeMap<GroupPath, Present> known = new TreeMap<>();

  Upkeep(Trees trees) {
    this.trees = trees;
  }

  void forget(GroupPath group) {
    known.keySet().removeIf(other -> other.equals(group) || other.isBelow(group));
    trees.forget(group);
  }

  /** The controllers of a group that we made or found; empty for one that is not known. */
  Optional<Set<Controller>> controllersOf(GroupPath group) {
    return Optional.ofNullable(known.get(group)).map(Present::in);
  }

  /**
   * Brings groups to what is wanted.
   *
   * @param anew whether nothing that is known is trusted
   */
  Changes bring(SortedMap<GroupPath, Settings> wanted, boolean anew) {
    SortedMap<GroupPath, Settings> goal = Shape.complete(normal(wanted));
    Set<Controller> used = EnumSet.noneOf(Controller.class);
    goal.values().forEach(settings -> used.addAll(settings.controllers()));
    boolean strict = !trees.layout().unified() && used.contains(Controller.CPUSET);
    SortedMap<GroupPath, Present> current = look(goal, used, strict, anew);
    SortedMap<GroupPath, Present> before = new TreeMap<>(known);
    if (anew) {
      known.keySet().retainAll(goal.keySet());
      trees.retain(goal.keySet());
    }
    goal.keySet().stream().filter(g -> !current.containsKey(g)).forEach(known::remove);
    known.putAll(current);
    if (isQuiet(goal, current, used, strict)) {
      return Changes.NONE;
    }
    known.forEach((group, present) -> current.putIfAbsent(group, present));
    if (strict) {
      addStrangers(goal, current);
    }
    Shape shape =
        new Shape(
            current, goal, strict ? outside() : Settings.NONE, trees.layout().version().fresh());
    List<Step> steps = Planner.plan(shape);
    return new Execution(trees, known, (group, setting) -> lost(before, current, group, setting))
        .run(steps);
  }

  /** What the groups have, as far as it matters here. */
  private SortedMap<GroupPath, Present> look(
      SortedMap<GroupPath, Settings> goal, Set<Controller> used, boolean strict, boolean anew) {
    SortedMap<GroupPath, Present> current = new TreeMap<>();
    goal.forEach((group, settings) -> {
      List<Setting> kinds = kinds(settings, strict);
      Present trusted = anew ? null : trusted(group, kinds, used);
      Present present = trusted == null ? read(group, kinds, used) : trusted;
      if (present != null) {
        current.put(group, present);
      }
    });
    return current;
  }

  /** Whether there is nothing to plan, as almost always. */
  private static boolean isQuiet(
      SortedMap<GroupPath, Settings> goal,
      SortedMap<GroupPath, Present> current,
      Set<Controller> used,
      boolean strict) {
    for (Map.Entry<GroupPath, Settings> entry : goal.entrySet()) {
      Present present = current.get(entry.getKey());
      if (present == null || !present.in().containsAll(used)) {
        return false;
      }
      Settings has = present.settings();
      if (!has.includes(entry.getValue())) {
        return false;
      }
      if (strict && (has.cpus().isEmpty() || has.mems().isEmpty())) {
        return false;
      }
    }
    return true;
  }

  /** As it will read, without what cannot be enforced here. */
  private SortedMap<GroupPath, Settings> normal(SortedMap<GroupPath, Settings> wanted) {
    Layout layout = trees.layout();
    SortedMap<GroupPath, Settings> normal = new TreeMap<>();
    wanted.forEach((group, settings) -> normal.put(group, normal(layout, settings)));
    return normal;
  }

  private static Settings normal(Layout layout, Settings settings) {
    Settings normal = settings;
    for (Setting setting : settings.each()) {
      Optional<Setting> read =
          layout.controllers().contains(setting.controller())
              ? layout.version().normal(setting)
              : Optional.empty();
      // As a rule it reads as it is wanted, and nothing need be made anew.
      if (read.isEmpty()) {
        normal = normal.without(setting);
      } else if (!read.get().equals(setting)) {
        normal = normal.with(read.get());
      }
    }
    return normal;
  }

  /** What is to be known of a group; on version 1 its sets too, which it cannot do without. */
  private static List<Setting> kinds(Settings settings, boolean strict) {
    List<Setting> kinds = settings.each();
    if (strict) {
      Trees.SETS.stream().filter(set -> settings.like(set).isEmpty()).forEach(kinds::add);
    }
    return kinds;
  }

  private @Nullable Present trusted(GroupPath group, List<Setting> kinds, Set<Controller> used) {
    Present present = known.get(group);
    boolean enough =
        present != null
            && present.in().containsAll(used)
            && kinds.stream().allMatch(kind -> present.settings().like(kind).isPresent());
    return enough ? present : null;
  }

  /** A group that cannot be read is taken for one that is not there: the next write tells why. */
  private @Nullable Present read(GroupPath group, List<Setting> kinds, Set<Controller> used) {
    try {
      return trees.read(group, kinds, used);
    } catch (IOException e) {
      return null;
    }
  }

  CpuSet partitioned() {
    if (!trees.layout().unified()) {
      return CpuSet.EMPTY;
    }
    List<Setting> kinds = List.of(Trees.SETS.getFirst(), new Setting.Parted(Partition.ROOT));
    Present own = read(GroupPath.OWN, kinds, EnumSet.of(Controller.CPUSET));
    return own != null && own.settings().partition().equals(Optional.of(Partition.ROOT))
        ? own.settings().cpus().orElse(CpuSet.EMPTY)
        : CpuSet.EMPTY;
  }

  private Settings outside() {
    try {
      return trees.outside();
    } catch (IOException e) {
      return Settings.NONE;
    }
  }

  /**
   * On version 1 a cpuset cannot shrink below what groups in it have, ours or not: made by a
   * container for itself, or left over.
   */
  private void addStrangers(
      SortedMap<GroupPath, Settings> goal, SortedMap<GroupPath, Present> current) {
    List<GroupPath> changing = new ArrayList<>();
    goal.forEach((group, settings) -> {
      Present present = current.get(group);
      boolean differs =
          Trees.SETS.stream()
              .flatMap(set -> settings.like(set).stream())
              .anyMatch(
                  set -> present != null && !present.settings().like(set).equals(Optional.of(set)));
      if (differs || changing.contains(group.parent())) {
        changing.add(group);
      }
    });
    for (GroupPath group : changing) {
      addStrangers(group, goal, current);
    }
  }

  private void addStrangers(
      GroupPath group, SortedMap<GroupPath, Settings> goal, SortedMap<GroupPath, Present> current) {
    try {
      for (GroupPath child : trees.cpusetChildren(group)) {
        if (!goal.containsKey(child)) {
          Present present = read(child, Trees.SETS, EnumSet.of(Controller.CPUSET));
          trees.forget(child);
          if (present != null) {
            current.put(child, present);
            addStrangers(child, goal, current);
          }
        }
      }
    } catch (IOException e) {
      // What cannot be listed is not known; the kernel refuses what it makes impossible.
      return;
    }
  }

  /** Whether a group no longer has what it was known to have. */
  private static boolean lost(
      SortedMap<GroupPath, Present> before,
      SortedMap<GroupPath, Present> current,
      GroupPath group,
      Setting setting) {
    Present had = before.get(group);
    Present has = current.get(group);
    Optional<Setting> left = had == null ? Optional.empty() : had.settings().like(setting);
    Optional<Setting> found = has == null ? Optional.empty() : has.settings().like(setting);
    return left.isPresent() && !left.equals(found);
  }
}
