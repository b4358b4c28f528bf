package dev.berth.ledger;

import dev.berth.cpu.NodeSet;
import java.util.List;

/**
 * Memory of one kind that a container was given.
 *
 * @param nodes the NUMA nodes that it comes from, together
 * @param type {@code memory}, {@code hugepages-2Mi}, …
 * @param size in bytes; an init container's shrinks by what later containers use again
 */
public record MemoryBlock(NodeSet nodes, String type, long size) {
  /** Blocks in our order: memory, then hugepages by name. Kubernetes leaves it to chance. */
  public static List<MemoryBlock> sorted(List<MemoryBlock> blocks) {
    return blocks.stream()
        .sorted((one, other) -> MemoryNeeds.memoryFirst(one.type(), other.type()))
        .toList();
  }

  MemoryBlock withSize(long bytes) {
    return new MemoryBlock(nodes, type, bytes);
  }
}
