package dev.berth.hints;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Tells that some nodes can never be left out together, without trying how.
 *
 * <p>Put a price on each cover's slack. A node costs at least what the cheapest cover takes for it,
 * so nodes whose prices add up to more than all slack together fit no spread. That holds for any
 * prices; a few are tried: all covers alike, and each one dearer than the others.
 */
final class Prices {
  /** How much dearer the one is: enough to matter, not so much that the others are free. */
  private static final double DEARER = 4;

  /** Forgives what sums of doubles lose. */
  private static final double FORGIVEN = 1e-9;

  private final double[][] least;
  private final double[] purse;
  private final int[][] cheapestFirst;

  Prices(Stock[] stocks, int[] order, int positions) {
    least = new double[stocks.length + 1][positions];
    purse = new double[stocks.length + 1];
    cheapestFirst = new int[stocks.length + 1][];
    for (int round = 0; round <= stocks.length; round++) {
      double[] own = least[round];
      Arrays.fill(own, Double.POSITIVE_INFINITY);
      for (int i = 0; i < stocks.length; i++) {
        double price = i == round ? DEARER : 1;
        purse[round] += price;
        for (int position : order) {
          own[position] = Math.min(own[position], price * stocks[i].share(position));
        }
      }
      purse[round] += FORGIVEN;
      cheapestFirst[round] = sorted(order, Comparator.comparingDouble(p -> own[p]));
    }
  }

  private static int[] sorted(int[] positions, Comparator<Integer> comparator) {
    return Arrays.stream(positions)
        .boxed()
        .sorted(comparator)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** The hardest nodes first, at equal prices. */
  int[] dearestFirst(int[] positions) {
    double[] alike = least[least.length - 1];
    return sorted(positions, Comparator.comparingDouble(p -> -alike[p]));
  }

  /** Whether the prices leave it open that all of these can be left out. */
  boolean allow(long[] leftOut) {
    return allow(leftOut, 0, leftOut);
  }

  /** The same with {@code wanted} more of the undecided nodes, whichever are cheapest. */
  boolean allow(long[] leftOut, int wanted, long[] undecided) {
    for (int round = 0; round < least.length; round++) {
      double sum = 0;
      int missing = wanted;
      for (int position : cheapestFirst[round]) {
        if (Masks.has(leftOut, position)) {
          sum += least[round][position];
        } else if (missing > 0 && Masks.has(undecided, position)) {
          sum += least[round][position];
          missing--;
        }
      }
      if (sum > purse[round]) {
        return false;
      }
    }
    return true;
  }
}
