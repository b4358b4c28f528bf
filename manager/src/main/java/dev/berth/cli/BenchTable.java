package dev.berth.cli;

import dev.berth.bench.Stopwatch.Timing;
import dev.berth.terminal.Words;
import java.util.Locale;
import java.util.Optional;

/**
 * Timings as lines of a table that are printed as they come.
 *
 * @param names how wide the names' column is
 * @param hasRatios whether there is something to compare with
 */
record BenchTable(int names, boolean hasRatios) {
  private static final int SHORTEST_NAMES = 12;
  private static final int TIMES = 24;
  private static final int RATIOS = 16;
  private static final double MILLISECOND = 1e6;
  private static final double SECOND = 1e9;

  /** For names of which the longest is so long, on lines of a width. */
  static BenchTable of(int longestName, boolean hasRatios, int width) {
    int room = width - TIMES - (hasRatios ? RATIOS : 0);
    return new BenchTable(Math.max(SHORTEST_NAMES, Math.min(longestName, room)), hasRatios);
  }

  String heading() {
    return line("WORKLOAD", "WARM", "COLD", "KUBERNETES");
  }

  String line(String name, Timing timing, Optional<Double> ratio) {
    return line(
        name,
        time(timing.ns()),
        time(timing.coldNs()),
        ratio.map(times -> String.format(Locale.ROOT, "%,.0f ×", times)).orElse("-"));
  }

  private String line(String name, String warm, String cold, String ratio) {
    String cells =
        String.format(Locale.ROOT, "%-" + names + "s%12s%12s", Words.cut(name, names), warm, cold);
    return hasRatios ? cells + String.format(Locale.ROOT, "%" + RATIOS + "s", ratio) : cells;
  }

  /** In the unit that leaves few digits before the point. */
  static String time(long nanos) {
    if (nanos < MILLISECOND) {
      return String.format(Locale.ROOT, "%.2f µs", nanos / 1e3);
    }
    return nanos < SECOND
        ? String.format(Locale.ROOT, "%.2f ms", nanos / MILLISECOND)
        : String.format(Locale.ROOT, "%.2f s", nanos / SECOND);
  }
}
