package dev.berth.observe;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Something that only grows, from 0 at every start. */
public final class Counter extends Family {
  private final Map<List<String>, Double> values = new LinkedHashMap<>();

  Counter(String name, String help, List<String> labels) {
    super(name, help, labels);
    if (labels.isEmpty()) {
      values.put(List.of(), 0.0);
    }
  }

  /**
   * Counts; with 0 it only makes sure that the line is there.
   *
   * @param labels the values of its labels, in their order
   */
  public void add(double amount, String... labels) {
    if (!(amount >= 0)) {
      throw new IllegalArgumentException(
          "metric " + name() + ": expected 0 or more, found " + amount);
    }
    values.merge(key(labels), amount, Double::sum);
  }

  /** Counts one. */
  public void increment(String... labels) {
    add(1, labels);
  }

  /** What was counted. */
  public double value(String... labels) {
    return values.getOrDefault(key(labels), 0.0);
  }

  @Override
  void samples(StringBuilder text) {
    values.forEach((key, value) -> sample(text, "", key, value));
  }
}
