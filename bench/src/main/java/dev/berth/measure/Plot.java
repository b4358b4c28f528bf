package dev.berth.measure;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Times against the size of something, both on logarithmic scales, as an SVG that reads in light
 * and dark.
 *
 * @param title what is shown
 * @param axis what the size is of
 * @param ticks the sizes to name
 * @param series the lines, each with a colour and a mark of its own
 */
record Plot(String title, String axis, List<Integer> ticks, List<Series> series) {
  /**
   * A line.
   *
   * @param name what stands at its end
   * @param points sizes and nanoseconds
   */
  record Series(String name, List<Point> points) {}

  /** A size and its nanoseconds. */
  record Point(int size, double nanos) {}

  private static final int WIDTH = 760;
  private static final int HEIGHT = 440;
  private static final int LEFT = 76;
  private static final int RIGHT = 200;
  private static final int TOP = 56;
  private static final int BOTTOM = 60;
  private static final int LINE_HEIGHT = 15;

  private static final String STYLE =
      """
      <style>
        .paper { fill: #ffffff }
        text { font: 13px system-ui, sans-serif; fill: #222222 }
        .title { font-size: 16px; font-weight: 600 }
        .grid { stroke: #dddddd }
        path { fill: none; stroke-width: 2.5 }
        .name { font-weight: 600 }
        .c0 path { stroke: #b3261e } .c0 .mark, .c0 .name { fill: #b3261e }
        .c1 path { stroke: #0b57d0 } .c1 .mark, .c1 .name { fill: #0b57d0 }
        .c2 path { stroke: #146c2e } .c2 .mark, .c2 .name { fill: #146c2e }
        @media (prefers-color-scheme: dark) {
          .paper { fill: #16181c } text { fill: #e6e6e6 } .grid { stroke: #3a3d42 }
          .c0 path { stroke: #f2877f } .c0 .mark, .c0 .name { fill: #f2877f }
          .c1 path { stroke: #8ab4f8 } .c1 .mark, .c1 .name { fill: #8ab4f8 }
          .c2 path { stroke: #7fd394 } .c2 .mark, .c2 .name { fill: #7fd394 }
        }
      </style>
      """;

  String svg() {
    Formatter svg = new Formatter(Locale.ROOT);
    svg.format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
            + " aria-label=\"%s\">%n",
        WIDTH, HEIGHT, title);
    svg.format("%s", STYLE);
    svg.format("<rect class=\"paper\" width=\"%d\" height=\"%d\"/>%n", WIDTH, HEIGHT);
    svg.format("<text class=\"title\" x=\"%d\" y=\"30\">%s</text>%n", LEFT, title);
    axes(svg);
    for (int i = 0; i < series.size(); i++) {
      line(svg, i);
    }
    return svg.format("</svg>%n").toString();
  }

  private void axes(Formatter svg) {
    for (int decade = lowest(); decade <= highest(); decade++) {
      double y = y(Math.pow(10, decade));
      svg.format(
          "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>%n",
          LEFT, y, WIDTH - RIGHT, y);
      svg.format(
          "<text text-anchor=\"end\" x=\"%d\" y=\"%.1f\">%s</text>%n",
          LEFT - 8, y + 4, Words.time(Math.pow(10, decade)).replaceFirst("\\.0+ | (?=\\D)", " "));
    }
    for (int tick : ticks) {
      svg.format(
          "<text text-anchor=\"middle\" x=\"%.1f\" y=\"%d\">%d</text>%n",
          x(tick), HEIGHT - BOTTOM + 22, tick);
    }
    svg.format(
        "<text text-anchor=\"middle\" x=\"%d\" y=\"%d\">%s</text>%n",
        (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, axis);
  }

  private void line(Formatter svg, int index) {
    Series drawn = series.get(index);
    Formatter path = new Formatter(Locale.ROOT);
    for (Point point : drawn.points()) {
      path.format(
          "%s%.1f %.1f",
          point.equals(drawn.points().getFirst()) ? "M" : "L", x(point.size()), y(point.nanos()));
    }
    svg.format("<g class=\"c%d\">%n<path d=\"%s\"/>%n", index, path);
    for (Point point : drawn.points()) {
      mark(svg, index, x(point.size()), y(point.nanos()));
    }
    Point last = drawn.points().getLast();
    String[] words = drawn.name().split("\n", -1);
    for (int i = 0; i < words.length; i++) {
      svg.format(
          "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">%s</text>%n",
          x(last.size()) + 12, y(last.nanos()) + 4 + LINE_HEIGHT * i, words[i]);
    }
    svg.format("</g>%n");
  }

  /** A circle, a square or a triangle, so that lines differ without their colours. */
  private static void mark(Formatter svg, int index, double x, double y) {
    switch (index) {
      case 0 -> svg.format("<circle class=\"mark\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"/>%n", x, y);
      case 1 ->
          svg.format(
              "<rect class=\"mark\" x=\"%.1f\" y=\"%.1f\" width=\"8\" height=\"8\"/>%n",
              x - 4, y - 4);
      default ->
          svg.format(
              "<polygon class=\"mark\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>%n",
              x, y - 5.5, x - 5, y + 4, x + 5, y + 4);
    }
  }

  private DoubleStream nanos() {
    return series.stream().flatMap(one -> one.points().stream()).mapToDouble(Point::nanos);
  }

  private int lowest() {
    return (int) Math.floor(Math.log10(nanos().min().orElse(1)));
  }

  private int highest() {
    return (int) Math.ceil(Math.log10(nanos().max().orElse(1)));
  }

  private double y(double nanos) {
    double share = (Math.log10(nanos) - lowest()) / (highest() - lowest());
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
  }

  private double x(int size) {
    double first = Math.log(ticks.getFirst());
    double share = (Math.log(size) - first) / (Math.log(ticks.getLast()) - first);
    return LEFT + 20 + share * (WIDTH - RIGHT - LEFT - 40);
  }
}
