package dev.berth.cli;

import java.util.Locale;

/** Lengths of time in few letters: {@code 12.5s}, {@code 3m20s}, {@code 23h59m}. */
final class Spans {
  private static final int MINUTE = 60;
  private static final int HOUR = 3600;

  private Spans() {}

  static String text(double seconds) {
    if (seconds < MINUTE) {
      String plain = String.format(Locale.ROOT, "%.1f", seconds);
      return (plain.endsWith(".0") ? plain.substring(0, plain.length() - 2) : plain) + "s";
    }
    long whole = Math.round(seconds);
    return whole < HOUR
        ? pair(whole / MINUTE, "m", whole % MINUTE, "s")
        : pair(whole / HOUR, "h", whole % HOUR / MINUTE, "m");
  }

  private static String pair(long large, String largeUnit, long small, String smallUnit) {
    return large + largeUnit + (small == 0 ? "" : small + smallUnit);
  }
}
