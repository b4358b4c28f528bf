package dev.berth.render;

import java.util.List;

/**
 * A part of a picture's legend: boxes with words, from left to right, in as many rows as it takes.
 *
 * @param keys what it explains
 * @param columns whether the keys stand one below the other; else each follows the one before
 */
record SvgLegend(List<Swatch> keys, boolean columns) {
  /** The keys that every picture has: what the boxes are. */
  static final List<Swatch> PLACES =
      List.of(
          new Swatch("socket", "", "socket"),
          new Swatch("node", "", "NUMA node"),
          new Swatch("cache", "", "L3 cache"),
          new Swatch("core", "", "core"));

  private static final int ROW = 22;
  private static final int BOX = 16;
  private static final int GAP = 16;

  /** How wide a letter is at most on average, in tenths of a pixel. */
  private static final int LETTER_TENTHS = 73;

  /**
   * One box with its words.
   *
   * @param style the box's styles; empty for words alone
   * @param mark what stands in the box; may be empty
   * @param words what it stands for
   */
  record Swatch(String style, String mark, String words) {
    private int boxWidth() {
      return style.isEmpty() ? 0 : BOX + 8 * Math.max(mark.length() - 1, 0) + 6;
    }

    private int width() {
      return boxWidth() + lettersWidth(words) + GAP;
    }
  }

  static int lettersWidth(String words) {
    return words.length() * LETTER_TENTHS / 10;
  }

  /** How wide it would like to be: one row, or one column. */
  int width() {
    return columns ? cell() : keys.stream().mapToInt(Swatch::width).sum();
  }

  private int cell() {
    return keys.stream().mapToInt(Swatch::width).max().orElse(0);
  }

  /** How high it is where it may be so wide. */
  int height(int width) {
    return walk(width, (key, x, y) -> {});
  }

  /** Draws it below a line. */
  void draw(SvgPen pen, int left, int top, int width) {
    walk(
        width,
        (key, x, y) -> {
          if (!key.style.isEmpty()) {
            pen.rect(key.style, left + x, top + y + 3, key.boxWidth() - 6, 14, 4);
          }
          if (!key.mark.isEmpty()) {
            pen.text("mark key", left + x + (key.boxWidth() - 6) / 2, top + y + 14, key.mark);
          }
          pen.text("legend", left + x + key.boxWidth(), top + y + 14, key.words);
        });
  }

  /** Where a key comes to stand. */
  private interface Place {
    void at(Swatch key, int x, int y);
  }

  private int walk(int width, Place place) {
    int x = 0;
    int y = 0;
    for (Swatch key : keys) {
      int wide = columns ? cell() : key.width();
      if (x > 0 && x + wide > width) {
        x = 0;
        y += ROW;
      }
      place.at(key, x, y);
      x += wide;
    }
    return keys.isEmpty() ? 0 : y + ROW;
  }
}
