package dev.berth.guest;

import dev.berth.cpu.InvalidInputException;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

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

  /** Linux knows up to three a machine. */
  private static final int MOST_SIZES = 16;

  private static final Pattern SIZE = Pattern.compile("[0-9]{1,9}[KMG]B");

  /** Takes a copy; refuses sizes of pages that are none, for they become names of resources. */
  public Allowance {
    if (hugepages.size() > MOST_SIZES) {
      throw new InvalidInputException(
          "huge pages: expected at most " + MOST_SIZES + " sizes, found " + hugepages.size());
    }
    for (String size : hugepages.keySet()) {
      if (!SIZE.matcher(size).matches()) {
        throw new InvalidInputException(
            "huge pages: expected a size such as 2MB, found \""
                + size.substring(0, Math.min(size.length(), 20))
                + "\"");
      }
    }
    hugepages =
        hugepages.isEmpty()
            ? Collections.emptySortedMap()
            : Collections.unmodifiableSortedMap(new TreeMap<>(hugepages));
  }

  /** The same, from a map in any order. */
  public static Allowance of(
      long shares, long quota, long period, long memory, Map<String, Long> hugepages) {
    return new Allowance(shares, quota, period, memory, new TreeMap<>(hugepages));
  }
}
