package dev.berth.http;

import java.io.IOException;

/** A server that takes connections and does not answer. */
public final class SilentServerException extends IOException {
  private static final long serialVersionUID = 1;

  private final String request;
  private final long seconds;

  SilentServerException(String request, long seconds, IOException why) {
    super("no answer to " + request + " for " + seconds + " s", why);
    this.request = request;
    this.seconds = seconds;
  }

  /** What was asked, such as {@code GET /pods}. */
  public String request() {
    return request;
  }

  /** How long it was waited for. */
  public long seconds() {
    return seconds;
  }
}
