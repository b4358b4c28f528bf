package dev.berth.ledger;

import dev.berth.cpu.InvalidInputException;
import dev.berth.hints.Nodes;
import dev.berth.topology.Machine;
import dev.berth.topology.NumaNode;
import java.util.List;
import java.util.TreeSet;

/**
 * The memory that a machine has to give: fixed amounts by kind and NUMA node.
 *
 * <p>Ordinary memory is what a node has less its hugepages and what is reserved. A node that does
 * not have a kind has none of it to give.
 */
final class MemoryStock {
  static final String MEMORY = "memory";
  static final String HUGEPAGES = "hugepages-";

  final Nodes nodes;

  /** The kinds of memory, sorted by name. */
  final List<String> types;

  /** Whether the node has the kind at all, by kind and node position. */
  final boolean[][] present;

  final long[][] total;
  final long[][] systemReserved;
  final long[][] allocatable;

  MemoryStock(Machine machine, Nodes nodes, MemorySettings settings) {
    this.nodes = nodes;
    TreeSet<String> names = new TreeSet<>(List.of(MEMORY));
    for (NumaNode node : machine.nodes()) {
      node.memory().hugepages().keySet().forEach(kib -> names.add(hugepages(kib)));
    }
    types = List.copyOf(names);
    present = new boolean[types.size()][nodes.size()];
    total = new long[types.size()][nodes.size()];
    systemReserved = new long[types.size()][nodes.size()];
    allocatable = new long[types.size()][nodes.size()];
    long reserved = 0;
    for (int position = 0; position < nodes.size(); position++) {
      fill(machine.nodes().get(position), position, settings);
      reserved += systemReserved[types.indexOf(MEMORY)][position];
    }
    if (reserved == 0) {
      throw new InvalidInputException(
          "reservedMemory: the Static policy expected some memory to be reserved, found none");
    }
  }

  private void fill(NumaNode node, int position, MemorySettings settings) {
    long huge = 0;
    for (var pages : node.memory().hugepages().entrySet()) {
      long bytes = pages.getKey() * 1024 * pages.getValue();
      put(hugepages(pages.getKey()), position, bytes, 0, settings);
      huge += bytes;
    }
    put(MEMORY, position, node.memory().bytes(), huge, settings);
  }

  private void put(String type, int position, long bytes, long used, MemorySettings settings) {
    int kind = types.indexOf(type);
    long reserved = settings.reserved(nodes.id(position), type);
    present[kind][position] = true;
    total[kind][position] = bytes;
    systemReserved[kind][position] = reserved;
    allocatable[kind][position] = bytes - used - reserved;
    if (allocatable[kind][position] < 0) {
      throw new InvalidInputException(
          "reservedMemory: node "
              + nodes.id(position)
              + ": "
              + type
              + ": expected at most "
              + (bytes - used)
              + ", found "
              + reserved);
    }
  }

  /** The resource of hugepages of that many KiB, as Kubernetes names it. */
  static String hugepages(long kib) {
    if (kib % (1 << 20) == 0) {
      return HUGEPAGES + (kib >> 20) + "Gi";
    }
    return kib % (1 << 10) == 0 ? HUGEPAGES + (kib >> 10) + "Mi" : HUGEPAGES + kib + "Ki";
  }
}
