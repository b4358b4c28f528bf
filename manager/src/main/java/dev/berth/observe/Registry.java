package dev.berth.observe;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All metrics of a process, in the order in which they were registered. */
public final class Registry {
  /** The type of {@link #text}. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final Map<String, Family> families = new LinkedHashMap<>();

  /** None yet. */
  public Registry() {}

  /** Registers a counter. */
  public Counter counter(String name, String help, String... labels) {
    return added(new Counter(name, help, List.of(labels)));
  }

  /** Registers a gauge. */
  public Gauge gauge(String name, String help, String... labels) {
    return added(new Gauge(name, help, List.of(labels)));
  }

  /**
   * Registers a histogram.
   *
   * @param bounds the upper bounds of its buckets, growing; infinity stands behind them anyway
   */
  public Histogram histogram(String name, String help, List<Double> bounds, String... labels) {
    return added(new Histogram(name, help, bounds, List.of(labels)));
  }

  private <F extends Family> F added(F family) {
    if (families.putIfAbsent(family.name(), family) != null) {
      throw new IllegalArgumentException(
          "metric " + family.name() + ": expected a name that is free, found it taken");
    }
    return family;
  }

  /** What there is. */
  public List<Family> families() {
    return List.copyOf(families.values());
  }

  /** So many bounds, each so many times the one before. */
  public static List<Double> exponential(double first, double factor, int count) {
    List<Double> bounds = new ArrayList<>();
    double bound = first;
    for (int i = 0; i < count; i++) {
      bounds.add(bound);
      bound *= factor;
    }
    return bounds;
  }

  /** All of it in the text format 0.0.4. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Family family : families.values()) {
      text.append("# HELP ").append(family.name()).append(' ');
      text.append(Family.escaped(family.help())).append('\n');
      text.append("# TYPE ").append(family.name()).append(' ').append(family.type()).append('\n');
      family.samples(text);
    }
    return text.toString();
  }
}
