package dev.berth.terminal;

import java.util.Optional;

/**
 * What to send to a terminal so that it shows a frame.
 *
 * @param colours whether it may carry colours; bold and reverse are none
 * @param plain whether it knows only ASCII
 */
public record FrameWriter(boolean colours, boolean plain) {
  private static final String RESET = "\u001b[0m";
  private static final String ERASE_LINE_END = "\u001b[K";

  /** All lines that are not as in the frame that the terminal shows; nothing where all are. */
  public String update(Optional<Frame> shown, Frame frame) {
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < frame.size().rows(); row++) {
      if (shown.isEmpty() || !frame.hasSameLine(shown.get(), row)) {
        text.append("\u001b[").append(row + 1).append(";1H");
        line(text, frame, row, true);
      }
    }
    return text.toString();
  }

  /** A frame as lines of text, for whoever keeps them. */
  public String page(Frame frame) {
    StringBuilder text = new StringBuilder();
    int last = frame.size().rows() - 1;
    while (last > 0 && frame.line(last).isEmpty()) {
      last--;
    }
    for (int row = 0; row <= last; row++) {
      line(text, frame, row, false);
      text.append('\n');
    }
    return text.toString();
  }

  private void line(StringBuilder text, Frame frame, int row, boolean full) {
    int end = end(frame, row);
    Style now = Style.PLAIN;
    for (int column = 0; column < end; column++) {
      Style style = frame.style(row, column);
      if (!style.equals(now) && (full || colours)) {
        text.append(style.sequence(colours));
        now = style;
      }
      char character = frame.character(row, column);
      text.append(plain ? Words.plain(character) : character);
    }
    if (!now.equals(Style.PLAIN)) {
      text.append(RESET);
    }
    // In its last column a terminal waits to wrap, and would erase what was just written.
    if (full && end < frame.size().columns()) {
      text.append(ERASE_LINE_END);
    }
  }

  /** After the last character that can be seen. */
  private static int end(Frame frame, int row) {
    int end = frame.size().columns();
    while (end > 0
        && frame.character(row, end - 1) == ' '
        && !frame.style(row, end - 1).isReverse()) {
      end--;
    }
    return end;
  }
}
