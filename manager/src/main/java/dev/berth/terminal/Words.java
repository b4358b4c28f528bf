package dev.berth.terminal;

import java.util.ArrayList;
import java.util.List;

/** Words made fit for a line of a terminal. */
public final class Words {
  private static final char LONGER = '…';
  private static final String PLAIN_BARS = " .:-=+*%#";

  /** From here on characters may take two columns, or none. */
  private static final char FIRST_WIDE = '\u1100';

  private Words() {}

  /** No longer than a width; what was cut is told by a mark. */
  public static String cut(String text, int width) {
    if (text.length() <= width) {
      return text;
    }
    return width <= 0 ? "" : text.substring(0, width - 1) + LONGER;
  }

  /** Lines no longer than a width, broken between words where there are any. */
  public static List<String> wrapped(String text, int columns) {
    int width = Math.max(1, columns);
    String margin = " ".repeat(Math.min(text.length() - text.stripLeading().length(), width / 2));
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (rest.length() > width) {
      int space = rest.lastIndexOf(' ', width);
      int end = space > margin.length() ? space : width;
      lines.add(rest.substring(0, end).stripTrailing());
      rest = margin + rest.substring(end).strip();
    }
    lines.add(rest);
    return lines;
  }

  /** A character that takes one column and does nothing else. */
  static char harmless(char character) {
    boolean control = character < ' ' || (character >= '\u007f' && character < '\u00a0');
    boolean drawn = (character >= '\u2190' && character < '\u2600') || character == LONGER;
    return control || (character >= FIRST_WIDE && !drawn) ? '?' : character;
  }

  /** The same for a terminal that knows only ASCII. */
  static char plain(char character) {
    if (character >= '▁' && character <= '█') {
      return PLAIN_BARS.charAt(character - '▁' + 1);
    }
    return switch (character) {
      case '…' -> '~';
      case '·' -> '.';
      case '│' -> '|';
      case '─' -> '-';
      case '↑' -> '^';
      case '↓' -> 'v';
      default -> character < '\u0080' ? character : '?';
    };
  }
}
