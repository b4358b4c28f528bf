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
 */
final class Connections {
  private final int most;
  private final Set<Connection> open = new HashSet<>();

  Connections(int most) {
    this.most = most;
  }

  /** What becomes of a connection that comes. */
  sealed interface Admission {
    /** There is room. */
    record In() implements Admission {}

    /** There is room once another one is shut. */
    record Instead(Connection other) implements Admission {}

    /** The server works for all that are open. */
    record Full() implements Admission {}
  }

  /** Adds a connection where there is room, or can be. */
  synchronized Admission add(Connection connection) {
    if (open.size() < most) {
      open.add(connection);
      return new Admission.In();
    }
    Optional<Connection> slowest =
        slowest(Connection.Wait.REQUEST).or(() -> slowest(Connection.Wait.READER));
    if (slowest.isEmpty()) {
      return new Admission.Full();
    }
    open.remove(slowest.get());
    open.add(connection);
    return new Admission.Instead(slowest.get());
  }

  private Optional<Connection> slowest(Connection.Wait wait) {
    return open.stream()
        .filter(connection -> connection.waitsFor() == wait)
        .min(Comparator.comparingLong(Connection::since));
  }

  synchronized void remove(Connection connection) {
    open.remove(connection);
  }

  synchronized List<Connection> all() {
    return List.copyOf(open);
  }
}
