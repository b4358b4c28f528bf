package dev.berth.rpc;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Lets so many things happen at once and so many a second in the long run.
 *
 * <p>Safe for use by any number of threads.
 */
public final class TokenBucket {
  private static final double NANOS = 1e9;

  private final double perSecond;
  private final double most;
  private final LongSupplier clock;
  private double tokens;
  private long last;

  /** One on a clock that counts nanoseconds. */
  public TokenBucket(double perSecond, int burst, LongSupplier clock) {
    this.perSecond = perSecond;
    this.most = burst;
    this.clock = clock;
    tokens = burst;
    last = clock.getAsLong();
  }

  /** Takes one, if there is one. */
  public synchronized boolean tryTake() {
    fill();
    if (tokens < 1) {
      return false;
    }
    tokens -= 1;
    return true;
  }

  /** Takes one that may be there only later. */
  public synchronized Duration take() {
    fill();
    tokens -= 1;
    return tokens >= 0 ? Duration.ZERO : Duration.ofNanos((long) (-tokens / perSecond * NANOS));
  }

  private void fill() {
    long now = clock.getAsLong();
    tokens = Math.min(most, tokens + (now - last) / NANOS * perSecond);
    last = now;
  }
}
