package dev.berth.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A sheet of characters, as large as a terminal. What is written beyond its edges is cut. */
public final class Frame {
  private final Size size;
  private final char[][] characters;
  private final Style[][] styles;

  /** An empty one. */
  public Frame(Size size) {
    this.size = size;
    characters = new char[size.rows()][size.columns()];
    styles = new Style[size.rows()][size.columns()];
    for (int row = 0; row < size.rows(); row++) {
      Arrays.fill(characters[row], ' ');
      Arrays.fill(styles[row], Style.PLAIN);
    }
  }

  /** How large it is. */
  public Size size() {
    return size;
  }

  /** Writes a text into one line; the column after it is the answer. */
  public int put(int row, int column, String text, Style style) {
    for (int i = 0; i < text.length(); i++) {
      put(row, column + i, text.charAt(i), style);
    }
    return column + text.length();
  }

  /** Writes one character. */
  public void put(int row, int column, char character, Style style) {
    if (row >= 0 && row < size.rows() && column >= 0 && column < size.columns()) {
      characters[row][column] = Words.harmless(character);
      styles[row][column] = style;
    }
  }

  /** Gives a whole line a style, whatever is written there. */
  public void paint(int row, Style style) {
    if (row >= 0 && row < size.rows()) {
      Arrays.fill(styles[row], style);
    }
  }

  /** What stands in a line, without the spaces at its end. */
  public String line(int row) {
    return new String(characters[row]).stripTrailing();
  }

  /** All lines. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (int row = 0; row < size.rows(); row++) {
      lines.add(line(row));
    }
    return lines;
  }

  char character(int row, int column) {
    return characters[row][column];
  }

  /** How a character looks. */
  public Style style(int row, int column) {
    return styles[row][column];
  }

  boolean hasSameLine(Frame other, int row) {
    return size.equals(other.size)
        && Arrays.equals(characters[row], other.characters[row])
        && Arrays.equals(styles[row], other.styles[row]);
  }
}
