package dev.berth.allocation;

import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A machine laid out for choosing CPUs: sets as words, neighbours as arrays of positions.
 *
 * <p>Made once a machine and shared. "Outer" and "inner" are sockets and NUMA nodes in the order in
 * which whole ones are taken: nodes are outer where a machine has no more of them than sockets
 * (each may then hold several sockets), and sockets are otherwise.
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
    innerOfOuter = neighbours(outer, inner);
    coresOfInner = neighbours(inner, cores);
    cachesOfNode = neighbours(nodes, caches);
    cachesStayInNode = stays(nodes, caches, cachesOfNode);
    coresOfCache = neighbours(caches, cores);
    threads =
        machine.domains(Level.CORE).stream()
            .map(Domain::cpus)
            .map(cpus -> cpus.toArray())
            .toArray(int[][]::new);
    splitCaches = Arrays.stream(neighbours(sockets, caches)).anyMatch(of -> of.length > 1);
  }

  private int[][] neighbours(Places from, Places to) {
    int[][] result = new int[from.count][];
    List<Domain> domains = machine.domains(from.level);
    for (int place = 0; place < from.count; place++) {
      IntStream near =
          domains.get(place).cpus().stream().map(cpu -> machine.indexOf(to.level, cpu));
      result[place] = near.sorted().distinct().toArray();
    }
    return result;
  }

  private static boolean[] stays(Places groups, Places places, int[][] placesOfGroup) {
    boolean[] result = new boolean[groups.count];
    for (int group = 0; group < groups.count; group++) {
      int sum = Arrays.stream(placesOfGroup[group]).map(place -> places.sizes[place]).sum();
      result[group] = sum == groups.sizes[group];
    }
    return result;
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
