package dev.berth.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * Columns of words, as wide as their widest.
 *
 * @param text lines, each with its end
 */
record TextTable(String text) {
  /** Less of a cell says nothing. */
  private static final int SHORTEST_CUT = 12;

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

  /** The same, where the last column takes what is left of a line and is cut if need be. */
  static TextTable fitting(List<List<String>> rows, int width) {
    int last = rows.getFirst().size() - 1;
    int others = 0;
    for (int i = 0; i < last; i++) {
      int column = i;
      others += 2 + rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
    int room = Math.max(width - others, SHORTEST_CUT);
    List<List<String>> cut = new ArrayList<>();
    for (List<String> row : rows) {
      List<String> copy = new ArrayList<>(row);
      String cell = copy.get(last);
      copy.set(last, cell.length() <= room ? cell : cell.substring(0, room - 1) + "…");
      cut.add(copy);
    }
    return of(cut);
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
