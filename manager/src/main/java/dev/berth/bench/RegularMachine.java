package dev.berth.bench;

import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;
import dev.berth.topology.NodeMemory;
import java.util.function.Supplier;

/** The regular machines that the benchmark's workloads are defined on. */
final class RegularMachine {
  private RegularMachine() {}

  /**
   * A machine whose first threads are numbered before the second ones.
   *
   * @param caches last-level caches in each NUMA node
   * @param cores cores under each cache
   */
  static Machine of(int sockets, int nodesPerSocket, int caches, int cores, int threads) {
    return with(sockets, nodesPerSocket, caches, cores, threads, () -> NodeMemory.NONE);
  }

  /** The same with memory on every node. */
  static Machine with(
      int sockets,
      int nodesPerSocket,
      int caches,
      int cores,
      int threads,
      Supplier<NodeMemory> memory) {
    int nodes = sockets * nodesPerSocket;
    int allCores = nodes * caches * cores;
    MachineBuilder builder =
        Machine.builder(
            sockets + "x" + nodesPerSocket + "x" + caches + "x" + cores + "x" + threads);
    for (int core = 0; core < allCores; core++) {
      int cache = core / cores;
      int node = cache / caches;
      for (int thread = 0; thread < threads; thread++) {
        builder.cpu(core + thread * allCores, core, node / nodesPerSocket, node, cache);
      }
    }
    for (int node = 0; node < nodes; node++) {
      builder.memory(node, memory.get());
    }
    return builder.distances(distances(nodes, nodesPerSocket)).build();
  }

  private static int[][] distances(int nodes, int nodesPerSocket) {
    int[][] rows = new int[nodes][nodes];
    for (int from = 0; from < nodes; from++) {
      for (int to = 0; to < nodes; to++) {
        boolean sameSocket = from / nodesPerSocket == to / nodesPerSocket;
        rows[from][to] = from == to ? 10 : sameSocket ? 12 : 32;
      }
    }
    return rows;
  }
}
