package dev.berth.page;

import java.io.IOException;
import java.io.Writer;

/**
 * Passes JSON on in a form that no HTML reader can take for anything else: {@code <} stands only
 * within strings of JSON, and as an escape it is the same there.
 */
final class InertJson extends Writer {
  private final Appendable out;

  InertJson(Appendable out) {
    this.out = out;
  }

  @Override
  public void write(char[] buffer, int offset, int length) throws IOException {
    for (int i = offset; i < offset + length; i++) {
      if (buffer[i] == '<') {
        out.append("\\u003c");
      } else {
        out.append(buffer[i]);
      }
    }
  }

  /** Whoever wants the page flushes where it goes. */
  @Override
  public void flush() {}

  @Override
  public void close() {}
}
