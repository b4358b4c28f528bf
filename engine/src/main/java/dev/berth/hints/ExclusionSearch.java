package dev.berth.hints;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best set of a given size that is an intersection of one member of each of some covers.
 *
 * <p>Covers are closed upwards, so the question "which members meet in exactly X" turns around:
 * every node of the region outside of X must be given up by at least one cover, one is enough, and
 * each cover must still meet its demands with what it keeps. That is a packing of the nodes outside
 * X into the covers' slack. With one cover it asks whether X itself is a member.
 *
 * <p>The search decides node by node from the highest down and tries to leave a node out before it
 * takes it in. So sets come in the order of their numbers and the first one found is the lowest.
 * Much is never tried:
 *
 * <ul>
 *   <li>a cover that could give up all that is undecided settles the rest (the usual end);
 *   <li>after a few steps without an answer, the covers must be able to give up as many nodes as
 *       are still to be left out, counting the cheapest;
 *   <li>from then on, where the lowest set is sought, a node is taken in only together with every
 *       lower node that serves all covers as well, because swapping them would give a lower set.
 * </ul>
 *
 * <p>Packing is hard in principle, so a {@link Budget} ends the search; it then returns the best
 * set it knows, or null.
 */
final class ExclusionSearch {
  private static final int[] NONE = {};

  private final Packing packing;
  private final int[] order;
  private final Budget budget;
  private final @Nullable Closeness closeness;
  private final long[] taken;
  private final long[] undecided;
  private final int[] forced;
  private final int[] @Nullable [] betterLower;
  private int patience;
  private long @Nullable [] found;

  private ExclusionSearch(
      List<Cover> covers, long[] region, Budget budget, @Nullable Closeness closeness) {
    int[] ascending = Masks.positions(region);
    order = new int[ascending.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = ascending[order.length - 1 - i];
    }
    this.budget = budget;
    packing = new Packing(covers, order, region.length << 6, budget);
    this.closeness = closeness;
    taken = new long[region.length];
    undecided = region.clone();
    forced = new int[order.length];
    betterLower = new int[order.length][];
    patience = order.length + 8;
  }

  /** The lowest X of {@code size} nodes within {@code region}, or null where there is none. */
  static long @Nullable [] lowest(List<Cover> covers, long[] region, int size, Budget budget) {
    ExclusionSearch search = new ExclusionSearch(covers, region, budget, null);
    if (search.packing.isPossible()) {
      search.descend(0, size);
    }
    return search.found;
  }

  /** The closest X of {@code size} nodes, the lowest of several; null where there is none. */
  static long @Nullable [] closest(
      Nodes nodes, List<Cover> covers, long[] region, int size, Budget budget) {
    long[] lowest = lowest(covers, region, size, budget);
    if (lowest == null || Masks.count(region) == size) {
      return lowest;
    }
    Closeness closeness = new Closeness(nodes, Masks.positions(region), lowest);
    if (closeness.isHopeless(region, size)) {
      return lowest;
    }
    closeness.guess(size, guess -> meets(covers, region, guess, budget));
    ExclusionSearch search = new ExclusionSearch(covers, region, budget, closeness);
    search.descend(0, size);
    return closeness.best();
  }

  /** Whether some members meet within {@code region} in exactly this set. */
  static boolean meets(List<Cover> covers, long[] region, long[] set, Budget budget) {
    long[] outside = region.clone();
    for (int i = 0; i < outside.length; i++) {
      outside[i] &= ~set[i];
    }
    return lowest(covers, outside, 0, budget) != null;
  }

  /** Decides the node at {@code index} and those after it; true ends the search. */
  private boolean descend(int index, int need) {
    int rest = order.length - index;
    if (need > rest || !budget.step()) {
      return false;
    }
    if (need == rest || (closeness == null && packing.isSettled())) {
      return finish(need);
    }
    if (closeness != null && closeness.isHopeless(undecided, need)) {
      return false;
    }
    patience--;
    if (patience < 0 && !packing.couldLeaveOut(rest - need, undecided)) {
      return false;
    }
    int position = order[index];
    packing.decide(position);
    Masks.remove(undecided, position);
    boolean done =
        (forced[index] == 0 && leaveOut(index, need)) || (need > 0 && takeIn(index, need));
    Masks.add(undecided, position);
    packing.undecide(position);
    return done;
  }

  private boolean leaveOut(int index, int need) {
    if (!packing.leaveOut(order[index])) {
      return false;
    }
    boolean done = descend(index + 1, need);
    packing.takeBack(order[index]);
    return done;
  }

  private boolean takeIn(int index, int need) {
    int position = order[index];
    int[] along = patience < 0 && closeness == null ? betterLower(index) : NONE;
    if (along.length >= need) {
      return false;
    }
    for (int other : along) {
      forced[other]++;
    }
    Masks.add(taken, position);
    if (closeness != null) {
      closeness.take(position);
    }
    boolean done = descend(index + 1, need - 1);
    if (closeness != null) {
      closeness.release(position);
    }
    Masks.remove(taken, position);
    for (int other : along) {
      forced[other]--;
    }
    return done;
  }

  /** The later indices, so lower nodes, that must come along with the node at {@code index}. */
  private int[] betterLower(int index) {
    int[] known = betterLower[index];
    if (known == null) {
      known =
          IntStream.range(index + 1, order.length)
              .filter(other -> packing.isAtLeast(order[other], order[index]))
              .toArray();
      betterLower[index] = known;
    }
    return known;
  }

  /** Takes the lowest {@code need} undecided nodes in; whatever is above them can be left out. */
  private boolean finish(int need) {
    long[] result = taken.clone();
    for (int i = order.length - need; i < order.length; i++) {
      Masks.add(result, order[i]);
    }
    if (closeness == null) {
      found = result;
      return true;
    }
    closeness.consider(result);
    return false;
  }
}
