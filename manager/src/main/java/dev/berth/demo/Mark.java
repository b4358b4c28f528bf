package dev.berth.demo;

/** Which of many latencies is looked at. */
public enum Mark {
  /** Half of all are no later. */
  P50("p50", 0.5),
  /** Of a hundred, 99 are no later. */
  P99("p99", 0.99),
  /** Of a thousand, 999 are no later. */
  P999("p99.9", 0.999),
  /** None is later. */
  MAX("max", 1);

  private final String word;
  private final double share;

  Mark(String word, double share) {
    this.word = word;
    this.share = share;
  }

  /** As people and programs call it. */
  public String word() {
    return word;
  }

  /** Nanoseconds. */
  public long of(Latencies latencies) {
    return latencies.percentile(share);
  }
}
