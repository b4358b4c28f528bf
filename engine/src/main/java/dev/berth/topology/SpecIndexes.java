package dev.berth.topology;

import dev.berth.cpu.IdSet;
import dev.berth.cpu.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The kernel's numbers for the places of one level, from the value of {@code indexes=}.
 *
 * <p>Three forms, as hwloc has them. A list, {@code 0,2,1,3}, gives the number of each place in the
 * order of the spec. Loops, {@code 2*6:1*2}, number the places by walking them: the first loop
 * turns fastest, and takes 6 steps of 2 places. Levels, {@code pack:core}, are loops over places of
 * these levels. A last loop over what remains may be left out.
 */
final class SpecIndexes {
  private record Loop(int step, int times) {}

  private final String spec;
  private final String text;
  private final int column;
  private final List<SpecLevel> levels;
  private final int[] counts;
  private final int level;

  /**
   * Prepares to number the places of {@code levels.get(level)}.
   *
   * @param counts how many places each level has in the whole machine
   */
  SpecIndexes(String spec, List<SpecLevel> levels, int[] counts, int level) {
    this(
        spec,
        String.valueOf(levels.get(level).attributes().indexes()),
        levels.get(level).attributes().indexesAt(),
        levels,
        counts,
        level);
  }

  private SpecIndexes(
      String spec, String text, int column, List<SpecLevel> levels, int[] counts, int level) {
    this.spec = spec;
    this.text = text;
    this.column = column;
    this.levels = levels;
    this.counts = counts;
    this.level = level;
  }

  /** Numbers for {@code count} places from a list, for memory in brackets, which has no loops. */
  static int[] list(String spec, SpecLevel attached, int count) {
    String text = String.valueOf(attached.attributes().indexes());
    return new SpecIndexes(spec, text, attached.attributes().indexesAt(), List.of(), new int[0], 0)
        .readList(count);
  }

  int[] resolve() {
    int count = counts[level];
    if (text.indexOf('*') >= 0) {
      return walk(readLoops(), count);
    }
    return Character.isDigit(text.charAt(0)) ? readList(count) : walk(readTypes(), count);
  }

  private int[] readList(int count) {
    String[] parts = text.split(",", -1);
    if (parts.length != count) {
      throw error(column, count + " numbers", String.valueOf(parts.length));
    }
    int[] numbers = new int[count];
    BitSet seen = new BitSet();
    int at = column;
    for (int i = 0; i < count; i++) {
      numbers[i] = number(parts[i], at, 0);
      if (seen.get(numbers[i])) {
        throw error(at, "every number once", parts[i] + " again");
      }
      seen.set(numbers[i]);
      at += parts[i].length() + 1;
    }
    return numbers;
  }

  private int number(String part, int at, int least) {
    try {
      int number = Integer.parseInt(part);
      if (number >= least && number < IdSet.ID_LIMIT && part.charAt(0) != '+') {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, with the column.
    }
    throw error(at, "a number from " + least, '"' + part + '"');
  }

  private List<Loop> readLoops() {
    List<Loop> loops = new ArrayList<>();
    int at = column;
    for (String part : text.split(":", -1)) {
      int star = part.indexOf('*');
      if (star < 0) {
        throw error(at, "a loop such as 2*8", '"' + part + '"');
      }
      int step = number(part.substring(0, star), at, 1);
      loops.add(new Loop(step, number(part.substring(star + 1), at + star + 1, 1)));
      at += part.length() + 1;
    }
    return loops;
  }

  private List<Loop> readTypes() {
    List<Integer> named = new ArrayList<>();
    int at = column;
    for (String part : text.split(":", -1)) {
      SpecType type = SpecType.named(part);
      int found = -1;
      for (int i = 0; i <= level && found < 0; i++) {
        found = type != null && levels.get(i).is(type) ? i : -1;
      }
      if (found < 0 || named.contains(found)) {
        throw error(at, "another level of this spec down to this one", '"' + part + '"');
      }
      named.add(found);
      at += part.length() + 1;
    }
    List<Loop> loops = new ArrayList<>();
    for (int inner : named) {
      int outer = named.stream().filter(i -> i < inner).max(Integer::compare).orElse(-1);
      int places = outer < 0 ? counts[inner] : counts[inner] / counts[outer];
      loops.add(new Loop(counts[level] / counts[inner], places));
    }
    return loops;
  }

  private int[] walk(List<Loop> loops, int count) {
    List<Loop> all = new ArrayList<>(loops);
    int smallest = loops.stream().mapToInt(Loop::step).min().orElse(1);
    if (smallest > 1) {
      all.add(new Loop(1, smallest));
    }
    long total = 1;
    for (Loop loop : all) {
      total = Math.min(total * loop.times, IdSet.ID_LIMIT);
    }
    if (total != count) {
      throw error(column, "loops over " + count + " places", "loops over " + total);
    }
    int[] numbers = new int[count];
    Arrays.fill(numbers, -1);
    for (int number = 0; number < count; number++) {
      long place = 0;
      int rest = number;
      for (Loop loop : all) {
        place += (long) (rest % loop.times) * loop.step;
        rest /= loop.times;
      }
      if (place >= count || numbers[(int) place] >= 0) {
        throw error(column, "loops that reach every place once", '"' + text + '"');
      }
      numbers[(int) place] = number;
    }
    return numbers;
  }

  private InvalidInputException error(int at, String expected, String found) {
    return SpecReader.error(spec, at, expected, found);
  }
}
