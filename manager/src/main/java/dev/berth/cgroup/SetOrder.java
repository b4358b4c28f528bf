package dev.berth.cgroup;

import dev.berth.cpu.IdSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * In which order the sets of a tree of groups change.
 *
 * <p>At every moment a group has no more than its parent and never nothing. An owner first gives up
 * what it loses; then the groups above grow, the topmost first, to all that they will have to hold;
 * then owners that cannot give up anything without being left with nothing move over in one write,
 * each when what it moves to was left by others; then owners grow; at last the groups above shrink,
 * the lowest first. So a set that only shrinks or only grows is written once, one that does both
 * twice. Ties break on the lowest path and id.
 *
 * <p>Owners may wait for one another's CPUs in a ring. One of them makes way: it shrinks to those
 * of its CPUs for which no other waits, else it steps aside to a CPU that no owner has, else to one
 * that only owners without exclusive CPUs have, which is the shared pool or what is reserved. So an
 * exclusive owner never meets another one, and meets the shared pool only where nothing else is
 * left. Where every CPU is exclusive, the ring stays as it is.
 */
final class SetOrder<S extends IdSet<S>> {
  private final Shape shape;
  private final SetKind<S> kind;
  private final List<Step> steps;
  private final SortedMap<GroupPath, S> now = new TreeMap<>();
  private final SortedMap<GroupPath, S> targets;
  private final Set<GroupPath> refused = new HashSet<>();

  /** What owners that were refused were to leave. */
  private S stuck;

  SetOrder(Shape shape, SetKind<S> kind, List<Step> steps) {
    this.shape = shape;
    this.kind = kind;
    this.steps = steps;
    stuck = kind.empty();
    shape
        .current()
        .forEach((group, present) ->
            kind.of().apply(present.settings()).ifPresent(set -> now.put(group, set)));
    targets = Targets.of(shape, kind, now);
  }

  /** Owners give up what they lose. */
  void giveUp() {
    for (GroupPath owner : shape.owners()) {
      S has = now.get(owner);
      S target = targets.get(owner);
      if (has != null && target != null && has.intersects(target)) {
        retarget(owner, has.intersection(target));
      }
    }
  }

  /** Groups above owners grow to all that they will have to hold. */
  void widenInner() {
    Map<GroupPath, S> highest = new HashMap<>();
    for (GroupPath group : shape.inner().reversed()) {
      S most = targets.getOrDefault(group, kind.empty());
      for (GroupPath child : shape.children(group)) {
        most = most.union(highest.getOrDefault(child, span(child)));
      }
      highest.put(group, most);
    }
    for (GroupPath group : shape.inner()) {
      S most = highest.getOrDefault(group, kind.empty());
      if (targets.containsKey(group) && !most.isSubsetOf(has(group))) {
        write(group, below(group).isSubsetOf(most) ? most : most.union(has(group)));
      }
    }
  }

  /** What an owner has and will have. */
  private S span(GroupPath owner) {
    return has(owner).union(targets.getOrDefault(owner, kind.empty()));
  }

  private S has(GroupPath group) {
    return now.getOrDefault(group, kind.empty());
  }

  /** What the groups right below have. */
  private S below(GroupPath group) {
    S below = kind.empty();
    for (GroupPath child : shape.children(group)) {
      below = below.union(has(child));
    }
    return below;
  }

  /** Owners that keep nothing of what they have move over. */
  void moveOver() {
    SortedSet<GroupPath> waiting = new TreeSet<>();
    for (GroupPath owner : shape.owners()) {
      S target = targets.get(owner);
      if (target != null && now.containsKey(owner) && !target.intersects(has(owner))) {
        waiting.add(owner);
      }
    }
    Set<GroupPath> aside = new HashSet<>();
    while (!waiting.isEmpty()) {
      GroupPath next = firstFree(waiting);
      if (next != null) {
        retarget(next, targets.getOrDefault(next, kind.empty()));
        waiting.remove(next);
      } else if (!stepAside(waiting, aside)) {
        waiting.forEach(this::refuse);
        return;
      }
    }
  }

  private @Nullable GroupPath firstFree(SortedSet<GroupPath> waiting) {
    for (GroupPath owner : waiting) {
      S target = targets.getOrDefault(owner, kind.empty());
      boolean free = waiting.stream().noneMatch(other -> blocks(other, owner, target));
      if (free || !kind.exclusive()) {
        return owner;
      }
    }
    return null;
  }

  /** Whether one has a part of what another gets; owners that share do not block one another. */
  private boolean blocks(GroupPath other, GroupPath owner, S target) {
    return !other.equals(owner)
        && has(other).intersects(target)
        && (isExclusive(other) || isExclusive(owner));
  }

  private boolean isExclusive(GroupPath owner) {
    Settings settings = shape.wanted().get(owner);
    return settings != null && settings.exclusive();
  }

  /** One of a ring steps aside; false where none can. */
  private boolean stepAside(SortedSet<GroupPath> waiting, Set<GroupPath> aside) {
    return stepBack(waiting) || stepToFree(waiting, aside) || stepToShared(waiting, aside);
  }

  /** One of a ring gives up those ids for which others wait, where some are left to it. */
  private boolean stepBack(SortedSet<GroupPath> waiting) {
    for (GroupPath owner : waiting) {
      S kept = has(owner).difference(wantedByOthers(owner, waiting));
      if (!kept.isEmpty() && !kept.equals(has(owner))) {
        retarget(owner, kept);
        return true;
      }
    }
    return false;
  }

  /** One of a ring goes where no owner is and none waits to be. */
  private boolean stepToFree(SortedSet<GroupPath> waiting, Set<GroupPath> aside) {
    for (GroupPath owner : waiting) {
      S free = all(owner);
      for (GroupPath other : shape.owners()) {
        free = free.difference(has(other));
      }
      for (GroupPath other : waiting) {
        free = free.difference(targets.getOrDefault(other, kind.empty()));
      }
      if (!free.isEmpty() && aside.add(owner)) {
        moveAside(owner, kind.single().apply(free.first()));
        return true;
      }
    }
    return false;
  }

  /**
   * An exclusive owner goes where only owners are that share; at once to its own CPUs if it can.
   */
  private boolean stepToShared(SortedSet<GroupPath> waiting, Set<GroupPath> aside) {
    for (GroupPath owner : waiting) {
      S target = targets.getOrDefault(owner, kind.empty());
      if (isExclusive(owner) && target.isSubsetOf(shared(owner))) {
        moveAside(owner, target);
        waiting.remove(owner);
        return true;
      }
    }
    for (GroupPath owner : waiting) {
      S shared = isExclusive(owner) ? shared(owner) : kind.empty();
      S wanted = wantedByOthers(owner, waiting);
      S unwanted = shared.difference(wanted);
      // Where one stands in another's way again, it leaves that way for good.
      boolean moves = !unwanted.isEmpty() || (!shared.isEmpty() && aside.add(owner));
      if (moves && has(owner).intersects(wanted)) {
        moveAside(owner, kind.single().apply((unwanted.isEmpty() ? shared : unwanted).first()));
        return true;
      }
    }
    return false;
  }

  private S wantedByOthers(GroupPath owner, SortedSet<GroupPath> waiting) {
    S wanted = kind.empty();
    for (GroupPath other : waiting) {
      S target = targets.getOrDefault(other, kind.empty());
      wanted = other.equals(owner) ? wanted : wanted.union(target);
    }
    return wanted;
  }

  /** What only owners have that share, beside what an owner has itself. */
  private S shared(GroupPath owner) {
    S shared = all(owner).difference(has(owner));
    for (GroupPath other : shape.owners()) {
      shared = isExclusive(other) ? shared.difference(has(other)) : shared;
    }
    return shared;
  }

  /** All that our own group is to have, or as much of it as is known. */
  private S all(GroupPath owner) {
    return targets.getOrDefault(GroupPath.OWN, targets.getOrDefault(owner.parent(), kind.empty()));
  }

  /** The groups above hold what it steps to as long as they have to; they shrink at the end. */
  private void moveAside(GroupPath owner, S set) {
    List<GroupPath> above = new ArrayList<>();
    for (GroupPath at = owner; !at.isOwn(); at = at.parent()) {
      above.addFirst(at.parent());
    }
    for (GroupPath group : above) {
      if (targets.containsKey(group) && !set.isSubsetOf(has(group))) {
        write(group, has(group).union(set));
      }
    }
    retarget(owner, set);
  }

  private void refuse(GroupPath owner) {
    S target = targets.getOrDefault(owner, kind.empty());
    stuck = stuck.union(has(owner).difference(target));
    refused.add(owner);
    steps.add(new Step.Refuse(owner, kind.setting().apply(target)));
  }

  /** Owners get what they gain, unless it is with one that cannot move over. */
  void grow() {
    for (GroupPath owner : shape.owners()) {
      S target = targets.get(owner);
      if (target != null && !refused.contains(owner)) {
        if (target.difference(has(owner)).intersects(stuck)) {
          refuse(owner);
        } else {
          retarget(owner, target);
        }
      }
    }
  }

  /** Groups above owners shrink to what they are to have. */
  void narrowInner() {
    for (GroupPath group : shape.inner().reversed()) {
      S target = targets.get(group);
      if (target != null) {
        S least = target.union(below(group));
        if (!least.equals(has(group))) {
          write(group, least);
        }
      }
    }
  }

  /**
   * Brings an owner to a set that the group above it has. Groups below it that nobody asked for are
   * made to fit: wide enough from the top down, then narrow from the lowest up.
   */
  private void retarget(GroupPath owner, S set) {
    if (shape.children(owner).isEmpty()) {
      if (!set.equals(has(owner))) {
        write(owner, set);
      }
      return;
    }
    Map<GroupPath, S> next = new HashMap<>();
    List<GroupPath> subtree = shape.subtree(owner);
    for (GroupPath group : subtree) {
      S has = now.get(group);
      S above = next.get(group.parent());
      if (group.equals(owner)) {
        next.put(group, set);
      } else if (has != null && above != null) {
        next.put(group, Targets.clip(has, above));
      }
    }
    for (GroupPath group : subtree) {
      S aim = next.getOrDefault(group, has(group));
      if (!aim.isSubsetOf(has(group)) && !below(group).isSubsetOf(aim)) {
        write(group, has(group).union(aim));
      }
    }
    narrow(subtree, next);
  }

  private void narrow(List<GroupPath> subtree, Map<GroupPath, S> next) {
    // A group whose set grows comes before those in it, so that these find it wide enough.
    for (GroupPath group : subtree) {
      S aim = next.getOrDefault(group, has(group));
      if (!aim.equals(has(group)) && below(group).isSubsetOf(aim)) {
        write(group, aim);
      }
    }
    for (GroupPath group : subtree.reversed()) {
      S aim = next.getOrDefault(group, has(group));
      if (!aim.equals(has(group))) {
        write(group, aim);
      }
    }
  }

  private void write(GroupPath group, S set) {
    Optional<Setting> before = Optional.ofNullable(now.get(group)).map(kind.setting());
    steps.add(new Step.Write(group, kind.setting().apply(set), before, !shape.isInner(group)));
    now.put(group, set);
  }
}
