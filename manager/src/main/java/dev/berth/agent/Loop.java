package dev.berth.agent;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One thread on which deeds are done in turn, now or later. */
final class Loop implements AutoCloseable {
  private static final long LONGEST_END = 10;

  private final ScheduledThreadPoolExecutor thread;
  private final Consumer<RuntimeException> faults;

  /**
   * Starts the thread.
   *
   * @param faults told what a deed ran into; the next one is done all the same
   */
  Loop(Consumer<RuntimeException> faults) {
    this.faults = faults;
    thread = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().name("berth-keeper").factory());
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    thread.setRemoveOnCancelPolicy(true);
  }

  /** A clock that only goes forward, in milliseconds. */
  static long milliseconds() {
    return System.nanoTime() / 1_000_000;
  }

  /** Has something done soon. */
  void submit(Runnable deed) {
    var _ = schedule(deed, 0);
  }

  /** Has something done after a while; once the loop has ended, not at all. */
  Future<?> schedule(Runnable deed, long milliseconds) {
    try {
      return thread.schedule(() -> guarded(deed), milliseconds, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // Whoever comes next finds what is left to be done.
      return java.util.concurrent.CompletableFuture.failedFuture(e);
    }
  }

  private void guarded(Runnable deed) {
    try {
      deed.run();
    } catch (RuntimeException e) {
      faults.accept(e);
    }
  }

  /**
   * Has something done in turn, and waits for it.
   *
   * @throws AgentEndsException where the loop has ended
   */
  <T> T call(Callable<T> question) {
    try {
      return thread.submit(question).get();
    } catch (RejectedExecutionException e) {
      throw new AgentEndsException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AgentEndsException(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Lets the deed end that is under way, and begins no other. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(LONGEST_END, TimeUnit.SECONDS)) {
        faults.accept(new IllegalStateException("something is still under way at the end"));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
