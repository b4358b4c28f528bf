package dev.berth.agent.found;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Holding;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A running container that no record names.
 *
 * @param holder the uid under which it holds CPUs
 * @param found how the kernel shows it
 * @param shares whether it runs on the shared pool, and so follows it
 * @param held the CPUs that no other container gets while it runs; empty where it shares
 */
public record UnknownContainer(String holder, FoundContainer found, boolean shares, CpuSet held) {
  /** What it holds; all containers of a holder together. */
  static Holding holding(List<UnknownContainer> containers) {
    Map<String, CpuSet> cpus = new TreeMap<>();
    for (UnknownContainer container : containers) {
      if (!container.held.isEmpty()) {
        cpus.put(container.found.name(), container.held);
      }
    }
    return Holding.ofCpus(new TreeMap<>(cpus));
  }
}
