package dev.berth.hints;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who gives up which node: the nodes left out so far, spread over the covers so that each still
 * meets its demands.
 *
 * <p>One such spread is held at any time. A further node goes to a cover that can afford it as
 * things are; only where none can are the nodes spread anew, by a search that the {@link Budget}
 * bounds. {@link Prices} often tell beforehand that no spread exists.
 */
final class Packing {
  private final Stock[] stocks;
  private final int[] order;
  private final int[] giver;
  private final long[] leftOut;
  private final Budget budget;
  private @Nullable Prices prices;

  Packing(List<Cover> covers, int[] order, int positions, Budget budget) {
    this.order = order;
    this.budget = budget;
    stocks = new Stock[covers.size()];
    Arrays.setAll(stocks, i -> new Stock(covers.get(i), order));
    giver = new int[positions];
    leftOut = Masks.none(positions);
  }

  /** Whether every cover has a member at all. */
  boolean isPossible() {
    return Arrays.stream(stocks).allMatch(Stock::isPossible);
  }

  /** Counts the node as decided. */
  void decide(int position) {
    for (Stock stock : stocks) {
      stock.shift(position, -1);
    }
  }

  /** Takes {@link #decide} back. */
  void undecide(int position) {
    for (Stock stock : stocks) {
      stock.shift(position, 1);
    }
  }

  /** Whether one of the covers can give up all undecided nodes at once. */
  boolean isSettled() {
    for (Stock stock : stocks) {
      if (stock.affordsAll()) {
        return true;
      }
    }
    return false;
  }

  /** Leaves the node out; false, and nothing changed, where no spread allows it. */
  boolean leaveOut(int position) {
    for (int i = 0; i < stocks.length; i++) {
      if (stocks[i].ignores(position)) {
        return give(i, position);
      }
    }
    for (int i = 0; i < stocks.length; i++) {
      if (give(i, position)) {
        return true;
      }
    }
    return stocks.length > 1 && spreadAnew(position);
  }

  private boolean give(int stock, int position) {
    if (!stocks[stock].giveUp(position)) {
      return false;
    }
    giver[position] = stock;
    Masks.add(leftOut, position);
    return true;
  }

  /** Takes {@link #leaveOut} back; who gives up the other nodes may have changed since. */
  void takeBack(int position) {
    stocks[giver[position]].takeBack(position);
    Masks.remove(leftOut, position);
  }

  private boolean spreadAnew(int position) {
    Masks.add(leftOut, position);
    boolean hopeless = !prices().allow(leftOut);
    Masks.remove(leftOut, position);
    if (hopeless) {
      return false;
    }
    int[] movable = movable();
    int[] before = giver.clone();
    for (int other : movable) {
      takeBack(other);
    }
    int[] all = Arrays.copyOf(movable, movable.length + 1);
    all[movable.length] = position;
    if (spread(prices().dearestFirst(all), 0)) {
      return true;
    }
    for (int other : movable) {
      give(before[other], other);
    }
    return false;
  }

  /** The nodes left out that mean something to every cover. */
  private int[] movable() {
    return Arrays.stream(Masks.positions(leftOut))
        .filter(position -> Arrays.stream(stocks).noneMatch(stock -> stock.ignores(position)))
        .toArray();
  }

  private boolean spread(int[] positions, int index) {
    if (index == positions.length) {
      return true;
    }
    if (!budget.step()) {
      return false;
    }
    int position = positions[index];
    for (int i = 0; i < stocks.length; i++) {
      if (!repeatsEarlier(i) && give(i, position)) {
        if (spread(positions, index + 1)) {
          return true;
        }
        takeBack(position);
      }
    }
    return false;
  }

  private boolean repeatsEarlier(int stock) {
    for (int i = 0; i < stock; i++) {
      if (stocks[i].isLike(stocks[stock])) {
        return true;
      }
    }
    return false;
  }

  /** Whether {@code wanted} more of the undecided nodes could be left out, judged generously. */
  boolean couldLeaveOut(int wanted, long[] undecided) {
    return stocks.length == 1
        ? stocks[0].couldGiveUp(wanted, undecided)
        : prices().allow(leftOut, wanted, undecided);
  }

  private Prices prices() {
    Prices known = prices;
    if (known == null) {
      known = new Prices(stocks, order, giver.length);
      prices = known;
    }
    return known;
  }

  /**
   * Whether {@code greater} serves every cover at least as well as {@code lesser} would in its
   * place.
   */
  boolean isAtLeast(int greater, int lesser) {
    for (Stock stock : stocks) {
      if (!stock.isAtLeast(greater, lesser)) {
        return false;
      }
    }
    return true;
  }
}
