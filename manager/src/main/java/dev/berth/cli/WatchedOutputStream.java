package dev.berth.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serial;

/**
 * Ends the run at the first failed write. {@link java.io.PrintStream} would swallow the failure and
 * let a long command work on for nobody.
 */
final class WatchedOutputStream extends FilterOutputStream {
  WatchedOutputStream(OutputStream sink) {
    super(sink);
  }

  @Override
  public void write(int octet) {
    attempt(() -> out.write(octet));
  }

  @Override
  public void write(byte[] octets, int offset, int length) {
    attempt(() -> out.write(octets, offset, length));
  }

  @Override
  public void flush() {
    attempt(out::flush);
  }

  private static void attempt(Write write) {
    try {
      write.run();
    } catch (IOException e) {
      throw new FailedWriteException(e);
    }
  }

  private interface Write {
    void run() throws IOException;
  }

  /** A write to standard output that failed; the message is the operating system's. */
  static final class FailedWriteException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    FailedWriteException(IOException cause) {
      super(String.valueOf(cause.getMessage()), cause);
    }

    /** Whether the reader went away or was never there, which is its right. */
    boolean readerIsGone() {
      String message = String.valueOf(getMessage());
      return message.contains("Broken pipe") || message.contains("Bad file descriptor");
    }
  }
}
