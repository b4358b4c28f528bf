package dev.berth.http;

import java.io.IOException;
import java.nio.channels.Channel;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Waits beside a client for a server. One that says nothing for a while is asked whether it lives:
 * as long as it does, what was asked may take its time, up to a limit; where it does not, the
 * connection is closed, and with it the wait ends.
 *
 * <p>A thread of its own does that, until this is closed.
 */
final class Vigil implements AutoCloseable {
  private final String request;
  private final Channel connection;
  private final Limits limits;
  private final BooleanSupplier lives;

  /** When the present wait began. */
  private long began;

  /** When the server lived last, as far as this wait knows. */
  private long lived;

  private boolean waiting;
  private boolean over;
  private long silent;

  /**
   * How long a client waits.
   *
   * @param silence how long the server may say nothing before it is asked
   * @param most how long it may say nothing although it lives
   */
  record Limits(Duration silence, Duration most) {}

  /**
   * Begins.
   *
   * @param request what was asked
   * @param lives asks the server whether it lives
   */
  Vigil(String request, Channel connection, Limits limits, BooleanSupplier lives) {
    this.request = request;
    this.connection = connection;
    this.limits = limits;
    this.lives = lives;
    Thread.ofPlatform().daemon().name("http-vigil").start(this::watch);
  }

  /** Something that waits for the server. */
  @FunctionalInterface
  interface Act<T> {
    T run() throws IOException;
  }

  /**
   * Does something that waits for the server.
   *
   * @throws SilentServerException where the server does not live
   */
  <T> T waiting(Act<T> act) throws IOException {
    begin();
    try {
      return act.run();
    } catch (IOException e) {
      throw explained(e);
    } finally {
      end();
    }
  }

  private synchronized void begin() {
    waiting = true;
    began = System.nanoTime();
    lived = began;
    notifyAll();
  }

  private synchronized void end() {
    waiting = false;
  }

  private synchronized IOException explained(IOException e) {
    return silent == 0
        ? e
        : new SilentServerException(request, Duration.ofNanos(silent).toSeconds(), e);
  }

  private void watch() {
    try {
      while (awaitSilence()) {
        if (isTooLong() || !lives.getAsBoolean()) {
          shut();
          return;
        }
        noteLife();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** True once the server has been silent for too long; false at the end. */
  private synchronized boolean awaitSilence() throws InterruptedException {
    while (!over) {
      long left = lived + limits.silence().toNanos() - System.nanoTime();
      if (!waiting) {
        wait();
      } else if (left <= 0) {
        return true;
      } else {
        wait(left / 1_000_000 + 1);
      }
    }
    return false;
  }

  private synchronized boolean isTooLong() {
    return System.nanoTime() - began >= limits.most().toNanos();
  }

  private synchronized void noteLife() {
    lived = System.nanoTime();
  }

  private synchronized void shut() {
    if (over || !waiting) {
      return;
    }
    silent = System.nanoTime() - began;
    try {
      connection.close();
    } catch (IOException e) {
      // Whoever waits for it hears that it is closed.
      return;
    }
  }

  @Override
  public synchronized void close() {
    over = true;
    notifyAll();
  }
}
