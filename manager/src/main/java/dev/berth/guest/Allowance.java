package dev.berth.guest;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a runtime was told to let a container have, as the kernel's numbers. 0 where it was told
 * nothing.
 *
 * @param shares CPU shares, 1,024 for a CPU
 * @param quota microseconds of CPU in a period; none where negative
 * @param period microseconds
 * @param memory the most bytes; none where negative
 * @param hugepages the most bytes by size of page, {@code 2MB} or {@code 1GB}
 */
public record Allowance(
    long shares, long quota, long period, long memory, SortedMap<String, Long> hugepages) {
  /** Nothing was told. */
  public static final Allowance UNTOLD = new Allowance(0, 0, 0, 0, Collections.emptySortedMap());

  /** Takes a copy. */
  public Allowance {
    hugepages = Collections.unmodifiableSortedMap(new TreeMap<>(hugepages));
  }

  /** The same, from a map in any order. */
  public static Allowance of(
      long shares, long quota, long period, long memory, Map<String, Long> hugepages) {
    return new Allowance(shares, quota, period, memory, new TreeMap<>(hugepages));
  }
}
