package dev.berth.terminal;

import dev.berth.cpu.InvalidInputException;
import java.util.Optional;

/**
 * How much fits a terminal.
 *
 * @param columns characters in a line
 * @param rows lines
 */
public record Size(int columns, int rows) {
  /** What terminals had before windows. */
  public static final Size USUAL = new Size(80, 24);

  /** More is no terminal. */
  private static final int MOST = 10_000;

  /** Refuses a screen without room. */
  public Size {
    if (columns < 1 || rows < 1 || columns > MOST || rows > MOST) {
      throw new InvalidInputException(
          "size: expected 1 to " + MOST + " columns and rows, found " + columns + " and " + rows);
    }
  }

  /** Of what {@code stty size} prints: rows, then columns; none where it knows none. */
  static Optional<Size> parse(String text) {
    String line = text.strip();
    if (!line.matches("[1-9][0-9]{0,3} [1-9][0-9]{0,3}")) {
      return Optional.empty();
    }
    String[] words = line.split(" ", 2);
    return Optional.of(new Size(Integer.parseInt(words[1]), Integer.parseInt(words[0])));
  }
}
