package dev.berth.cgroup;

import dev.berth.cpu.IdSet;
import dev.berth.cpu.InvalidInputException;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The set that each group is to end with, of those that nobody gave one too. */
final class Targets<S extends IdSet<S>> {
  private final Shape shape;
  private final SetKind<S> kind;
  private final Map<GroupPath, S> now;
  private final SortedMap<GroupPath, S> targets = new TreeMap<>();

  private Targets(Shape shape, SetKind<S> kind, Map<GroupPath, S> now) {
    this.shape = shape;
    this.kind = kind;
    this.now = now;
  }

  /**
   * The targets; a group is absent where nothing is to be written and the kernel lets it inherit.
   *
   * @throws InvalidInputException where a group is to have what its parent is not to have
   */
  static <S extends IdSet<S>> SortedMap<GroupPath, S> of(
      Shape shape, SetKind<S> kind, Map<GroupPath, S> now) {
    Targets<S> work = new Targets<>(shape, kind, now);
    shape.wanted().forEach(work::wanted);
    shape.owners().forEach(work::leftOver);
    return work.targets;
  }

  private void wanted(GroupPath group, Settings settings) {
    Optional<S> given = kind.of().apply(settings);
    S above = group.isOwn() ? null : targets.get(group.parent());
    S target = given.isPresent() ? given.get() : inherited(group, above);
    if (target == null) {
      return;
    }
    if (above != null && !target.isSubsetOf(above)) {
      throw new InvalidInputException(
          "cgroup " + group + ": expected a part of its parent's " + above + ", found " + target);
    }
    targets.put(group, target);
  }

  private @Nullable S inherited(GroupPath group, @Nullable S above) {
    S has = now.get(group);
    if (has == null) {
      return group.isOwn() ? kind.of().apply(shape.outside()).orElse(null) : strictly(above);
    }
    S kept = above == null ? has : has.intersection(above);
    S needed = kept.union(needed(group));
    return needed.isEmpty() ? above : needed;
  }

  /** On version 1 a new group has no CPU and no node until it is given some. */
  private @Nullable S strictly(@Nullable S above) {
    return kind.of().apply(shape.outside()).isPresent() ? above : null;
  }

  private S needed(GroupPath group) {
    S needed = kind.empty();
    for (GroupPath child : shape.children(group)) {
      Settings settings = shape.wanted().get(child);
      if (settings != null) {
        needed = needed.union(kind.of().apply(settings).orElseGet(() -> needed(child)));
      }
    }
    return needed;
  }

  /** Groups that nobody asked for stay as they are, as far as the group around them allows. */
  private void leftOver(GroupPath group) {
    S has = now.get(group);
    S above = targets.get(group.parent());
    if (!shape.wanted().containsKey(group) && has != null) {
      targets.put(group, above == null ? has : clip(has, above));
    }
  }

  /** What is left of a set within bounds; all of the bounds where nothing would be. */
  static <S extends IdSet<S>> S clip(S set, S bounds) {
    S left = set.intersection(bounds);
    return left.isEmpty() ? bounds : left;
  }
}
