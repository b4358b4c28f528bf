package dev.berth.ttrpc;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Waits for what has begun, but not for ever. Between two messages the other end may be silent for
 * days; in the middle of one it is stuck, and holds up all that is to come after it.
 *
 * <p>For one thing at a time. There are several to a message, and hardly ever one that is stuck: so
 * to begin costs a note of the time, and a look at the clock comes later, once for all that have
 * begun since the last.
 */
final class Patience {
  /** Five times what a runtime waits for us. */
  static final Duration LONGEST = Duration.ofSeconds(10);

  private static final long NOTHING = 0;

  private final Duration longest;
  private final Consumer<String> impatient;
  private final Executor later;
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile String what = "";
  private volatile long since = NOTHING;

  /**
   * Of one that does something when it is at its end, at the latest after a quarter longer.
   *
   * @param impatient told why
   */
  Patience(Duration longest, Consumer<String> impatient) {
    this.longest = longest;
    this.impatient = impatient;
    later = CompletableFuture.delayedExecutor(longest.toMillis() / 4, TimeUnit.MILLISECONDS);
  }

  /** Something has begun; it is done when the result is closed. */
  Wait begin(String thing) {
    what = thing;
    // Odd, so that no time is taken for none.
    since = System.nanoTime() | 1;
    if (looking.compareAndSet(false, true)) {
      later.execute(this::look);
    }
    return () -> since = NOTHING;
  }

  private void look() {
    long began = since;
    if (began == NOTHING) {
      looking.set(false);
      // One that began in between has found somebody looking.
      if (since != NOTHING && looking.compareAndSet(false, true)) {
        later.execute(this::look);
      }
    } else if (System.nanoTime() - began >= longest.toNanos()) {
      impatient.accept(what + ": expected the rest of it within " + longest.toMillis() + " ms");
      looking.set(false);
    } else {
      later.execute(this::look);
    }
  }

  /** What somebody waits for. */
  interface Wait extends AutoCloseable {
    @Override
    void close();
  }
}
