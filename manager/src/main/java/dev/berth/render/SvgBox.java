package dev.berth.render;

import dev.berth.render.Layout.Box;
import dev.berth.topology.Level;
import java.util.List;

/**
 * A box with its size and the boxes in it, placed in a grid.
 *
 * @param box the place
 * @param width in pixels
 * @param height in pixels
 * @param columns of the grid
 * @param inner what stands in the grid, row by row
 */
record SvgBox(Box box, int width, int height, int columns, List<SvgBox> inner) {
  /** A thread, which is a square with the CPU's number. */
  static final int THREAD_HEIGHT = 18;

  static final int GAP = 6;
  static final int HEADER = 20;
  static final int CORE_PADDING = 3;

  private static final double LETTER = 7.3;
  private static final int LABEL_MARGIN = 20;

  /** How wide a box may be for its height; pages and screens are wider than high. */
  private static final double ASPECT = 1.7;

  /** How wide a thread is, so that the machine's longest number fits, and a mark beside it. */
  static int threadWidth(int highestCpu, int longestMark) {
    return 12 + 6 * String.valueOf(highestCpu).length() + markWidth(longestMark);
  }

  /** How wide a mark of so many letters is, with its distance to the number. */
  static int markWidth(int letters) {
    return letters == 0 ? 0 : 8 * letters + 4;
  }

  static SvgBox of(Box box, int threadWidth, LabelOf labels) {
    if (box.level() == Level.CORE) {
      int threads = box.cpus().size();
      int perRow = threads <= 2 ? threads : (int) Math.ceil(Math.sqrt(threads));
      int rows = (threads + perRow - 1) / perRow;
      int width = perRow * (threadWidth + 2) - 2 + 2 * CORE_PADDING;
      int height = rows * (THREAD_HEIGHT + 2) - 2 + 2 * CORE_PADDING;
      return new SvgBox(box, width, height, perRow, List.of());
    }
    List<SvgBox> inner = box.inner().stream().map(child -> of(child, threadWidth, labels)).toList();
    int least = (int) (labels.label(box).length() * LETTER) + LABEL_MARGIN;
    return grid(box, inner, least);
  }

  /** What is written at the top of a box. */
  interface LabelOf {
    String label(Box box);
  }

  private static SvgBox grid(Box box, List<SvgBox> inner, int least) {
    int columns = columns(inner, HEADER);
    int width = Math.max(gridWidth(inner, columns) + 2 * GAP, least);
    return new SvgBox(box, width, gridHeight(inner, columns) + HEADER + GAP, columns, inner);
  }

  static int cellWidth(List<SvgBox> inner) {
    return inner.stream().mapToInt(SvgBox::width).max().orElse(0);
  }

  static int gridWidth(List<SvgBox> inner, int columns) {
    return columns * (cellWidth(inner) + GAP) - GAP;
  }

  /** Each row is as high as its highest box. */
  static int rowHeight(List<SvgBox> inner, int columns, int row) {
    return inner.stream()
        .skip((long) row * columns)
        .limit(columns)
        .mapToInt(SvgBox::height)
        .max()
        .orElse(0);
  }

  static int gridHeight(List<SvgBox> inner, int columns) {
    int height = 0;
    for (int row = 0; row * columns < inner.size(); row++) {
      height += rowHeight(inner, columns, row) + GAP;
    }
    return height - GAP;
  }

  /**
   * The number of columns that comes nearest to the wanted shape, preferring full rows; ties go to
   * fewer columns.
   */
  static int columns(List<SvgBox> inner, int header) {
    int best = 1;
    double bestCost = Double.MAX_VALUE;
    for (int columns = 1; columns <= inner.size(); columns++) {
      double width = gridWidth(inner, columns) + 2.0 * GAP;
      double height = gridHeight(inner, columns) + header + GAP;
      int empty = (columns - inner.size() % columns) % columns;
      double cost = Math.abs(Math.log(width / height / ASPECT)) + 4.0 * empty / inner.size();
      if (cost < bestCost - 1e-9) {
        best = columns;
        bestCost = cost;
      }
    }
    return best;
  }
}
