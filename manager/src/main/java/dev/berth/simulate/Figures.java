package dev.berth.simulate;

import dev.berth.story.Boundary;
import dev.berth.story.Step;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a simulation comes to.
 *
 * @param seconds from the beginning to the last thing that happened
 * @param timed whether means are over time; where no time passes, every step counts the same
 * @param admitted how many pods were let in; those from the start do not count
 * @param refused how many were refused, by the reason's name
 * @param exclusive how many pods were given CPUs of their own
 * @param compact how many of these lie as on an empty machine: every container in as few cores, L3
 *     caches, NUMA nodes and sockets as so many CPUs can lie in
 * @param alignment the containers with CPUs of their own, counted for each kind of place
 * @param use the part of all CPUs that can be given to one container alone that were
 * @param nodeFragmentation of the free CPUs, see {@link Fragmentation}, by NUMA node
 * @param cacheFragmentation the same by L3 cache
 * @param series the three of these over time, in at most some hundred points
 * @param firstRefused the first that were refused, explained
 * @param surprises who shares though it looks guaranteed, and why, a line a reason
 * @param unchecked what was asked for, admitted and counted by nobody, a line each
 */
public record Figures(
    double seconds,
    boolean timed,
    int admitted,
    SortedMap<String, Integer> refused,
    int exclusive,
    int compact,
    Map<Boundary, Aligned> alignment,
    Course use,
    Course nodeFragmentation,
    Course cacheFragmentation,
    List<Point> series,
    List<Step> firstRefused,
    List<String> surprises,
    List<String> unchecked) {
  /** Takes unmodifiable copies. */
  public Figures {
    refused = Collections.unmodifiableSortedMap(new TreeMap<>(refused));
    alignment = Collections.unmodifiableMap(new EnumMap<>(alignment));
    series = List.copyOf(series);
    firstRefused = List.copyOf(firstRefused);
    surprises = List.copyOf(surprises);
    unchecked = List.copyOf(unchecked);
  }

  /**
   * Containers with CPUs of their own, and one kind of place.
   *
   * @param containers how many there were
   * @param small how many would fit into one such place of an empty machine
   * @param within how many lie within one
   * @param fewest how many lie in as few as possible
   */
  public record Aligned(int containers, int small, int within, int fewest) {}

  /**
   * A part of a whole, over time, from 0 to 1.
   *
   * @param mean on average
   * @param most at its highest
   */
  public record Course(double mean, double most) {}

  /**
   * A stretch of the time.
   *
   * @param at where it begins, in seconds; in steps where no time passes
   * @param use the part of the CPUs that were given away, on average in this stretch
   * @param nodeFragmentation by NUMA node, on average in this stretch
   * @param cacheFragmentation by L3 cache, on average in this stretch
   */
  public record Point(double at, double use, double nodeFragmentation, double cacheFragmentation) {}

  /** How many were refused in all. */
  public int refusedInAll() {
    return refused.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** How many came. */
  public int came() {
    return admitted + refusedInAll();
  }
}
