package dev.berth.workload;

import java.util.Map;

/**
 * What a container, or a pod with a budget of its own, asks for.
 *
 * @param requests by resource name: what it is promised
 * @param limits by resource name: what it may use at most
 */
public record Resources(Map<String, Quantity> requests, Map<String, Quantity> limits) {
  /** The name of the CPU resource. */
  public static final String CPU = "cpu";

  /** The name of the memory resource. */
  public static final String MEMORY = "memory";

  /** Asks for nothing. */
  public static final Resources NONE = new Resources(Map.of(), Map.of());

  /** Takes copies. */
  public Resources {
    requests = Map.copyOf(requests);
    limits = Map.copyOf(limits);
  }

  /** Requests and limits the same, which makes a guaranteed pod. */
  public static Resources guaranteed(Map<String, Quantity> amounts) {
    return new Resources(amounts, amounts);
  }

  // Written out, for what a record makes of itself is put together at its first use, at every
  // start.
  @Override
  public boolean equals(Object other) {
    return other instanceof Resources that
        && requests.equals(that.requests)
        && limits.equals(that.limits);
  }

  @Override
  public int hashCode() {
    return 31 * requests.hashCode() + limits.hashCode();
  }

  /** What is requested of a resource; zero where it is not named. */
  public Quantity request(String resource) {
    return requests.getOrDefault(resource, Quantity.ZERO);
  }

  /** The limit of a resource; zero where it is not named. */
  public Quantity limit(String resource) {
    return limits.getOrDefault(resource, Quantity.ZERO);
  }
}
