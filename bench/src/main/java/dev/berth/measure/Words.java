package dev.berth.measure;

import java.util.Locale;

/** Figures for people. */
final class Words {
  private Words() {}

  /** A time with three digits that count. */
  static String time(double nanos) {
    if (nanos < 0) { // a difference
      return "-" + time(-nanos);
    }
    if (nanos < 1e3) {
      return digits(nanos) + " ns";
    }
    if (nanos < 1e6) {
      return digits(nanos / 1e3) + " µs";
    }
    return nanos < 1e9 ? digits(nanos / 1e6) + " ms" : digits(nanos / 1e9) + " s";
  }

  /** So many times, with what of it means anything. */
  static String times(double ratio) {
    return ratio < 10
        ? String.format(Locale.ROOT, "%.2f", ratio)
        : String.format(Locale.ROOT, "%,.0f", rounded(ratio));
  }

  private static double rounded(double ratio) {
    double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(ratio)) - 2));
    return Math.round(ratio / unit) * unit;
  }

  private static String digits(double value) {
    int decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
