package dev.berth.allocation;

import dev.berth.topology.Level;
import dev.berth.topology.Machine;

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
  final Places cores;
  final Places outer;
  final Places inner;

  /** By outer position: the inner places that share a CPU with it. */
  final int[][] innerOfOuter;

  /** By inner position: the cores that have a CPU in it. */
  final int[][] coresOfInner;

  /** The CPUs core by core, each core's lowest first. */
  final int[] threads;

  /**
   * By core position: where its CPUs begin in {@link #threads}; they end where the next's begin.
   */
  final int[] threadsFrom;

  /** The layout of a machine, made once. */
  static Layout of(Machine machine) {
    return machine.derived(Layout.class, Layout::new);
  }

  private Layout(Machine machine) {
    this.machine = machine;
    words = machine.cpus().wordCount();
    sockets = new Places(machine, Level.SOCKET);
    nodes = new Places(machine, Level.NODE);
    cores = new Places(machine, Level.CORE);
    boolean nodesFirst = sockets.count >= nodes.count;
    outer = nodesFirst ? nodes : sockets;
    inner = nodesFirst ? sockets : nodes;
    innerOfOuter = machine.neighbours(outer.level, inner.level);
    coresOfInner = machine.neighbours(inner.level, Level.CORE);
    threadsFrom = sums(cores.sizes);
    threads = threads(machine, threadsFrom);
  }

  /** Where each core's threads begin, and where the last one's end. */
  private static int[] sums(int[] sizes) {
    int[] sums = new int[sizes.length + 1];
    for (int i = 0; i < sizes.length; i++) {
      sums[i + 1] = sums[i] + sizes[i];
    }
    return sums;
  }

  private static int[] threads(Machine machine, int[] threadsFrom) {
    int[] cores = machine.positions(Level.CORE);
    int[] threads = new int[threadsFrom[threadsFrom.length - 1]];
    int[] next = threadsFrom.clone();
    for (int cpu = 0; cpu < cores.length; cpu++) {
      if (cores[cpu] >= 0) {
        threads[next[cores[cpu]]++] = cpu;
      }
    }
    return threads;
  }

  /** How many of the core's CPUs are in {@code free}. */
  int freeInCore(long[] free, int core) {
    int sum = 0;
    for (int at = threadsFrom[core]; at < threadsFrom[core + 1]; at++) {
      int cpu = threads[at];
      sum += (int) (free[cpu >> 6] >>> cpu & 1);
    }
    return sum;
  }
}
