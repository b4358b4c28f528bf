package dev.berth.testing;

import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;

/** Regular machines, with all first threads numbered before the second ones. */
public final class Regular {
  private Regular() {}

  /**
   * A machine of equal parts.
   *
   * @param nodes NUMA nodes in a socket
   * @param caches last-level caches in a node
   * @param cores cores under a cache
   * @param threads CPUs in a core
   */
  public static Machine machine(int sockets, int nodes, int caches, int cores, int threads) {
    int allCores = sockets * nodes * caches * cores;
    MachineBuilder builder =
        Machine.builder(sockets + "x" + nodes + "x" + caches + "x" + cores + "x" + threads);
    for (int core = 0; core < allCores; core++) {
      int cache = core / cores;
      int node = cache / caches;
      for (int thread = 0; thread < threads; thread++) {
        builder.cpu(core + thread * allCores, core, node / nodes, node, cache);
      }
    }
    return builder.build();
  }
}
