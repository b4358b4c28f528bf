package dev.berth.topology;

import dev.berth.cpu.InvalidInputException;
import dev.berth.topology.SpecLevel.Attributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the text of a machine spec into its parts, in the order in which they stand. */
final class SpecReader {
  /** Far more than any machine has; a bound on hostile input. */
  static final int LARGEST_WIDTH = 1 << 16;

  private static final Map<String, Long> UNITS =
      Map.of(
          "", 1L,
          "b", 1L,
          "kb", 1_000L,
          "mb", 1_000_000L,
          "gb", 1_000_000_000L,
          "tb", 1_000_000_000_000L,
          "kib", 1L << 10,
          "mib", 1L << 20,
          "gib", 1L << 30,
          "tib", 1L << 40);

  private final String spec;
  private int at;

  SpecReader(String spec) {
    this.spec = spec;
  }

  List<SpecLevel> read() {
    List<SpecLevel> levels = new ArrayList<>();
    skipBlanks();
    while (at < spec.length()) {
      levels.add(readLevel());
      skipBlanks();
    }
    if (levels.isEmpty()) {
      throw error(0, SpecType.EXPECTED, "the end");
    }
    return levels;
  }

  private SpecLevel readLevel() {
    int start = at;
    if (skip('[')) {
      SpecLevel node = readAttached(start);
      expect(']');
      return node;
    }
    if (isDigit()) {
      int width = readWidth();
      return new SpecLevel(null, width, false, readAttributes(null), start);
    }
    SpecType type = readType();
    expect(':');
    int width = readWidth();
    return new SpecLevel(type, width, false, readAttributes(type), start);
  }

  private SpecLevel readAttached(int start) {
    int typeAt = at;
    SpecType type = readType();
    if (type != SpecType.NODE) {
      throw error(typeAt, "numa, for only memory stands in brackets", quoted(typeAt, at));
    }
    return new SpecLevel(type, 1, true, readAttributes(type), start);
  }

  private SpecType readType() {
    int start = at;
    while (at < spec.length() && Character.isLetterOrDigit(spec.charAt(at))) {
      at++;
    }
    SpecType type = SpecType.named(spec.substring(start, at));
    if (type == null) {
      throw error(start, SpecType.EXPECTED, at == start ? found() : quoted(start, at));
    }
    return type;
  }

  private int readWidth() {
    int start = at;
    long width = readNumber();
    if (width < 1 || width > LARGEST_WIDTH) {
      throw error(start, "1 to " + LARGEST_WIDTH, spec.substring(start, at));
    }
    return (int) width;
  }

  /** A number, kept below overflow. */
  private long readNumber() {
    int start = at;
    long number = 0;
    while (isDigit()) {
      number = Math.min(number * 10 + spec.charAt(at++) - '0', Long.MAX_VALUE / 100);
    }
    if (at == start) {
      throw error(at, "a number", found());
    }
    return number;
  }

  private Attributes readAttributes(@Nullable SpecType type) {
    Attributes attributes = Attributes.NONE;
    if (!skip('(')) {
      return attributes;
    }
    skipBlanks();
    while (!skip(')')) {
      int start = at;
      while (at < spec.length() && Character.isLetter(spec.charAt(at))) {
        at++;
      }
      String name = spec.substring(start, at).toLowerCase(Locale.ROOT);
      boolean isNode = type == SpecType.NODE;
      if (name.equals("memory") && isNode) {
        expect('=');
        attributes = attributes.withMemory(readBytes());
      } else if ((name.equals("memorysidecachesize") && isNode)
          || (name.equals("size") && type != null && type.isCache())) {
        expect('=');
        readBytes();
      } else if (name.equals("indexes") && type != null) {
        expect('=');
        attributes = readIndexes(attributes);
      } else {
        throw error(start, attributesOf(type), at == start ? found() : quoted(start, at));
      }
      skipBlanks();
    }
    return attributes;
  }

  private static String attributesOf(@Nullable SpecType type) {
    if (type == null) {
      return "\")\", for a bare number has no attributes";
    }
    return type == SpecType.NODE
        ? "memory=, indexes= or \")\""
        : type.isCache() ? "size=, indexes= or \")\"" : "indexes= or \")\"";
  }

  private Attributes readIndexes(Attributes attributes) {
    int start = at;
    while (at < spec.length() && spec.charAt(at) != ')' && spec.charAt(at) != ' ') {
      at++;
    }
    if (at == start) {
      throw error(start, "numbers or loops", found());
    }
    return attributes.withIndexes(spec.substring(start, at), start);
  }

  private long readBytes() {
    long number = readNumber();
    int start = at;
    while (at < spec.length() && Character.isLetter(spec.charAt(at))) {
      at++;
    }
    Long unit = UNITS.get(spec.substring(start, at).toLowerCase(Locale.ROOT));
    if (unit == null) {
      throw error(start, "a unit (kB, MB, GB, TB, KiB, MiB, GiB, TiB)", quoted(start, at));
    }
    try {
      return Math.multiplyExact(number, unit);
    } catch (ArithmeticException e) {
      throw error(start, "fewer bytes", number + spec.substring(start, at));
    }
  }

  private boolean isDigit() {
    return at < spec.length() && spec.charAt(at) >= '0' && spec.charAt(at) <= '9';
  }

  private void skipBlanks() {
    while (at < spec.length() && Character.isWhitespace(spec.charAt(at))) {
      at++;
    }
  }

  private boolean skip(char wanted) {
    if (at < spec.length() && spec.charAt(at) == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char wanted) {
    if (!skip(wanted)) {
      throw error(at, "\"" + wanted + '"', found());
    }
  }

  private String found() {
    return at == spec.length() ? "the end" : quoted(at, spec.offsetByCodePoints(at, 1));
  }

  private String quoted(int from, int to) {
    return '"' + spec.substring(from, to) + '"';
  }

  private InvalidInputException error(int column, String expected, String found) {
    return error(spec, column, expected, found);
  }

  static InvalidInputException error(String spec, int column, String expected, String found) {
    String shown = spec.length() <= 80 ? spec : spec.substring(0, 77) + "...";
    String line =
        "machine spec \""
            + shown
            + "\": expected "
            + expected
            + " at column "
            + (column + 1)
            + ", found "
            + found;
    // A message is one line, whatever the text was.
    return new InvalidInputException(line.replaceAll("\\p{Cntrl}", "?"));
  }
}
