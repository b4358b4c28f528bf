package dev.berth.ledger;

import dev.berth.cpu.NodeSet;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who has which memory at one moment: what a checkpoint holds.
 *
 * @param nodes the accounts, by NUMA node
 * @param blocks by pod and container, the memory that is theirs
 * @param budgets by pod, the memory of its own budget, where it has one
 */
public record MemoryAssignments(
    SortedMap<Integer, NodeAccount> nodes,
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> blocks,
    SortedMap<String, List<MemoryBlock>> budgets) {
  /**
   * The accounts of a NUMA node.
   *
   * @param assignments how many blocks name it
   * @param tables by kind of memory
   * @param group the nodes that it is used together with, itself included
   */
  public record NodeAccount(int assignments, SortedMap<String, MemoryTable> tables, NodeSet group) {
    /** Takes an unmodifiable copy. */
    public NodeAccount {
      tables = Collections.unmodifiableSortedMap(new TreeMap<>(tables));
    }
  }

  /** Takes unmodifiable copies. */
  public MemoryAssignments {
    nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> copy = new TreeMap<>();
    blocks.forEach((pod, containers) -> {
      SortedMap<String, List<MemoryBlock>> inner = new TreeMap<>();
      containers.forEach((name, list) -> inner.put(name, List.copyOf(list)));
      copy.put(pod, Collections.unmodifiableSortedMap(inner));
    });
    blocks = Collections.unmodifiableSortedMap(copy);
    SortedMap<String, List<MemoryBlock>> own = new TreeMap<>();
    budgets.forEach((pod, list) -> own.put(pod, List.copyOf(list)));
    budgets = Collections.unmodifiableSortedMap(own);
  }

  /**
   * The blocks of a pod that count: its budget's, where it has one, for its containers' are parts
   * of it; its containers' otherwise.
   */
  public List<MemoryBlock> counted(String pod) {
    List<MemoryBlock> budget = budgets.get(pod);
    return budget != null
        ? budget
        : blocks.getOrDefault(pod, Collections.emptySortedMap()).values().stream()
            .flatMap(List::stream)
            .toList();
  }
}
