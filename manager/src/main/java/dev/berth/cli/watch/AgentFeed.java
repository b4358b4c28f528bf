package dev.berth.cli.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Follows the agent on a thread of its own: its events as they come, and after them who sits where.
 * Where it goes away this says so and tries again, until it is closed.
 */
final class AgentFeed implements AutoCloseable {
  private static final long PAUSE_MILLISECONDS = 500;

  private final Path socket;
  private final Consumer<News> listener;
  private final Thread thread;

  private AgentFeed(Path socket, Consumer<News> listener) {
    this.socket = socket;
    this.listener = listener;
    thread = Thread.ofVirtual().name("berth-feed").unstarted(this::run);
  }

  /**
   * Begins.
   *
   * @param listener told on other threads than the caller's
   */
  static AgentFeed start(Path socket, Consumer<News> listener) {
    AgentFeed feed = new AgentFeed(socket, listener);
    feed.thread.start();
    return feed;
  }

  /** Asks why a pod sits where it sits; the listener hears it. */
  void explain(PodLine pod) {
    Thread.ofVirtual()
        .name("berth-question")
        .start(() -> listener.accept(AgentLine.explain(socket, pod)));
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        listener.accept(new News.Lost(whyItEnded()));
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLISECONDS);
      }
    } catch (InterruptedException e) {
      // Closed: nobody listens any more.
      Thread.currentThread().interrupt();
    }
  }

  /** Follows as long as the agent is there. */
  private String whyItEnded() {
    boolean wasThere = false;
    try {
      AgentLine line = AgentLine.open(socket);
      wasThere = true;
      listener.accept(line.seen());
      line.follow(told -> pass(line, told));
      return "it ended, waiting for the next";
    } catch (IOException | UncheckedIOException e) {
      return wasThere
          ? "it went away, waiting for it"
          : socket + ": no agent answers there (berth agent starts one), waiting for it";
    }
  }

  private void pass(AgentLine line, Optional<News.Told> told) {
    if (told.isPresent()) {
      listener.accept(told.get());
      return;
    }
    try {
      line.refresh();
      listener.accept(line.seen());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether there can be more. */
  boolean isAlive() {
    return thread.isAlive();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
