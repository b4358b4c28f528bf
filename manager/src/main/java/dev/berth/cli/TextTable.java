package dev.berth.cli;

import java.util.List;

/**
 * Columns of words, as wide as their widest.
 *
 * @param text lines, each with its end
 */
record TextTable(String text) {
  /** Of rows that all have as many cells as the first. */
  static TextTable of(List<List<String>> rows) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] + 2 - row.get(i).length()));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return new TextTable(text.toString());
  }

  /** The same, set in below a heading. */
  String indented() {
    return text.indent(2);
  }

  @Override
  public String toString() {
    return text;
  }
}
