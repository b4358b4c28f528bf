package dev.berth.simulate;

import dev.berth.simulate.Figures.Course;
import dev.berth.simulate.Figures.Point;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds up how full and how scattered a machine was, over time.
 *
 * <p>Where no time passes between the first and the last step, steps are the time.
 */
final class Timeline {
  private static final int POINTS = 240;
  private static final int MEASURES = 3;

  private final double length;
  private final double width;
  private final double[][] sums;
  private final double[] total = new double[MEASURES];
  private final double[] most = new double[MEASURES];
  private double[] last = new double[MEASURES];
  private double now;

  /**
   * Of a length.
   *
   * @param length from the beginning to the last step, in milliseconds or in steps
   */
  Timeline(double length) {
    this.length = length;
    int points = (int) Math.max(1, Math.min(POINTS, Math.ceil(length)));
    width = length / points;
    sums = new double[points][MEASURES];
  }

  /** From this time on these hold, until the next call. */
  void from(double at, double use, double nodeFragmentation, double cacheFragmentation) {
    until(at);
    last = new double[] {use, nodeFragmentation, cacheFragmentation};
    for (int i = 0; i < MEASURES; i++) {
      most[i] = Math.max(most[i], last[i]);
    }
  }

  private void until(double at) {
    while (now < at) {
      int point = (int) Math.min(now / width, sums.length - 1);
      double end = point == sums.length - 1 ? at : Math.min(at, (point + 1) * width);
      // Rounding may leave the time where it is; then the next point has it.
      double next = end > now ? end : Math.nextUp(now);
      for (int i = 0; i < MEASURES; i++) {
        sums[point][i] += last[i] * (next - now);
        total[i] += last[i] * (next - now);
      }
      now = next;
    }
  }

  Course use() {
    return course(0);
  }

  Course nodeFragmentation() {
    return course(1);
  }

  Course cacheFragmentation() {
    return course(2);
  }

  private Course course(int measure) {
    until(length);
    return new Course(length == 0 ? last[measure] : total[measure] / length, most[measure]);
  }

  /** The points, in the time's own unit divided by {@code unit}. */
  List<Point> series(double unit) {
    until(length);
    List<Point> series = new ArrayList<>();
    for (int i = 0; i < sums.length; i++) {
      double weight = width == 0 ? 1 : width;
      double[] sum = width == 0 ? last : sums[i];
      series.add(
          new Point(
              rounded(i * width / unit),
              rounded(sum[0] / weight),
              rounded(sum[1] / weight),
              rounded(sum[2] / weight)));
    }
    return series;
  }

  /** To a thousandth: what a picture shows. */
  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
