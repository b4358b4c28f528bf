package dev.berth.http;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The connections of a server, as many as it may have. A client that is slow does not keep others
 * out: when a connection comes and there is no room, the one that has waited longest for its client
 * makes way, and one whose request is not complete before one that is slow to read its answer.
 *
 * <p>A connection counts until its descriptor is closed, which is a moment after it was shut.
 */
final class Connections {
  private final int most;
  private final Set<Connection> open = new HashSet<>();

  Connections(int most) {
    this.most = most;
  }

  /**
   * Adds a connection once there is room; false where the server works for all that are open.
   *
   * @param makingWay told before a connection is shut for it
   */
  synchronized boolean add(Connection connection, Runnable makingWay) throws InterruptedException {
    while (open.size() >= most) {
      if (open.stream().noneMatch(Connection::isShut)) {
        Optional<Connection> slowest = slowest();
        if (slowest.isEmpty()) {
          return false;
        }
        makingWay.run();
        slowest.get().shut();
      }
      wait();
    }
    open.add(connection);
    return true;
  }

  /** The one to shut where there is no room, if there is one that waits for its client. */
  synchronized Optional<Connection> slowest() {
    return slowest(Connection.Wait.REQUEST).or(() -> slowest(Connection.Wait.READER));
  }

  private Optional<Connection> slowest(Connection.Wait wait) {
    return open.stream()
        .filter(connection -> connection.waitsFor() == wait && !connection.isShut())
        .min(Comparator.comparingLong(Connection::since));
  }

  synchronized void remove(Connection connection) {
    open.remove(connection);
    notifyAll();
  }

  synchronized List<Connection> all() {
    return List.copyOf(open);
  }
}
