package dev.berth.cli;

/** Sentences broken between words. */
final class Paragraph {
  private Paragraph() {}

  /** Lines that are set in and no longer than the width, unless a word is; each with its end. */
  static String of(String words, int indent, int width) {
    String margin = " ".repeat(indent);
    StringBuilder text = new StringBuilder();
    StringBuilder line = new StringBuilder(margin);
    for (String word : words.split(" ", -1)) {
      boolean begun = line.length() > indent;
      if (begun && line.length() + 1 + word.length() > width) {
        text.append(line).append('\n');
        line.setLength(indent);
        begun = false;
      }
      line.append(begun ? " " : "").append(word);
    }
    return text.append(line).append('\n').toString();
  }
}
