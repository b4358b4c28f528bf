package dev.berth.ledger;

import dev.berth.cpu.NodeSet;
import dev.berth.ledger.MemoryAssignments.NodeAccount;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.ToLongFunction;

/**
 * Compares accounts that were written down with those that the blocks come to.
 *
 * <p>What a node has is compared node by node. What is given away is compared together for nodes
 * that are used together, because which of them a block lies on is not written down. The group that
 * was written down may be the node alone although a block names others too: Kubernetes writes the
 * group of the last block. The groups that the blocks come to count.
 */
final class MemoryCheck {
  private static final List<Map.Entry<String, ToLongFunction<MemoryTable>>> FIXED =
      List.of(
          Map.entry("total", MemoryTable::total),
          Map.entry("systemReserved", MemoryTable::systemReserved),
          Map.entry("allocatable", MemoryTable::allocatable));

  private final MemoryBooks books;
  private final SortedMap<Integer, NodeAccount> expected;
  private final SortedMap<Integer, NodeAccount> found;

  private MemoryCheck(MemoryBooks books, SortedMap<Integer, NodeAccount> found) {
    this.books = books;
    this.expected = books.accounts();
    this.found = found;
  }

  /**
   * What differs, as the end of a sentence.
   *
   * @param books what the blocks come to
   * @param used the sets of nodes that the blocks are on
   * @param found what was written down
   */
  static Optional<String> compare(
      MemoryBooks books, Set<NodeSet> used, SortedMap<Integer, NodeAccount> found) {
    return new MemoryCheck(books, found).compare(used);
  }

  private Optional<String> compare(Set<NodeSet> used) {
    if (!expected.keySet().equals(found.keySet())) {
      return Optional.of("expected NUMA nodes " + expected.keySet() + ", found " + found.keySet());
    }
    for (int position = 0; position < expected.size(); position++) {
      int node = books.stock().nodes.id(position);
      Optional<String> fault = account(node, used);
      for (String type : books.stock().types) {
        int at = position;
        fault = fault.or(() -> table(node, at, type));
      }
      if (fault.isPresent()) {
        return fault.map(words -> "node " + node + ": " + words);
      }
    }
    return Optional.empty();
  }

  private Optional<String> account(int node, Set<NodeSet> used) {
    NodeAccount wanted = of(expected, node);
    NodeAccount there = of(found, node);
    if (wanted.assignments() != there.assignments()) {
      return differs("blocks", wanted.assignments(), there.assignments());
    }
    boolean single = there.group().equals(NodeSet.of(node));
    if (!single && !(there.group().contains(node) && used.contains(there.group()))) {
      return differs("cells", wanted.group(), there.group());
    }
    return wanted.tables().keySet().equals(there.tables().keySet())
        ? Optional.empty()
        : differs("kinds of memory", wanted.tables().keySet(), there.tables().keySet());
  }

  private Optional<String> table(int node, int position, String type) {
    MemoryTable wanted = of(expected, node).tables().get(type);
    MemoryTable there = of(found, node).tables().get(type);
    if (wanted == null || there == null) {
      return Optional.empty();
    }
    for (Map.Entry<String, ToLongFunction<MemoryTable>> column : FIXED) {
      long here = column.getValue().applyAsLong(wanted);
      if (here != column.getValue().applyAsLong(there)) {
        return differs(type + " " + column.getKey(), here, column.getValue().applyAsLong(there));
      }
    }
    NodeSet group = together(node);
    long reserved = reserved(expected, group, type);
    if (reserved != reserved(found, group, type)) {
      String where = group.size() == 1 ? "" : " of nodes " + group + " together";
      return differs(type + " reserved" + where, reserved, reserved(found, group, type));
    }
    if (there.reserved() < books.alone(type, position)) {
      return differs(
          type + " reserved", "at least " + books.alone(type, position), there.reserved());
    }
    long free = there.allocatable() - there.reserved();
    return free == there.free() ? Optional.empty() : differs(type + " free", free, there.free());
  }

  /** The nodes that are connected with this one by groups of either side. */
  private NodeSet together(int node) {
    NodeSet all = NodeSet.of(node);
    NodeSet before = NodeSet.EMPTY;
    while (!all.equals(before)) {
      before = all;
      for (Map<Integer, NodeAccount> side : List.of(expected, found)) {
        for (NodeAccount account : side.values()) {
          all = account.group().intersects(all) ? all.union(account.group()) : all;
        }
      }
    }
    return all;
  }

  private static long reserved(Map<Integer, NodeAccount> accounts, NodeSet group, String type) {
    return group.stream()
        .mapToObj(node -> of(accounts, node).tables().get(type))
        .mapToLong(table -> table == null ? 0 : table.reserved())
        .sum();
  }

  /** Every node has an account on both sides by the time this is asked. */
  private static NodeAccount of(Map<Integer, NodeAccount> accounts, int node) {
    NodeAccount account = accounts.get(node);
    if (account == null) {
      throw new IllegalStateException("node " + node + " without an account");
    }
    return account;
  }

  private static Optional<String> differs(String what, Object expected, Object found) {
    return Optional.of(what + ": expected " + expected + ", found " + found);
  }
}
