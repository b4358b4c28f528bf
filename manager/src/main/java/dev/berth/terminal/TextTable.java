package dev.berth.terminal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Columns of words, as wide as their widest.
 *
 * @param text lines, each with its end
 */
public record TextTable(String text) {
  /** Less of a cell says nothing. */
  private static final int SHORTEST_CUT = 12;

  /** Less of a cell that gives way says nothing. */
  private static final int SHORTEST_SQUEEZED = 8;

  private static final int GAP = 2;

  /**
   * Of rows that all have as many cells as the first, in no more than a width: columns give way in
   * the order in which they are named, as far as they still say something; where that does not do,
   * the end of every line is cut.
   */
  public static TextTable shortened(List<List<String>> rows, int width, int... givingWay) {
    int[] widths = widths(rows);
    for (int column : givingWay) {
      int excess = total(widths) - width;
      if (excess > 0) {
        widths[column] =
            Math.min(widths[column], Math.max(SHORTEST_SQUEEZED, widths[column] - excess));
      }
    }
    StringBuilder text = new StringBuilder();
    aligned(rows, widths)
        .text
        .lines()
        .forEach(line -> text.append(Words.cut(line, width)).append('\n'));
    return new TextTable(text.toString());
  }

  /**
   * The same in no more than a width, where what the last column has too much goes on in lines
   * below it: nothing is lost.
   */
  public static TextTable wrapped(List<List<String>> rows, int width) {
    int[] widths = widths(rows);
    int last = widths.length - 1;
    int room = Math.max(width - (total(widths) - widths[last]), SHORTEST_CUT);
    widths[last] = Math.min(widths[last], room);
    List<List<String>> lines = new ArrayList<>();
    for (List<String> row : rows) {
      List<String> cells = new ArrayList<>(row);
      for (String part : Words.wrapped(row.getLast(), room)) {
        cells.set(last, part);
        lines.add(List.copyOf(cells));
        Collections.fill(cells, "");
      }
    }
    return aligned(lines, widths);
  }

  /**
   * The same in no more than a width: first columns are left out, in the order in which they are
   * named, then one gives way.
   */
  public static TextTable shedding(
      List<List<String>> rows, int width, List<Integer> expendable, int givingWay) {
    List<Integer> columns = new ArrayList<>();
    for (int i = 0; i < rows.getFirst().size(); i++) {
      columns.add(i);
    }
    List<List<String>> kept = rows;
    for (Integer column : expendable) {
      if (total(widths(kept)) > width) {
        columns.removeIf(column::equals);
        kept = rows.stream().map(row -> columns.stream().map(row::get).toList()).toList();
      }
    }
    return shortened(kept, width, columns.indexOf(givingWay));
  }

  private static int[] widths(List<List<String>> rows) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }

  /** The longest line, with the gaps between columns. */
  private static int total(int[] widths) {
    int total = GAP * (widths.length - 1);
    for (int width : widths) {
      total += width;
    }
    return total;
  }

  private static TextTable aligned(List<List<String>> rows, int[] widths) {
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = Words.cut(row.get(i), widths[i]);
        line.append(cell).append(" ".repeat(widths[i] + GAP - cell.length()));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return new TextTable(text.toString());
  }

  /** Its lines, without their ends. */
  public List<String> lines() {
    return new ArrayList<>(text.lines().toList());
  }

  /** The same, set in below a heading. */
  public String indented() {
    return text.indent(2);
  }

  @Override
  public String toString() {
    return text;
  }
}
