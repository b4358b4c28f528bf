package dev.berth.ledger;

/** Amounts of memory as a person reads them. */
final class Bytes {
  private static final String[] UNITS = {" bytes", "Ki", "Mi", "Gi", "Ti"};

  private Bytes() {}

  /** In the largest unit in which it is a whole number, such as {@code 1536Mi}. */
  static String shown(long bytes) {
    long amount = bytes;
    int unit = 0;
    while (amount != 0 && amount % 1024 == 0 && unit < UNITS.length - 1) {
      amount /= 1024;
      unit++;
    }
    return amount + UNITS[unit];
  }
}
