package dev.berth.ledger;

import dev.berth.cpu.NodeSet;
import dev.berth.ledger.MemoryAssignments.NodeAccount;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.ToLongFunction;

/**
 * Compares accounts that were written down with those that the blocks come to.
 *
 * <p>Nodes that are used together are compared together, because which of them a block lies on is
 * not written down. A node may be in two groups at once, where a container was placed on it alone
 * after others had used it with its neighbours; then all of them are compared together.
 */
final class MemoryCheck {
  private MemoryCheck() {}

  /** What differs, as the end of a sentence. */
  static Optional<String> compare(
      SortedMap<Integer, NodeAccount> expected, SortedMap<Integer, NodeAccount> found) {
    if (!expected.keySet().equals(found.keySet())) {
      return Optional.of("expected NUMA nodes " + expected.keySet() + ", found " + found.keySet());
    }
    for (Map.Entry<Integer, NodeAccount> node : expected.entrySet()) {
      NodeAccount there = found.getOrDefault(node.getKey(), node.getValue());
      String where = "node " + node.getKey() + ": ";
      if (node.getValue().assignments() != there.assignments()) {
        return differs(where + "blocks", node.getValue().assignments(), there.assignments());
      }
      if (!node.getValue().tables().keySet().equals(there.tables().keySet())) {
        return differs(
            where + "memory", node.getValue().tables().keySet(), there.tables().keySet());
      }
      for (String type : there.tables().keySet()) {
        Optional<String> fault =
            tables(where + type, type, together(node.getKey(), expected, found), expected, found);
        if (fault.isPresent()) {
          return fault;
        }
      }
    }
    return Optional.empty();
  }

  /** The nodes that are connected with this one by groups of either side. */
  private static NodeSet together(
      int node, Map<Integer, NodeAccount> expected, Map<Integer, NodeAccount> found) {
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

  private static Optional<String> tables(
      String where,
      String type,
      NodeSet group,
      SortedMap<Integer, NodeAccount> expected,
      SortedMap<Integer, NodeAccount> found) {
    Map<String, ToLongFunction<MemoryTable>> columns =
        Map.of(
            "total", MemoryTable::total,
            "systemReserved", MemoryTable::systemReserved,
            "allocatable", MemoryTable::allocatable,
            "free", MemoryTable::free,
            "reserved", MemoryTable::reserved);
    for (Map.Entry<String, ToLongFunction<MemoryTable>> column : columns.entrySet()) {
      long wanted = sum(type, group, expected, column.getValue());
      long there = sum(type, group, found, column.getValue());
      if (wanted != there) {
        return differs(where + " " + column.getKey(), wanted, there);
      }
    }
    return Optional.empty();
  }

  private static long sum(
      String type,
      NodeSet group,
      Map<Integer, NodeAccount> accounts,
      ToLongFunction<MemoryTable> column) {
    return group.stream()
        .mapToObj(accounts::get)
        .filter(account -> account != null && account.tables().containsKey(type))
        .mapToLong(account -> column.applyAsLong(account.tables().get(type)))
        .sum();
  }

  private static Optional<String> differs(String what, Object expected, Object found) {
    return Optional.of(what + ": expected " + expected + ", found " + found);
  }
}
