package dev.berth.ledger;

import dev.berth.cpu.NodeSet;
import dev.berth.ledger.MemoryAssignments.NodeAccount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** What holds of memory at every moment, told from the accounts and blocks alone. */
final class MemoryRules {
  private final MemoryAssignments memory;
  private final List<MemoryBlock> counted = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();

  private MemoryRules(MemoryAssignments memory) {
    this.memory = memory;
    Set<String> pods = new HashSet<>(memory.blocks().keySet());
    pods.addAll(memory.budgets().keySet());
    pods.forEach(pod -> counted.addAll(memory.counted(pod)));
  }

  /** What is broken, a line each. */
  static List<String> broken(MemoryAssignments memory) {
    MemoryRules rules = new MemoryRules(memory);
    memory.nodes().forEach(rules::node);
    memory
        .blocks()
        .forEach((pod, containers) ->
            containers.values().forEach(list -> list.forEach(block -> rules.positive(pod, block))));
    rules.groups();
    return rules.broken;
  }

  private void positive(String pod, MemoryBlock block) {
    report(block.size() < 0, "pod " + pod + " has " + block);
  }

  private void node(int id, NodeAccount account) {
    long blocks = counted.stream().filter(block -> block.nodes().contains(id)).count();
    report(blocks != account.assignments(), "node " + id + ": " + blocks + " blocks, " + account);
    NodeSet group = NodeSet.of(id);
    for (MemoryBlock block : counted) {
      group = block.nodes().contains(id) ? group.union(block.nodes()) : group;
    }
    report(!account.group().equals(group), "node " + id + ": " + account + ", blocks on " + group);
    account
        .tables()
        .forEach((type, table) -> {
          report(
              table.free() + table.reserved() != table.allocatable()
                  || table.free() < 0
                  || table.reserved() < 0,
              "node " + id + ": " + type + ": " + table);
          long alone =
              counted.stream()
                  .filter(
                      block -> block.type().equals(type) && block.nodes().equals(NodeSet.of(id)))
                  .mapToLong(MemoryBlock::size)
                  .sum();
          report(alone > table.reserved(), "node " + id + ": " + type + ": alone " + alone);
        });
  }

  /** Whatever is given away belongs to somebody, and everybody has what is his. */
  private void groups() {
    for (NodeSet group : groupsOf(memory)) {
      Map<String, Long> sums = new HashMap<>();
      for (MemoryBlock block : counted) {
        if (block.nodes().intersects(group)) {
          sums.merge(block.type(), block.size(), Long::sum);
        }
      }
      sums.values().removeIf(size -> size == 0);
      Map<String, Long> given = new HashMap<>(given(memory, group));
      given.values().removeIf(size -> size == 0);
      report(!sums.equals(given), "nodes " + group + ": blocks " + sums + ", given " + given);
    }
  }

  private void report(boolean isBroken, String what) {
    if (isBroken) {
      broken.add(what);
    }
  }

  /** The sets of nodes that blocks connect, every node in one. */
  private static Set<NodeSet> groupsOf(MemoryAssignments memory) {
    Set<NodeSet> groups = new HashSet<>();
    MemoryRules rules = new MemoryRules(memory);
    for (int id : memory.nodes().keySet()) {
      NodeSet all = NodeSet.of(id);
      NodeSet before = NodeSet.EMPTY;
      while (!all.equals(before)) {
        before = all;
        for (MemoryBlock block : rules.counted) {
          all = block.nodes().intersects(all) ? all.union(block.nodes()) : all;
        }
      }
      groups.add(all);
    }
    return groups;
  }

  private static Map<String, Long> given(MemoryAssignments memory, NodeSet group) {
    return sums(memory, group, MemoryTable::reserved);
  }

  private static Map<String, Long> sums(
      MemoryAssignments memory, NodeSet group, ToLongFunction<MemoryTable> amount) {
    SortedMap<String, Long> sums = new TreeMap<>();
    memory
        .nodes()
        .forEach((id, account) -> {
          if (group.contains(id)) {
            account
                .tables()
                .forEach((type, table) -> sums.merge(type, amount.applyAsLong(table), Long::sum));
          }
        });
    return sums;
  }

  /**
   * All that a step may not change: who has what, the group of each node, and what is given and
   * free, summed over nodes that are used together. On which of them it is counted may change.
   */
  static Map<String, Object> essence(MemoryAssignments memory) {
    Map<NodeSet, Object> sums = new HashMap<>();
    groupsOf(memory).forEach(group -> sums.put(group, given(memory, group)));
    Map<NodeSet, Object> left = new HashMap<>();
    groupsOf(memory).forEach(group -> left.put(group, sums(memory, group, MemoryTable::free)));
    Map<Integer, Object> nodes = new HashMap<>();
    memory.nodes().forEach((id, node) -> nodes.put(id, node.assignments() + " " + node.group()));
    return Map.of(
        "given", sums,
        "free", left,
        "nodes", nodes,
        "blocks", memory.blocks(),
        "budgets", memory.budgets());
  }
}
