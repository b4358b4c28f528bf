package dev.berth.rpc;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** What others say, as one line of a log: they may send anything, of any length. */
public final class Lines {
  private static final int MOST = 300;

  private Lines() {}

  /** One line, without control characters, and not too long. */
  public static String shortened(String text) {
    String line =
        text.codePoints()
            .limit(MOST + 1L)
            .map(c -> Character.isISOControl(c) || c == '\u2028' || c == '\u2029' ? ' ' : c)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString()
            .strip();
    return line.codePointCount(0, line.length()) > MOST
        ? line.substring(0, line.offsetByCodePoints(0, MOST)) + "…"
        : line;
  }

  /** How a call ended: the code, and what was said with it. */
  public static String of(Status status) {
    String description = status.getDescription();
    Throwable cause = status.getCause();
    if (cause instanceof StatusRuntimeException inner) {
      // What ended the reading of a stream says more than that it has ended.
      return of(inner.getStatus());
    }
    String more =
        description != null ? description : cause == null ? "" : String.valueOf(cause.getMessage());
    return more.isEmpty() ? status.getCode().name() : status.getCode() + ": " + shortened(more);
  }
}
