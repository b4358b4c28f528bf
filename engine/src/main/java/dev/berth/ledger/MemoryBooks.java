package dev.berth.ledger;

import dev.berth.cpu.NodeSet;
import dev.berth.ledger.MemoryAssignments.NodeAccount;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The accounts of memory that change: what is free, how many blocks name a node, and which nodes
 * are used together. Copied for every draft, so that one that is not committed leaves no trace.
 *
 * <p>A node's group follows from the blocks that are held: the nodes of the widest block that names
 * it, or the node alone. {@link #allows} keeps different wide blocks apart, so there is at most one
 * such set of nodes. No order of giving and taking back can lead to another group.
 */
final class MemoryBooks {
  private final MemoryStock stock;
  private final long[][] free;
  private final long[][] given;

  /** Of what was given, how much belongs to blocks of that node alone. */
  private final long[][] alone;

  /**
   * What is spoken for beyond pods' own budgets: not in the accounts, but not to be given twice.
   */
  private final long[][] promised;

  private final int[] assignments;

  /** Of the blocks that name a node, how many name others too. */
  private final int[] shared;

  private final NodeSet[] groups;

  MemoryBooks(MemoryStock stock) {
    this.stock = stock;
    int nodes = stock.nodes.size();
    free = new long[stock.types.size()][];
    given = new long[stock.types.size()][nodes];
    alone = new long[stock.types.size()][nodes];
    promised = new long[stock.types.size()][nodes];
    for (int type = 0; type < free.length; type++) {
      free[type] = stock.allocatable[type].clone();
    }
    assignments = new int[nodes];
    shared = new int[nodes];
    groups = new NodeSet[nodes];
    for (int position = 0; position < nodes; position++) {
      groups[position] = NodeSet.of(stock.nodes.id(position));
    }
  }

  private MemoryBooks(MemoryBooks other) {
    stock = other.stock;
    free = new long[other.free.length][];
    given = new long[other.given.length][];
    alone = new long[other.alone.length][];
    promised = new long[other.promised.length][];
    for (int type = 0; type < free.length; type++) {
      free[type] = other.free[type].clone();
      given[type] = other.given[type].clone();
      alone[type] = other.alone[type].clone();
      promised[type] = other.promised[type].clone();
    }
    assignments = other.assignments.clone();
    shared = other.shared.clone();
    groups = other.groups.clone();
  }

  MemoryBooks copy() {
    return new MemoryBooks(this);
  }

  MemoryStock stock() {
    return stock;
  }

  /** What is free of a kind at a position; 0 of a kind that is not known. */
  long free(String type, int position) {
    int kind = stock.types.indexOf(type);
    return kind < 0 ? 0 : Math.max(free[kind][position] - promised[kind][position], 0);
  }

  /** What is free of a kind on these nodes together. */
  long free(String type, NodeSet nodes) {
    int kind = stock.types.indexOf(type);
    long sum = 0;
    for (int position = 0; position < assignments.length && kind >= 0; position++) {
      if (nodes.contains(stock.nodes.id(position))) {
        sum += free[kind][position] - promised[kind][position];
      }
    }
    return Math.max(sum, 0);
  }

  boolean isAssigned(int position) {
    return assignments[position] > 0;
  }

  /** The nodes that the one at a position is used together with, itself included. */
  NodeSet group(int position) {
    return groups[position];
  }

  /** Whether these nodes can be used together, seeing what they are used for already. */
  boolean allows(NodeSet nodes) {
    if (nodes.size() == 1) {
      return true;
    }
    for (int position = 0; position < assignments.length; position++) {
      if (nodes.contains(stock.nodes.id(position))
          && isAssigned(position)
          && !groups[position].equals(nodes)) {
        return false;
      }
    }
    return true;
  }

  /** A group of several nodes that has some of these nodes, but is not just these. */
  Optional<NodeSet> otherGroup(NodeSet nodes) {
    for (int position = 0; position < assignments.length && nodes.size() > 1; position++) {
      if (nodes.contains(stock.nodes.id(position))
          && shared[position] > 0
          && !groups[position].equals(nodes)) {
        return Optional.of(groups[position]);
      }
    }
    return Optional.empty();
  }

  /**
   * Gives memory away, from the lowest node on; a block of size 0 counts too.
   *
   * @return the bytes that its nodes do not have
   */
  long give(MemoryBlock block) {
    int kind = stock.types.indexOf(block.type());
    long rest = block.size();
    for (int position = 0; position < assignments.length; position++) {
      if (!block.nodes().contains(stock.nodes.id(position))) {
        continue;
      }
      assignments[position]++;
      if (block.nodes().size() > 1) {
        shared[position]++;
        groups[position] = block.nodes();
      }
      if (kind >= 0) {
        long part = Math.min(rest, free[kind][position]);
        free[kind][position] -= part;
        given[kind][position] += part;
        alone[kind][position] += block.nodes().size() == 1 ? part : 0;
        rest -= part;
      }
    }
    return rest;
  }

  /**
   * Sets memory aside that a container has beyond its pod's budget. Upstream writes such a block
   * down and counts it nowhere; the accounts are to be the same, but nobody else is to be given it.
   */
  void promise(MemoryBlock block) {
    promise(block, block.size());
  }

  /** Lets go of what was set aside. */
  void letGo(MemoryBlock block) {
    promise(block, -block.size());
  }

  /**
   * Noted at the block's lowest node, whatever is free there, so that the order does not matter.
   */
  private void promise(MemoryBlock block, long bytes) {
    int kind = stock.types.indexOf(block.type());
    for (int position = 0; position < assignments.length && kind >= 0; position++) {
      if (block.nodes().contains(stock.nodes.id(position))) {
        promised[kind][position] += bytes;
        return;
      }
    }
  }

  /** What blocks of the node at a position alone have of a kind. */
  long alone(String type, int position) {
    int kind = stock.types.indexOf(type);
    return kind < 0 ? 0 : alone[kind][position];
  }

  /**
   * Takes memory back, from the lowest node on; but from no node what is there for it alone, or
   * that block would find nothing to give back later.
   */
  void takeBack(MemoryBlock block) {
    int kind = stock.types.indexOf(block.type());
    long rest = block.size();
    boolean single = block.nodes().size() == 1;
    for (int position = 0; position < assignments.length; position++) {
      int node = stock.nodes.id(position);
      if (!block.nodes().contains(node)) {
        continue;
      }
      assignments[position]--;
      if (!single && --shared[position] == 0) {
        groups[position] = NodeSet.of(node);
      }
      if (kind >= 0) {
        long kept = single ? 0 : alone[kind][position];
        long part = Math.min(rest, given[kind][position] - kept);
        alone[kind][position] -= single ? part : 0;
        free[kind][position] += part;
        given[kind][position] -= part;
        rest -= part;
      }
    }
  }

  SortedMap<Integer, NodeAccount> accounts() {
    SortedMap<Integer, NodeAccount> accounts = new TreeMap<>();
    for (int position = 0; position < assignments.length; position++) {
      SortedMap<String, MemoryTable> tables = new TreeMap<>();
      for (int kind = 0; kind < free.length; kind++) {
        if (stock.present[kind][position]) {
          tables.put(stock.types.get(kind), table(kind, position));
        }
      }
      accounts.put(
          stock.nodes.id(position),
          new NodeAccount(assignments[position], tables, groups[position]));
    }
    return accounts;
  }

  private MemoryTable table(int kind, int position) {
    return new MemoryTable(
        stock.total[kind][position],
        stock.systemReserved[kind][position],
        stock.allocatable[kind][position],
        given[kind][position],
        free[kind][position]);
  }

  /** Sets the amounts to what was written down, node by node; groups follow from the blocks. */
  void restore(Map<Integer, NodeAccount> accounts) {
    for (int position = 0; position < assignments.length; position++) {
      NodeAccount account = accounts.get(stock.nodes.id(position));
      if (account == null) {
        continue;
      }
      assignments[position] = account.assignments();
      for (int kind = 0; kind < free.length; kind++) {
        MemoryTable table = account.tables().get(stock.types.get(kind));
        if (table != null) {
          free[kind][position] = table.free();
          given[kind][position] = table.reserved();
        }
      }
    }
  }
}
