package dev.berth.agent;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** What happened, the latest {@value #KEPT} of it. Safe for several threads. */
final class Events {
  static final int KEPT = 2_000;

  private final Consumer<Event> listener;
  private final Deque<Event> latest = new ArrayDeque<>();
  private long count;
  private boolean closed;

  /**
   * None yet.
   *
   * @param listener told about each, in order
   */
  Events(Consumer<Event> listener) {
    this.listener = listener;
  }

  synchronized Event add(String kind, String pod, String message) {
    Event event = new Event(++count, Instant.now(), kind, pod, message);
    latest.addLast(event);
    if (latest.size() > KEPT) {
      latest.removeFirst();
    }
    listener.accept(event);
    notifyAll();
    return event;
  }

  /** Those after a number, oldest first. */
  synchronized List<Event> after(long number) {
    return latest.stream().filter(event -> event.number() > number).toList();
  }

  /** The same, but waits for one; none where the time is up or the agent ends. */
  synchronized List<Event> await(long number, long milliseconds) throws InterruptedException {
    long until = System.nanoTime() + milliseconds * 1_000_000;
    while (count <= number && !closed) {
      long left = (until - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return new ArrayList<>();
      }
      wait(left);
    }
    return after(number);
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Lets those go who wait. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
