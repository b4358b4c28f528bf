package dev.berth.agent;

import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** When an agent ends: when it is told to, or if it is passing, once no pod is left. */
final class Departure {
  /** How long one that ends by itself waits for its first pod. */
  private static final long PATIENCE = 15_000;

  private final boolean passing;
  private final Loop loop;
  private final BooleanSupplier idle;
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile boolean leaving;

  /**
   * Not yet.
   *
   * @param passing whether it ends by itself
   * @param idle whether no pod is left; asked on the loop
   */
  Departure(boolean passing, Loop loop, BooleanSupplier idle) {
    this.passing = passing;
    this.loop = loop;
    this.idle = idle;
  }

  /**
   * Refuses to begin anything shortly before the end.
   *
   * @throws AgentEndsException where that is so
   */
  void expectToStay() {
    if (leaving || over.getCount() == 0) {
      throw new AgentEndsException(new IllegalStateException("nobody was left"));
    }
  }

  /** Ends it if it ends by itself and no pod is left. On the loop. */
  void endIfIdle() {
    if (leavesIfIdle()) {
      over.countDown();
    }
  }

  /** The same after a while, for one that waits for its first pod or for a reader that has gone. */
  void endIfIdleLater() {
    if (passing) {
      var _ = loop.schedule(this::endIfIdle, PATIENCE);
    }
  }

  /**
   * Begins nothing more if it ends by itself and no pod is left; whether that is so. It stays to
   * answer until {@link #end}. On the loop.
   */
  boolean leavesIfIdle() {
    leaving |= passing && idle.getAsBoolean();
    return leaving;
  }

  /** Whether it begins nothing more. */
  boolean isLeaving() {
    return leaving;
  }

  void await() throws InterruptedException {
    over.await();
  }

  void end() {
    over.countDown();
  }
}
