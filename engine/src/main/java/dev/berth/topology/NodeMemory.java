package dev.berth.topology;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The memory of a NUMA node.
 *
 * @param bytes all of it, hugepages included
 * @param hugepages how many pages are set aside, by page size in KiB
 */
public record NodeMemory(long bytes, SortedMap<Long, Long> hugepages) {
  /** No memory known. */
  public static final NodeMemory NONE = new NodeMemory(0, Collections.emptySortedMap());

  /** Takes an unmodifiable copy of the hugepages. */
  public NodeMemory {
    hugepages = Collections.unmodifiableSortedMap(new TreeMap<>(hugepages));
  }

  /** Makes one from any map. */
  public static NodeMemory of(long bytes, Map<Long, Long> hugepages) {
    return new NodeMemory(bytes, new TreeMap<>(hugepages));
  }
}
