package dev.berth.render;

/** Writes the elements of a picture; what is text to it can never be markup. */
final class SvgPen {
  private final StringBuilder svg = new StringBuilder();

  /** Adds markup as it is. */
  SvgPen markup(String markup) {
    svg.append(markup);
    return this;
  }

  /** Adds text between the tags of an element. */
  SvgPen element(String name, String content) {
    svg.append('<').append(name).append('>').append(escaped(content));
    svg.append("</").append(name).append('>');
    return this;
  }

  void rect(String style, int x, int y, int width, int height, int radius) {
    svg.append("<rect class=\"").append(style).append("\" x=\"").append(x).append("\" y=\"");
    svg.append(y).append("\" width=\"").append(width).append("\" height=\"").append(height);
    svg.append("\" rx=\"").append(radius).append("\"/>\n");
  }

  void text(String style, int x, int y, String content) {
    svg.append("<text class=\"").append(style).append("\" x=\"").append(x).append("\" y=\"");
    svg.append(y).append("\">").append(escaped(content)).append("</text>\n");
  }

  static String shortened(String text, int length) {
    return text.length() <= length ? text : text.substring(0, Math.max(length - 1, 1)) + "…";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replaceAll("\\p{Cntrl}", "?");
  }

  @Override
  public String toString() {
    return svg.toString();
  }
}
