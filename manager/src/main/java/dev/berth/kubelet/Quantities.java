package dev.berth.kubelet;

import dev.berth.workload.Quantity;
import java.util.List;

/** Quantities in files, and in what is said about them. */
final class Quantities {
  private static final List<String> UNITS = List.of("Ti", "Gi", "Mi", "Ki");

  private Quantities() {}

  /**
   * Reads one. A number with a zero before it is refused: YAML as Kubernetes reads it has eights
   * there, YAML of today has tens.
   */
  static Quantity read(YamlField field) {
    String text = field.text();
    if (text.matches("0[0-9]+")) {
      throw field.error("a number without leading zeros");
    }
    return field.as(Quantity::parse);
  }

  /** Reads a whole number of bytes. */
  static long bytes(YamlField field) {
    Quantity amount = read(field);
    if (amount.nanos() != 0) {
      throw field.error("a whole number of bytes");
    }
    return amount.value();
  }

  /** The amount in the largest unit that leaves it whole. */
  static String binary(Quantity amount) {
    long value = amount.value();
    for (int i = 0; i < UNITS.size(); i++) {
      long unit = 1L << (10 * (UNITS.size() - i));
      if (value != 0 && value % unit == 0) {
        return value / unit + UNITS.get(i);
      }
    }
    return amount.toString();
  }
}
