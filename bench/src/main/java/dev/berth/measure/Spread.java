package dev.berth.measure;

import java.util.Collection;

/**
 * The same figure taken several times.
 *
 * @param low the lowest
 * @param middle the median
 * @param high the highest
 */
record Spread(double low, double middle, double high) {
  Spread {
    if (!(low <= middle && middle <= high)) {
      throw new IllegalArgumentException("spread: expected " + low + " ≤ " + middle + " ≤ " + high);
    }
  }

  static Spread of(Collection<Double> figures) {
    double[] sorted = figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("spread: expected figures, found none");
    }
    return new Spread(sorted[0], at(sorted, 0.5), sorted[sorted.length - 1]);
  }

  /** The middle half of figures, for those that come by the hundred. */
  static Spread ofMiddleHalf(Collection<Double> figures) {
    double[] sorted = figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Spread(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
  }

  /** The value below which such a share of them is, between two where need be. */
  static double at(double[] sorted, double share) {
    double place = share * (sorted.length - 1);
    int below = (int) place;
    double rest = place - below;
    double above = sorted[Math.min(below + 1, sorted.length - 1)];
    return rest == 0 ? sorted[below] : sorted[below] * (1 - rest) + above * rest;
  }
}
