package dev.berth.relief;

import dev.berth.ledger.MemoryAssignments;
import dev.berth.ledger.MemoryBlock;
import dev.berth.ledger.MemoryTable;
import dev.berth.ledger.Node;
import dev.berth.ledger.Owed;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * How much of each resource every NUMA node has, in slots: first the CPUs of all nodes, then one
 * kind of memory after the other. Memory counts only where the policy lets nobody be on two nodes.
 */
final class Stock {
  /**
   * What a part needs on one node.
   *
   * @param item where it suits
   * @param amounts how much of each resource, in the order of the slots
   */
  record Need(Item item, List<Long> amounts) {
    Need {
      amounts = List.copyOf(amounts);
    }
  }

  private final Node node;
  private final Places places;
  private final List<String> kinds;

  /** Of the kinds that somebody wants. */
  Stock(Node node, Places places, Owed wanted) {
    this.node = node;
    this.places = places;
    TreeSet<String> asked = new TreeSet<>();
    if (places.isAlwaysOne() && node.memoryAssignments().isPresent()) {
      wanted.parts().forEach(part -> asked.addAll(part.memory().keySet()));
    }
    kinds = List.copyOf(asked);
  }

  int nodes() {
    return places.count();
  }

  int slots() {
    return (1 + kinds.size()) * nodes();
  }

  /** What nobody has. */
  long[] free() {
    long[] free = new long[slots()];
    int[] cpus = places.spread(node.assignable());
    for (int at = 0; at < nodes(); at++) {
      free[at] = cpus[at];
    }
    for (int kind = 0; kind < kinds.size(); kind++) {
      for (int at = 0; at < nodes(); at++) {
        free[slot(kind, at)] = free(kinds.get(kind), places.get(at).id());
      }
    }
    return free;
  }

  private long free(String kind, int id) {
    return node.memoryAssignments()
        .map(MemoryAssignments::nodes)
        .map(nodes -> nodes.get(id))
        .map(account -> account.tables().get(kind))
        .map(MemoryTable::free)
        .orElse(0L);
  }

  /**
   * At most what each node has back when somebody leaves: of memory that several nodes give
   * together, each may have all.
   */
  long[] of(Mover mover) {
    long[] held = new long[slots()];
    for (int at = 0; at < nodes(); at++) {
      held[at] = mover.on(at);
    }
    List<MemoryBlock> blocks =
        node.memoryAssignments().map(all -> all.counted(mover.pod().uid())).orElse(List.of());
    for (MemoryBlock block : blocks) {
      int kind = kinds.indexOf(block.type());
      for (int at = 0; kind >= 0 && at < nodes(); at++) {
        held[slot(kind, at)] += block.nodes().contains(places.get(at).id()) ? block.size() : 0;
      }
    }
    return held;
  }

  /** What the parts of one that have to be on one node each need there. */
  List<Need> needs(Owed owed) {
    return owed.parts().stream().filter(places::binds).map(this::need).toList();
  }

  private Need need(Owed.Part part) {
    List<Long> amounts = new ArrayList<>(List.of((long) part.cpus()));
    kinds.forEach(kind -> amounts.add(part.memory().getOrDefault(kind, 0L)));
    return new Need(places.item(part), amounts);
  }

  private int slot(int kind, int at) {
    return (1 + kind) * nodes() + at;
  }
}
