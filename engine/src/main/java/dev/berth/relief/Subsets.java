package dev.berth.relief;

import dev.berth.ledger.Owed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * The sets of pods that are worth trying: those whose leaving makes enough room on a NUMA node that
 * suits, where all of it has to be on one, and who then fit on nodes themselves. Sets that could
 * not work are not even looked at, branch by branch.
 */
final class Subsets {
  /** How large the table of gains may be: an agent has little memory. */
  private static final long MOST_GAINS = 1_000_000;

  private final Places places;
  private final List<Mover> movers;
  private final List<Item> wanted;
  private final List<List<Item>> items;
  private final List<Stock.Need> needs;
  private final long[][] held;
  private final long[] free;
  private final int nodes;
  private final int most;
  private int looked;

  /**
   * Over all movers, in the order of their uids.
   *
   * @param stock what each NUMA node has
   * @param most how many sets may be looked at
   */
  Subsets(Places places, List<Mover> movers, Owed owed, Stock stock, int most) {
    this.places = places;
    this.movers = movers;
    free = stock.free();
    nodes = stock.nodes();
    needs = stock.needs(owed);
    held = movers.stream().map(stock::of).toArray(long[][]::new);
    this.most = most;
    wanted = places.items(owed);
    items = movers.stream().map(mover -> places.items(mover.owed())).toList();
  }

  /**
   * Those of so many pods, the fewest CPUs first and then by uid; none where it would cost too much
   * to look for them.
   *
   * @param kept how many are wanted: the first of all, if there are more
   */
  Optional<List<int[]>> of(int size, int kept) {
    if ((long) free.length * (movers.size() + 1) * (size + 1) > MOST_GAINS) {
      return Optional.empty();
    }
    Comparator<int[]> order = Comparator.comparingInt(this::cpus).thenComparing(Arrays::compare);
    Queue<int[]> found = new PriorityQueue<>(order.reversed());
    if (!new Walk(size, found, kept).go(0, 0, free.clone())) {
      return Optional.empty();
    }
    return Optional.of(found.stream().sorted(order).toList());
  }

  /** Room for CPUs alone. */
  private int[] cpuRoom(long[] room) {
    return Arrays.stream(room, 0, nodes).mapToInt(Math::toIntExact).toArray();
  }

  private int cpus(int[] set) {
    return Arrays.stream(set).map(index -> movers.get(index).cpus()).sum();
  }

  /** One size's walk. */
  private final class Walk {
    private final int size;
    private final Queue<int[]> found;
    private final int kept;
    private final int[] chosen;
    private final long[][][] gain;

    Walk(int size, Queue<int[]> found, int kept) {
      this.size = size;
      this.found = found;
      this.kept = kept;
      chosen = new int[size];
      gain = gains();
    }

    /** By slot, first index and number of picks: the most that so many from there on give back. */
    private long[][][] gains() {
      long[][][] most = new long[free.length][movers.size() + 1][size + 1];
      for (int at = 0; at < free.length; at++) {
        for (int index = movers.size() - 1; index >= 0; index--) {
          for (int picks = 1; picks <= size; picks++) {
            most[at][index][picks] =
                Math.max(
                    most[at][index + 1][picks], held[index][at] + most[at][index + 1][picks - 1]);
          }
        }
      }
      return most;
    }

    /** Whether it came to its end within what it may look at. */
    boolean go(int depth, int from, long[] room) {
      if (++looked > most) {
        return false;
      }
      if (!isWorthwhile(from, size - depth, room)) {
        return true;
      }
      if (depth == size) {
        if (places.canHold(together(), cpuRoom(room))) {
          found.add(chosen.clone());
          if (found.size() > kept) {
            found.remove();
          }
        }
        return true;
      }
      for (int index = from; index <= movers.size() - (size - depth); index++) {
        long[] more = room.clone();
        for (int at = 0; at < more.length; at++) {
          more[at] += held[index][at];
        }
        chosen[depth] = index;
        if (!go(depth + 1, index + 1, more)) {
          return false;
        }
      }
      return true;
    }

    /** Whether every part that has to be on one node could find one with so many picks more. */
    private boolean isWorthwhile(int from, int picks, long[] room) {
      for (Stock.Need need : needs) {
        boolean fits = false;
        for (int at = 0; at < nodes && !fits; at++) {
          fits = need.item().suits(at) && couldHold(need, at, from, picks, room);
        }
        if (!fits) {
          return false;
        }
      }
      return true;
    }

    /** Whether a node could have enough of every resource. */
    private boolean couldHold(Stock.Need need, int at, int from, int picks, long[] room) {
      boolean fits = true;
      for (int resource = 0; resource < need.amounts().size() && fits; resource++) {
        int slot = resource * nodes + at;
        fits = room[slot] + gain[slot][from][picks] >= need.amounts().get(resource);
      }
      return fits;
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
