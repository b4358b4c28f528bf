package dev.berth.topology;

/**
 * The kinds of place that CPUs are grouped in, from the widest to the narrowest on most machines.
 */
public enum Level {
  /** A package in a socket of the board. */
  SOCKET("socket"),
  /** A NUMA node that has CPUs. */
  NODE("NUMA node"),
  /** CPUs that share a last-level cache, usually an L3; upstream calls it an uncore cache. */
  CACHE("L3 cache"),
  /** A physical core; its CPUs are its hardware threads. */
  CORE("core");

  private final String noun;

  Level(String noun) {
    this.noun = noun;
  }

  /** What people call one of these, in the singular. */
  public String noun() {
    return noun;
  }
}
