package dev.berth.ledger;

import dev.berth.cpu.NodeSet;

/**
 * Memory of one kind that a container was given.
 *
 * @param nodes the NUMA nodes that it comes from, together
 * @param type {@code memory}, {@code hugepages-2Mi}, …
 * @param size in bytes; an init container's shrinks by what later containers use again
 */
public record MemoryBlock(NodeSet nodes, String type, long size) {
  MemoryBlock withSize(long bytes) {
    return new MemoryBlock(nodes, type, bytes);
  }
}
