package dev.berth.topology;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;

/**
 * A place that groups CPUs: one socket, NUMA node, cache, core, die or cluster.
 *
 * @param id the kernel's number for it; a core's is its lowest CPU
 * @param cpus the CPUs in it, never none
 */
public record Domain(int id, CpuSet cpus) {
  /** Refuses a place without CPUs, for no decision could ever use it. */
  public Domain {
    if (cpus.isEmpty()) {
      throw new InvalidInputException("domain " + id + ": expected at least one CPU, found none");
    }
  }

  /** How many CPUs it has. */
  public int size() {
    return cpus.size();
  }
}
