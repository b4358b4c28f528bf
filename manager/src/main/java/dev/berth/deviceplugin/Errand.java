package dev.berth.deviceplugin;

import io.grpc.Deadline;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * All that plugins are asked for one container, and the time by which it is over.
 *
 * <p>Whoever waits for us waits for the sum of our questions, and they come from several threads.
 * What is asked within an errand ends with it, even where the {@link Patience} would last longer.
 */
public final class Errand {
  private static final ScopedValue<Deadline> END = ScopedValue.newInstance();

  private final Deadline end;

  private Errand(Deadline end) {
    this.end = end;
  }

  /** One that begins now. */
  public static Errand within(Duration time) {
    return new Errand(Deadline.after(time.toNanos(), TimeUnit.NANOSECONDS));
  }

  /**
   * Does a part of it, in this thread.
   *
   * @param <T> what comes of it
   * @param <X> what it may throw
   */
  public <T, X extends Throwable> T call(ScopedValue.CallableOp<T, X> part) throws X {
    return ScopedValue.where(END, end).call(part);
  }

  /** So much time from now on, or what is left of the errand that this thread is on. */
  static Deadline atMost(Duration time) {
    Deadline own = Deadline.after(time.toNanos(), TimeUnit.NANOSECONDS);
    return END.isBound() ? own.minimum(END.get()) : own;
  }
}
