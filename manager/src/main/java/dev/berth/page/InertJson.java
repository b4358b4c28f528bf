package dev.berth.page;

import java.io.IOException;
import java.io.Writer;
import java.nio.CharBuffer;

/**
 * Passes JSON on in a form that no HTML reader can take for anything else: {@code <} stands only
 * within strings of JSON, and as an escape it is the same there.
 */
final class InertJson extends Writer {
  private final Appendable out;

  InertJson(Appendable out) {
    this.out = out;
  }

  /** In runs as long as possible: a large story is mostly without any {@code <}. */
  @Override
  public void write(char[] buffer, int offset, int length) throws IOException {
    CharBuffer text = CharBuffer.wrap(buffer, offset, length);
    int begin = 0;
    for (int i = 0; i < length; i++) {
      if (text.charAt(i) == '<') {
        out.append(text, begin, i).append("\\u003c");
        begin = i + 1;
      }
    }
    out.append(text, begin, length);
  }

  /** Whoever wants the page flushes where it goes. */
  @Override
  public void flush() {}

  @Override
  public void close() {}
}
