package dev.berth.observe;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How often something was how large. */
public final class Histogram extends Family {
  /** What was observed with the same values of the labels. */
  private static final class Series {
    private final long[] counts;
    private double sum;
    private long count;

    private Series(int bounds) {
      counts = new long[bounds];
    }
  }

  private final List<Double> bounds;
  private final Map<List<String>, Series> series = new LinkedHashMap<>();

  Histogram(String name, String help, List<Double> bounds, List<String> labels) {
    super(name, help, labels);
    this.bounds = List.copyOf(bounds);
    for (int i = 1; i < bounds.size(); i++) {
      if (bounds.get(i) <= bounds.get(i - 1)) {
        throw new IllegalArgumentException(
            "metric " + name + ": expected bounds that grow, found " + bounds);
      }
    }
    if (labels.isEmpty()) {
      series.put(List.of(), new Series(bounds.size()));
    }
  }

  /**
   * It was so large this time.
   *
   * @param labels the values of its labels, in their order
   */
  public void observe(double value, String... labels) {
    Series one = series.computeIfAbsent(key(labels), _ -> new Series(bounds.size()));
    one.sum += value;
    one.count++;
    for (int i = 0; i < one.counts.length; i++) {
      if (value <= bounds.get(i)) {
        one.counts[i]++;
      }
    }
  }

  /** How often it was observed. */
  public long count() {
    return series.values().stream().mapToLong(one -> one.count).sum();
  }

  @Override
  void samples(StringBuilder text) {
    series.forEach((key, one) -> {
      for (int i = 0; i < one.counts.length; i++) {
        bucket(text, key, number(bounds.get(i)), one.counts[i]);
      }
      bucket(text, key, "+Inf", one.count);
      sample(text, "_sum", key, one.sum);
      sample(text, "_count", key, (double) one.count);
    });
  }

  private void bucket(StringBuilder text, List<String> key, String bound, long below) {
    String[] names = Arrays.copyOf(labels().toArray(String[]::new), key.size() + 1);
    names[key.size()] = "le";
    String[] values = Arrays.copyOf(key.toArray(String[]::new), key.size() + 1);
    values[key.size()] = bound;
    sample(text, "_bucket", List.of(names), List.of(values), (double) below);
  }
}
