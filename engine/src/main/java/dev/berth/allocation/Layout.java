package dev.berth.allocation;

import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.List;

/**
 * A machine laid out for choosing CPUs: sets as words, neighbours as arrays of positions.
 *
 * <p>Made once a machine and shared, by loops without streams: whoever starts on a new machine
 * waits for it. "Outer" and "inner" are sockets and NUMA nodes in the order in which whole ones are
 * taken: nodes are outer where a machine has no more of them than sockets (each may then hold
 * several sockets), and sockets are otherwise.
 */
final class Layout {
  final Machine machine;
  final int words;
  final Places sockets;
  final Places nodes;
  final Places caches;
  final Places cores;
  final Places outer;
  final Places inner;

  /** By outer position: the inner places that share a CPU with it. */
  final int[][] innerOfOuter;

  /** By inner position: the cores that have a CPU in it. */
  final int[][] coresOfInner;

  /** By node position: the caches that serve a CPU of it. */
  final int[][] cachesOfNode;

  /** By node position: whether these serve no CPU of another node. */
  final boolean[] cachesStayInNode;

  /** By cache position: the cores that have a CPU under it. */
  final int[][] coresOfCache;

  /** Whether some socket has more than one last-level cache. */
  final boolean splitCaches;

  private final int[][] threads;

  /** The layout of a machine, made once. */
  static Layout of(Machine machine) {
    return machine.derived(Layout.class, Layout::new);
  }

  private Layout(Machine machine) {
    this.machine = machine;
    words = machine.cpus().wordCount();
    sockets = new Places(machine, Level.SOCKET, words);
    nodes = new Places(machine, Level.NODE, words);
    caches = new Places(machine, Level.CACHE, words);
    cores = new Places(machine, Level.CORE, words);
    boolean nodesFirst = sockets.count >= nodes.count;
    outer = nodesFirst ? nodes : sockets;
    inner = nodesFirst ? sockets : nodes;
    innerOfOuter = machine.neighbours(outer.level, inner.level);
    coresOfInner = machine.neighbours(inner.level, Level.CORE);
    cachesOfNode = machine.neighbours(Level.NODE, Level.CACHE);
    cachesStayInNode = stays(nodes, caches, cachesOfNode);
    coresOfCache = machine.neighbours(Level.CACHE, Level.CORE);
    threads = threads(machine.domains(Level.CORE));
    splitCaches = hasSeveral(machine.neighbours(Level.SOCKET, Level.CACHE));
  }

  private static boolean[] stays(Places groups, Places places, int[][] placesOfGroup) {
    boolean[] result = new boolean[groups.count];
    for (int group = 0; group < groups.count; group++) {
      int sum = 0;
      for (int place : placesOfGroup[group]) {
        sum += places.sizes[place];
      }
      result[group] = sum == groups.sizes[group];
    }
    return result;
  }

  private static int[][] threads(List<Domain> cores) {
    int[][] threads = new int[cores.size()][];
    for (int core = 0; core < threads.length; core++) {
      threads[core] = cores.get(core).cpus().toArray();
    }
    return threads;
  }

  private static boolean hasSeveral(int[][] neighbours) {
    for (int[] near : neighbours) {
      if (near.length > 1) {
        return true;
      }
    }
    return false;
  }

  /** The CPUs of a core, lowest first; not to be changed. */
  int[] threads(int core) {
    return threads[core];
  }

  /** How many of the core's CPUs are in {@code free}. */
  int freeInCore(long[] free, int core) {
    int sum = 0;
    for (int cpu : threads[core]) {
      sum += (int) (free[cpu >> 6] >>> cpu & 1);
    }
    return sum;
  }
}
