package dev.berth.observe;

import java.util.List;

/** How often something was how large. */
public final class Histogram extends Family {
  private final List<Double> bounds;
  private final long[] counts;
  private double sum;
  private long count;

  Histogram(String name, String help, List<Double> bounds) {
    super(name, help, List.of());
    this.bounds = List.copyOf(bounds);
    for (int i = 1; i < bounds.size(); i++) {
      if (bounds.get(i) <= bounds.get(i - 1)) {
        throw new IllegalArgumentException(
            "metric " + name + ": expected bounds that grow, found " + bounds);
      }
    }
    counts = new long[bounds.size()];
  }

  /** It was so large this time. */
  public void observe(double value) {
    sum += value;
    count++;
    for (int i = 0; i < counts.length; i++) {
      if (value <= bounds.get(i)) {
        counts[i]++;
      }
    }
  }

  /** How often it was observed. */
  public long count() {
    return count;
  }

  @Override
  void samples(StringBuilder text) {
    for (int i = 0; i < counts.length; i++) {
      bucket(text, number(bounds.get(i)), counts[i]);
    }
    bucket(text, "+Inf", count);
    sample(text, "_sum", List.of(), sum);
    sample(text, "_count", List.of(), (double) count);
  }

  private void bucket(StringBuilder text, String bound, long below) {
    text.append(name()).append("_bucket{le=\"").append(bound).append("\"} ").append(below);
    text.append('\n');
  }
}
