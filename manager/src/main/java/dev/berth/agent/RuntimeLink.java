package dev.berth.agent;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The connection to a runtime whose containers the agent looks after. */
interface RuntimeLink {
  /** Begins to connect, and goes on until it is closed. */
  void begin();

  /**
   * Has containers changed, in this order, on a thread of its own.
   *
   * @return done with the ids of those that could not be changed, or with an {@link IOException}
   */
  CompletableFuture<Set<String>> update(List<Place> places);

  /** Looks at what the runtime has, where it does not tell by itself. */
  void look();

  /** Why the runtime cannot be counted on now; empty where it can. */
  Optional<String> unready();

  /** Ends the connection and its threads. */
  void close() throws IOException;
}
