package dev.berth.cpu;

import java.util.Arrays;

/**
 * Linux list syntax, as sysfs, cgroups and boot parameters write sets: {@code 0-3,8,16-31:2/8}.
 *
 * <p>Read strictly: no blanks inside, no empty parts, no descending range. The one leniency is
 * white space around the whole, because sysfs ends its lines.
 */
final class ListSyntax {
  private final String noun;
  private final String text;
  private int at;
  private long[] words = new long[4];

  private ListSyntax(String noun, String text) {
    this.noun = noun;
    this.text = text;
  }

  static long[] parse(String noun, String list) {
    String text = list.strip();
    if (text.isEmpty()) {
      return new long[0];
    }
    ListSyntax reader = new ListSyntax(noun, text);
    reader.readParts();
    return IdSet.trim(reader.words);
  }

  private void readParts() {
    readPart();
    while (at < text.length()) {
      expect(',', "a comma");
      readPart();
    }
  }

  private void readPart() {
    int start = at;
    int first = readNumber();
    if (!skip('-')) {
      addRange(first, first);
      return;
    }
    int last = readNumber();
    if (last < first) {
      throw error(start, "a range from low to high", text.substring(start, at));
    }
    if (!skip(':')) {
      addRange(first, last);
      return;
    }
    int used = readNumber();
    expect('/', "\"/\" and the size of a group");
    int groupAt = at;
    int group = readNumber();
    if (group == 0 || used > group) {
      throw error(groupAt, "a group of at least " + Math.max(used, 1), String.valueOf(group));
    }
    for (long from = first; from <= last && used > 0; from += group) {
      addRange((int) from, (int) Math.min(from + used - 1, last));
    }
  }

  private int readNumber() {
    int start = at;
    long number = 0;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      number = Math.min(number * 10 + text.charAt(at++) - '0', IdSet.ID_LIMIT);
    }
    if (at == start) {
      throw error(at, "a number", found());
    }
    if (number >= IdSet.ID_LIMIT) {
      throw error(start, "at most " + (IdSet.ID_LIMIT - 1), text.substring(start, at));
    }
    return (int) number;
  }

  private void addRange(int first, int last) {
    if (last >> 6 >= words.length) {
      words = Arrays.copyOf(words, Math.max((last >> 6) + 1, words.length * 2));
    }
    for (int index = first >> 6; index <= last >> 6; index++) {
      long mask = -1L;
      if (index == first >> 6) {
        mask &= -1L << first;
      }
      if (index == last >> 6) {
        mask &= -1L >>> (63 - (last & 63));
      }
      words[index] |= mask;
    }
  }

  private boolean skip(char wanted) {
    if (at < text.length() && text.charAt(at) == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char wanted, String name) {
    if (!skip(wanted)) {
      throw error(at, name, found());
    }
  }

  private String found() {
    return at == text.length()
        ? "the end"
        : '"' + text.substring(at, text.offsetByCodePoints(at, 1)) + '"';
  }

  private InvalidInputException error(int position, String expected, String found) {
    String shown = text.length() <= 60 ? text : text.substring(0, 57) + "...";
    String line =
        noun
            + " \""
            + shown
            + "\": expected "
            + expected
            + " at column "
            + (position + 1)
            + ", found "
            + found;
    // A message is one line, whatever the text was.
    return new InvalidInputException(line.replaceAll("\\p{Cntrl}", "?"));
  }

  static String format(long[] words) {
    StringBuilder text = new StringBuilder();
    int first = nextBit(words, 0, 0);
    while (first >= 0) {
      int end = nextBit(words, first, -1);
      int last = (end < 0 ? words.length << 6 : end) - 1;
      if (text.length() > 0) {
        text.append(',');
      }
      text.append(first);
      if (last > first) {
        text.append('-').append(last);
      }
      first = end < 0 ? -1 : nextBit(words, end, 0);
    }
    return text.toString();
  }

  /**
   * The first position from {@code from} on whose bit, after flipping all by {@code flip}, is set;
   * or -1.
   */
  private static int nextBit(long[] words, int from, long flip) {
    for (int index = from >> 6; index < words.length; index++) {
      long word = words[index] ^ flip;
      if (index == from >> 6) {
        word &= -1L << from;
      }
      if (word != 0) {
        return (index << 6) + Long.numberOfTrailingZeros(word);
      }
    }
    return -1;
  }
}
