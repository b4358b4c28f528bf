package dev.berth.runtime;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Waits for something that a runtime or the kernel does in its own time. */
public final class Waiting {
  private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);
  private static final long PAUSE = 10;

  private Waiting() {}

  /** What may or may not be so yet. */
  @FunctionalInterface
  public interface Condition {
    /** Whether it is so. */
    boolean holds() throws IOException;
  }

  /**
   * Returns once a condition holds.
   *
   * @param what for the message, should it never hold
   */
  public static void until(String what, Condition condition) throws IOException {
    long end = System.nanoTime() + LONGEST;
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain for " + what);
      }
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for " + what, e);
      }
    }
  }
}
