package dev.berth.measure;

import java.util.Collection;

/**
 * The same figure taken many times, of which the slow ones count.
 *
 * @param times how many
 * @param p99 below it are 99 of 100; of fewer than a hundred it is not worth telling
 */
record Tail(int times, double median, double p99, double slowest) {
  private static final int MANY = 100;

  /** What of it is held against what is asked. */
  enum Mark {
    MEDIAN("median"),
    P99("p99"),
    SLOWEST("slowest");

    private final String word;

    Mark(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  static Tail of(Collection<Double> figures) {
    double[] sorted = figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("tail: expected figures, found none");
    }
    return new Tail(
        sorted.length, Spread.at(sorted, 0.5), Spread.at(sorted, 0.99), sorted[sorted.length - 1]);
  }

  boolean isOfMany() {
    return times >= MANY;
  }

  double at(Mark mark) {
    return switch (mark) {
      case MEDIAN -> median;
      case P99 -> p99;
      case SLOWEST -> slowest;
    };
  }
}
