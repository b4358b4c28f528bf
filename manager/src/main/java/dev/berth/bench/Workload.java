package dev.berth.bench;

/**
 * A workload to time.
 *
 * @param name what {@code berth bench} and the comparison with Kubernetes call it
 * @param body one run of the whole; what it returns depends on all that it did, so that nothing can
 *     be optimised away
 */
public record Workload(String name, Body body) {
  /** One run. */
  @FunctionalInterface
  public interface Body {
    /** Runs once. */
    int run();
  }
}
