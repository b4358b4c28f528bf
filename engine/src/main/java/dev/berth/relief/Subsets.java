package dev.berth.relief;

import dev.berth.ledger.Owed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The sets of pods that are worth trying: those whose leaving makes enough room on a NUMA node that
 * suits, where all of it has to be on one, and who then fit on nodes themselves. Sets that could
 * not work are not even looked at, branch by branch.
 */
final class Subsets {
  private final Places places;
  private final List<Mover> movers;
  private final List<Item> wanted;
  private final List<List<Item>> items;
  private final int[] free;
  private final int most;
  private int looked;

  /**
   * Over all movers, in the order of their uids.
   *
   * @param free assignable CPUs by NUMA node
   * @param most how many sets may be looked at
   */
  Subsets(Places places, List<Mover> movers, Owed owed, int[] free, int most) {
    this.places = places;
    this.movers = movers;
    this.free = free;
    this.most = most;
    wanted = places.items(owed);
    items = movers.stream().map(mover -> places.items(mover.owed())).toList();
  }

  /**
   * Those of so many pods, the fewest CPUs first and then by uid; none where there are too many.
   */
  Optional<List<int[]>> of(int size) {
    List<int[]> found = new ArrayList<>();
    Walk walk = new Walk(size, found);
    if (!walk.go(0, 0, free.clone())) {
      return Optional.empty();
    }
    found.sort(Comparator.comparingInt(this::cpus).thenComparing(Arrays::compare));
    return Optional.of(found);
  }

  private int cpus(int[] set) {
    return Arrays.stream(set).map(index -> movers.get(index).cpus()).sum();
  }

  /** One size's walk. */
  private final class Walk {
    private final int size;
    private final List<int[]> found;
    private final int[] chosen;
    private final int[][][] gain;

    Walk(int size, List<int[]> found) {
      this.size = size;
      this.found = found;
      chosen = new int[size];
      gain = gains();
    }

    /** By node, first index and number of picks: the most that so many from there on give back. */
    private int[][][] gains() {
      int[][][] most = new int[free.length][movers.size() + 1][size + 1];
      for (int at = 0; at < free.length; at++) {
        for (int index = movers.size() - 1; index >= 0; index--) {
          for (int picks = 1; picks <= size; picks++) {
            most[at][index][picks] =
                Math.max(
                    most[at][index + 1][picks],
                    movers.get(index).on(at) + most[at][index + 1][picks - 1]);
          }
        }
      }
      return most;
    }

    /** Whether it came to its end within what it may look at. */
    boolean go(int depth, int from, int[] room) {
      if (++looked > most) {
        return false;
      }
      if (!isWorthwhile(from, size - depth, room)) {
        return true;
      }
      if (depth == size) {
        if (places.canHold(together(), room)) {
          found.add(chosen.clone());
        }
        return true;
      }
      for (int index = from; index <= movers.size() - (size - depth); index++) {
        int[] more = room.clone();
        for (int at = 0; at < more.length; at++) {
          more[at] += movers.get(index).on(at);
        }
        chosen[depth] = index;
        if (!go(depth + 1, index + 1, more)) {
          return false;
        }
      }
      return true;
    }

    /** Whether every part that has to be on one node could find one with so many picks more. */
    private boolean isWorthwhile(int from, int picks, int[] room) {
      for (Item item : wanted) {
        boolean fits = false;
        for (int at = 0; at < room.length && !fits; at++) {
          fits = item.suits(at) && room[at] + gain[at][from][picks] >= item.cpus();
        }
        if (!fits) {
          return false;
        }
      }
      return true;
    }

    private List<Item> together() {
      List<Item> all = new ArrayList<>(wanted);
      for (int index : chosen) {
        all.addAll(items.get(index));
      }
      return all;
    }
  }
}
