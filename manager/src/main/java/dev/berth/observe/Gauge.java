package dev.berth.observe;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Something that is so now. */
public final class Gauge extends Family {
  private final Map<List<String>, Double> values = new LinkedHashMap<>();

  Gauge(String name, String help, List<String> labels) {
    super(name, help, labels);
    if (labels.isEmpty()) {
      values.put(List.of(), 0.0);
    }
  }

  /**
   * It is so now.
   *
   * @param labels the values of its labels, in their order
   */
  public void set(double value, String... labels) {
    values.put(key(labels), value);
  }

  /** What it is. */
  public double value(String... labels) {
    return values.getOrDefault(key(labels), 0.0);
  }

  /** Forgets all lines: those that are not set again are gone, such as a NUMA node's. */
  public void clear() {
    values.clear();
  }

  @Override
  void samples(StringBuilder text) {
    values.forEach((key, value) -> sample(text, "", key, value));
  }
}
