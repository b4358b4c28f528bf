package dev.berth.cgroup;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What has to be done, in which order, so that groups have what is wanted. Pure: the same trees
 * always lead to the same steps, and none to any step where nothing differs.
 *
 * <p>All giving up comes before all taking, over all groups. See {@link SetOrder} for sets. Quotas
 * fall from the leaves up and rise from the top down, because version 1 lets no group have more
 * than its parent. A group leaves its partition before its CPUs change, and enters one after; it
 * enters it again where they changed, for on the way the kernel may have found it to overlap.
 */
final class Planner {
  private final Shape shape;
  private final List<Step> steps = new ArrayList<>();
  private final Set<Controller> used = EnumSet.noneOf(Controller.class);

  /** What each group is to have and has not: of few groups anything, as a rule. */
  private final SortedMap<GroupPath, List<Setting>> differing = new TreeMap<>();

  private Planner(Shape shape) {
    this.shape = shape;
    shape
        .wanted()
        .forEach((group, settings) -> {
          used.addAll(settings.controllers());
          List<Setting> others = differing(group, settings);
          if (!others.isEmpty()) {
            differing.put(group, others);
          }
        });
  }

  static List<Step> plan(Shape shape) {
    Planner planner = new Planner(shape);
    planner.all();
    return planner.steps;
  }

  private void all() {
    List<GroupPath> down = List.copyOf(differing.keySet());
    Optional<SetOrder<?>> cpus = order(SetKind.CPUS);
    Optional<SetOrder<?>> mems = order(SetKind.MEMS);
    down.reversed().forEach(this::leavePartition);
    cpus.ifPresent(SetOrder::giveUp);
    mems.ifPresent(SetOrder::giveUp);
    down.reversed().forEach(group -> quota(group, true));
    shape.wanted().keySet().forEach(this::make);
    cpus.ifPresent(SetOrder::widenInner);
    mems.ifPresent(SetOrder::widenInner);
    cpus.ifPresent(SetOrder::moveOver);
    mems.ifPresent(SetOrder::moveOver);
    cpus.ifPresent(SetOrder::grow);
    mems.ifPresent(SetOrder::grow);
    cpus.ifPresent(SetOrder::narrowInner);
    mems.ifPresent(SetOrder::narrowInner);
    down.forEach(group -> quota(group, false));
    down.forEach(this::rest);
  }

  /** Where nobody asks for CPUs or nodes, cpusets are none of our business. */
  private Optional<SetOrder<?>> order(SetKind<?> kind) {
    return used.contains(Controller.CPUSET)
        ? Optional.of(new SetOrder<>(shape, kind, steps))
        : Optional.empty();
  }

  private void make(GroupPath group) {
    Present present = shape.current().get(group);
    for (Controller controller : used) {
      if (present == null || !present.in().contains(controller)) {
        steps.add(new Step.Make(group, controller));
      }
    }
  }

  private void leavePartition(GroupPath group) {
    for (Setting setting : differing(group)) {
      if (setting instanceof Setting.Parted(Partition to) && to == Partition.MEMBER) {
        write(group, setting);
      }
    }
  }

  private void quota(GroupPath group, boolean early) {
    Present present = shape.current().get(group);
    boolean isThere = present != null && present.in().contains(Controller.CPU);
    for (Setting setting : differing(group)) {
      if (setting instanceof Setting.Time(Quota wanted)
          && early == (isThere && isEarly(wanted, quotaOf(shape.had(group, setting))))) {
        write(group, setting);
      }
    }
  }

  /**
   * A limit that is lifted or lowered only makes room for others. One that is new must wait until
   * the groups above have theirs.
   */
  private static boolean isEarly(Quota wanted, Quota had) {
    return had instanceof Quota.Limited
        && (wanted instanceof Quota.Unlimited || wanted.share() < had.share());
  }

  /** An unknown quota may be as narrow as any. */
  private static Quota quotaOf(Optional<Setting> had) {
    return had.isPresent() && had.get() instanceof Setting.Time(Quota quota)
        ? quota
        : new Quota.Limited(1_000, 1_000_000);
  }

  private void rest(GroupPath group) {
    for (Setting setting : shape.wanted().getOrDefault(group, Settings.NONE).each()) {
      boolean differs = differs(group, setting);
      boolean now =
          switch (setting) {
            case Setting.Cpus ignored -> false;
            case Setting.Mems ignored -> false;
            case Setting.Time ignored -> false;
            case Setting.Weight ignored -> differs;
            case Setting.Memory ignored -> differs;
            case Setting.Hugepages ignored -> differs;
            case Setting.Parted(Partition to) ->
                to != Partition.MEMBER && (differs || moves(group));
          };
      if (now) {
        write(group, setting);
      }
    }
  }

  /** Whether a group's CPUs are others than before. */
  private boolean moves(GroupPath group) {
    return differing(group).stream().anyMatch(Setting.Cpus.class::isInstance);
  }

  private boolean differs(GroupPath group, Setting setting) {
    return !shape.had(group, setting).equals(Optional.of(setting));
  }

  private List<Setting> differing(GroupPath group, Settings settings) {
    List<Setting> others = settings.each();
    others.removeIf(setting -> !differs(group, setting));
    return others;
  }

  private List<Setting> differing(GroupPath group) {
    return differing.getOrDefault(group, List.of());
  }

  private void write(GroupPath group, Setting setting) {
    steps.add(new Step.Write(group, setting, shape.had(group, setting), !shape.isInner(group)));
  }
}
