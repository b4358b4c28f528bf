package dev.berth.allocation;

import java.util.Arrays;

/**
 * Picks items and deals groups out to them at the least cost, and finds the first pick that does.
 *
 * <p>Dealing goes in rounds over the picked items in order; an item that has no room is passed by,
 * and the last round stops when all groups are dealt. So for a number of full rounds, the level, an
 * item gets that many groups, and one more if it comes before the stop, but never more than it has
 * room for. Going backwards over the items, a table holds for every item on, how many are still to
 * be picked, how many groups are still to be dealt and whether the stop has come, the least cost;
 * going forwards, an item is picked as soon as the table says that the rest can keep within the
 * limit. Work grows with items × picks × groups × levels, never with the number of subsets.
 */
final class FirstPick {
  private static final long NEVER = Long.MAX_VALUE / 4;

  private final long[][] costs;
  private final boolean[] eligible;
  private final int groups;
  private final boolean mayGetNothing;
  private final int picks;
  private final long[][] tables;

  /**
   * Fills the table.
   *
   * @param costs by item and number of groups dealt to it; as long as there is room, plus one
   * @param eligible which items may be picked
   * @param picks the most items that will be asked for
   * @param groups how many groups are dealt
   * @param levels how many full rounds to consider, plus one
   * @param mayGetNothing whether an item may be picked and still be left out of the dealing
   */
  FirstPick(
      long[][] costs,
      boolean[] eligible,
      int picks,
      int groups,
      int levels,
      boolean mayGetNothing) {
    this.costs = costs;
    this.eligible = eligible;
    this.groups = groups;
    this.mayGetNothing = mayGetNothing;
    this.picks = picks;
    tables = new long[levels][];
    for (int level = 0; level < levels; level++) {
      tables[level] = fill(level);
    }
  }

  private int at(int item, int toPick, int toDeal, int stopped) {
    return ((item * (picks + 1) + toPick) * (groups + 1) + toDeal) * 2 + stopped;
  }

  private long[] fill(int level) {
    long[] table = new long[at(costs.length + 1, 0, 0, 0)];
    Arrays.fill(table, NEVER);
    table[at(costs.length, 0, 0, 0)] = 0;
    table[at(costs.length, 0, 0, 1)] = 0;
    for (int item = costs.length - 1; item >= 0; item--) {
      for (int toPick = 0; toPick <= picks; toPick++) {
        for (int toDeal = 0; toDeal <= groups; toDeal++) {
          long stopped = value(table, level, item, toPick, toDeal, 1);
          long going = value(table, level, item, toPick, toDeal, 0);
          table[at(item, toPick, toDeal, 1)] = stopped;
          table[at(item, toPick, toDeal, 0)] = Math.min(going, stopped);
        }
      }
    }
    return table;
  }

  private long value(long[] table, int level, int item, int toPick, int toDeal, int stopped) {
    long best = table[at(item + 1, toPick, toDeal, stopped)];
    if (toPick == 0 || !eligible[item]) {
      return best;
    }
    int share = share(level, item, stopped);
    if (share <= toDeal) {
      long rest = table[at(item + 1, toPick - 1, toDeal - share, stopped)];
      best = Math.min(best, costs[item][share] + rest);
    }
    if (mayGetNothing) {
      long rest = table[at(item + 1, toPick - 1, toDeal, stopped)];
      best = Math.min(best, costs[item][0] + rest);
    }
    return best;
  }

  /** What an item gets that takes part in the dealing. */
  private int share(int level, int item, int stopped) {
    return Math.min(level + 1 - stopped, costs[item].length - 1);
  }

  /** The least cost of picking exactly so many items, or something beyond any limit. */
  long least(int size) {
    long least = NEVER;
    for (long[] table : tables) {
      least = Math.min(least, table[at(0, size, groups, 0)]);
    }
    return least;
  }

  /** The first items, by position, that keep within the limit; {@link #least} must do so. */
  int[] first(int size, long limit) {
    long[][] reached = new long[tables.length][2 * (groups + 1)];
    for (long[] costsSoFar : reached) {
      Arrays.fill(costsSoFar, NEVER);
      costsSoFar[2 * groups] = 0;
    }
    int[] picked = new int[size];
    int count = 0;
    for (int item = 0; count < size; item++) {
      if (!eligible[item]) {
        continue;
      }
      long[][] next = step(reached, item);
      if (keeps(next, item + 1, size - count - 1, limit)) {
        picked[count++] = item;
        reached = next;
      }
    }
    return picked;
  }

  /** The least costs by groups still to deal and stop, after picking an item. */
  private long[][] step(long[][] reached, int item) {
    long[][] next = new long[reached.length][2 * (groups + 1)];
    for (int level = 0; level < reached.length; level++) {
      Arrays.fill(next[level], NEVER);
      for (int toDeal = 0; toDeal <= groups; toDeal++) {
        long going = reached[level][2 * toDeal];
        long stopped = Math.min(going, reached[level][2 * toDeal + 1]);
        move(next[level], toDeal, 0, share(level, item, 0), going, item);
        move(next[level], toDeal, 1, share(level, item, 1), stopped, item);
      }
    }
    return next;
  }

  private void move(long[] next, int toDeal, int stopped, int share, long cost, int item) {
    if (share <= toDeal) {
      int to = 2 * (toDeal - share) + stopped;
      next[to] = Math.min(next[to], cost + costs[item][share]);
    }
    if (mayGetNothing) {
      int to = 2 * toDeal + stopped;
      next[to] = Math.min(next[to], cost + costs[item][0]);
    }
  }

  private boolean keeps(long[][] reached, int item, int toPick, long limit) {
    for (int level = 0; level < reached.length; level++) {
      for (int toDeal = 0; toDeal <= groups; toDeal++) {
        for (int stopped = 0; stopped <= 1; stopped++) {
          long cost = reached[level][2 * toDeal + stopped];
          if (cost + tables[level][at(item, toPick, toDeal, stopped)] <= limit) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
