package dev.berth.cli;

/** Values from 0 to 1 as a line of small bars. */
final class Sparkline {
  private static final String BARS = "▁▂▃▄▅▆▇█";

  private Sparkline() {}

  /** So many columns at most; where there are more values, a column is the mean of its share. */
  static String of(double[] values, int columns) {
    int width = Math.min(columns, values.length);
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < width; i++) {
      int from = i * values.length / width;
      int to = Math.max(from + 1, (i + 1) * values.length / width);
      double sum = 0;
      for (int j = from; j < to; j++) {
        sum += values[j];
      }
      int bar = (int) Math.clamp(Math.floor(sum / (to - from) * BARS.length()), 0, 7);
      line.append(BARS.charAt(bar));
    }
    return line.toString();
  }
}
