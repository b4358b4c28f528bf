package dev.berth.allocation;

import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.List;

/**
 * The last-level caches of a machine, laid out for choosing CPUs by them.
 *
 * <p>Apart from {@link Layout}, for most choices never look at a cache. Made once a machine and
 * shared.
 */
final class CacheLayout {
  final Places places;

  /** By cache position: the cores that have a CPU under it. */
  final int[][] cores;

  /** Whether some socket has more than one. */
  final boolean split;

  /** By node position: the caches that serve a CPU of it. */
  private final int[][] ofNode;

  /** By node position: whether these serve no CPU of another node. */
  private final boolean[] stayInNode;

  /** The caches of a machine, laid out once. */
  static CacheLayout of(Machine machine) {
    return machine.derived(CacheLayout.class, CacheLayout::new);
  }

  private CacheLayout(Machine machine) {
    places = new Places(machine, Level.CACHE);
    cores = machine.neighbours(Level.CACHE, Level.CORE);
    split = hasSeveral(machine.neighbours(Level.SOCKET, Level.CACHE));
    ofNode = machine.neighbours(Level.NODE, Level.CACHE);
    stayInNode = stays(machine.domains(Level.NODE));
  }

  private static boolean hasSeveral(int[][] neighbours) {
    for (int[] near : neighbours) {
      if (near.length > 1) {
        return true;
      }
    }
    return false;
  }

  private boolean[] stays(List<Domain> nodes) {
    boolean[] result = new boolean[nodes.size()];
    for (int node = 0; node < result.length; node++) {
      int sum = 0;
      for (int cache : ofNode[node]) {
        sum += places.sizes[cache];
      }
      result[node] = sum == nodes.get(node).size();
    }
    return result;
  }

  /** Fills an order with the caches that have free CPUs, NUMA node by NUMA node. */
  void list(Workspace work, Order into) {
    Order nodes = work.orderNodes();
    into.clear();
    for (int i = 0; i < nodes.count(); i++) {
      int node = nodes.at(i);
      if (stayInNode[node]) {
        into.add(work.free, ofNode[node]);
      } else {
        into.addWithin(work.free, work.layout.nodes, node, ofNode[node]);
      }
    }
  }
}
