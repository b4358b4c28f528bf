package dev.berth.http;

import java.time.Duration;

/**
 * How long a server waits for a client.
 *
 * @param request until the whole request is there
 * @param reader until the client has read a piece of its answer
 */
record Patience(Duration request, Duration reader) {
  private static final Duration REQUEST = Duration.ofSeconds(10);

  /** For clients that may do everything anyway, such as a pager before which a person sits. */
  static final Patience TRUSTED = new Patience(REQUEST, Duration.ofDays(1));

  /** For everybody. */
  static final Patience OPEN = new Patience(REQUEST, Duration.ofSeconds(10));
}
