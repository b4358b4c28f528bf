package dev.berth.ttrpc;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Waits for what has begun, but not for ever. Between two messages the other end may be silent for
 * days; in the middle of one it is stuck, and holds up all that is to come after it.
 */
final class Patience {
  /** Five times what a runtime waits for us. */
  static final Duration LONGEST = Duration.ofSeconds(10);

  private final Duration longest;
  private final Consumer<String> impatient;

  /**
   * Of one that does something when it is at its end.
   *
   * @param impatient told why
   */
  Patience(Duration longest, Consumer<String> impatient) {
    this.longest = longest;
    this.impatient = impatient;
  }

  /** Something has begun; it is done when the result is closed. */
  Wait begin(String what) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    var _ =
        done.orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS)
            .exceptionally(_ -> {
              impatient.accept(
                  what + ": expected the rest of it within " + longest.toMillis() + " ms");
              return null;
            });
    return () -> done.complete(null);
  }

  /** What somebody waits for. */
  interface Wait extends AutoCloseable {
    @Override
    void close();
  }
}
