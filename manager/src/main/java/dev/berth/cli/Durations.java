package dev.berth.cli;

import java.util.Locale;

/** Nanoseconds for people. */
final class Durations {
  private static final double MICRO = 1e3;
  private static final double MILLI = 1e6;
  private static final double SECOND = 1e9;

  private Durations() {}

  /** With the two or three digits that mean anything. */
  static String words(long nanos) {
    if (nanos < MICRO) {
      return nanos + " ns";
    }
    if (nanos < MILLI) {
      return digits(nanos / MICRO) + " µs";
    }
    return nanos < SECOND ? digits(nanos / MILLI) + " ms" : digits(nanos / SECOND) + " s";
  }

  private static String digits(double value) {
    boolean whole = value >= 10 || value == Math.rint(value);
    return String.format(Locale.ROOT, whole ? "%.0f" : "%.1f", value);
  }
}
