package dev.berth.agent;

import dev.berth.cpu.InvalidInputException;
import dev.berth.http.HttpServer;
import dev.berth.linux.Descriptors;
import java.io.IOException;

/**
 * How many connections an agent has at a time, so that clients never take the descriptors that it
 * works with: half of those that are free when it starts.
 *
 * @param socket connections on the unix socket
 * @param port connections on the port
 */
record ConnectionLimits(int socket, int port) {
  /** Below this, one connection each is more than an agent can have. */
  static final int LEAST_FREE = 8;

  /** No file of this name is in any jar. */
  private static final String ABSENT = "dev/berth/agent/absent";

  /**
   * Those for an agent that is about to listen. What it opens once and keeps is open afterwards: a
   * class whose jar cannot be opened when it is needed could never be had again.
   *
   * @throws InvalidInputException where there are too few descriptors to work at all
   */
  static ConnectionLimits find() throws IOException {
    HttpServer.prepare();
    // Opens every jar, in search of it.
    if (ClassLoader.getSystemResource(ABSENT) != null) {
      throw new IllegalStateException(ABSENT + " is there");
    }
    return of(Descriptors.now());
  }

  /**
   * Those that leave the other half to the agent.
   *
   * @throws InvalidInputException where there are too few descriptors to work at all
   */
  static ConnectionLimits of(Descriptors descriptors) {
    if (descriptors.free() < LEAST_FREE) {
      throw new InvalidInputException(
          "file descriptors: expected a limit of at least "
              + (descriptors.open() + LEAST_FREE)
              + " (LimitNOFILE= in the unit, ulimit -n), found "
              + descriptors.most());
    }
    int each = (int) Math.min(HttpServer.MOST_CONNECTIONS, descriptors.free() / 4);
    return new ConnectionLimits(each, each);
  }

  /** Whether there are fewer than an agent has where descriptors are plenty. */
  boolean areFew() {
    return socket < HttpServer.MOST_CONNECTIONS;
  }
}
