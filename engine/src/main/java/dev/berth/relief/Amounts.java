package dev.berth.relief;

import java.util.Locale;

/** Amounts of a resource in words. */
final class Amounts {
  private static final String CPU = "cpu";
  private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};

  private Amounts() {}

  static String of(String resource, long amount) {
    if (resource.equals(CPU)) {
      return amount == 1 ? "1 CPU" : amount + " CPUs";
    }
    if (resource.equals("memory")) {
      return bytes(amount) + " of memory";
    }
    return resource.startsWith("hugepages-")
        ? bytes(amount) + " of " + resource
        : amount + " " + resource;
  }

  private static String bytes(long amount) {
    int unit = 0;
    double scaled = amount;
    while (scaled >= 1024 && unit < UNITS.length - 1) {
      scaled /= 1024;
      unit++;
    }
    String number =
        scaled == Math.rint(scaled)
            ? String.valueOf((long) scaled)
            : String.format(Locale.ROOT, "%.1f", scaled);
    return number + " " + UNITS[unit];
  }
}
