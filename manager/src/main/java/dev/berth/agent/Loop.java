package dev.berth.agent;

import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Deeds done in turn, one at a time, now or later: by a thread of its own, or where nobody is
 * before them and somebody waits, at once by whoever asks.
 */
final class Loop implements AutoCloseable {
  private static final long LONGEST_END = 10;

  private final ScheduledThreadPoolExecutor thread;
  private final Consumer<RuntimeException> faults;

  /** Held by whoever does a deed. */
  private final ReentrantLock turn = new ReentrantLock();

  /** What waits until an answer is given; done in turn, before all else. */
  private final Queue<Runnable> left = new ConcurrentLinkedQueue<>();

  /** Whether somebody waits for an answer. In turn only. */
  private boolean hurry;

  /** Those that are to be done now and are not done yet. */
  private final AtomicInteger waiting = new AtomicInteger();

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
    waiting.incrementAndGet();
    try {
      thread.execute(() -> counted(deed));
    } catch (RejectedExecutionException e) {
      // Whoever comes next finds what is left to be done.
      waiting.decrementAndGet();
    }
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

  private void counted(Runnable deed) {
    try {
      guarded(deed);
    } finally {
      waiting.decrementAndGet();
    }
  }

  private void guarded(Runnable deed) {
    take();
    try {
      done(deed);
    } finally {
      turn.unlock();
    }
  }

  private void done(Runnable deed) {
    try {
      deed.run();
    } catch (RuntimeException e) {
      faults.accept(e);
    }
  }

  /** Whoever takes the turn first does what the one before has left: nothing overtakes it. */
  private void take() {
    turn.lock();
    doLeft();
  }

  private void doLeft() {
    for (Runnable deed = left.poll(); deed != null; deed = left.poll()) {
      done(deed);
    }
  }

  /**
   * Has something done in turn, and waits for it.
   *
   * @throws AgentEndsException where the loop has ended
   */
  <T> T call(Callable<T> question) {
    try {
      return thread
          .submit(() -> {
            take();
            try {
              return question.call();
            } finally {
              turn.unlock();
            }
          })
          .get();
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

  /**
   * The same, on this thread where nothing else waits to be done: to wake another and be woken by
   * it takes longer than most deeds. What it leaves for {@link #afterwards} is done by {@link
   * #rest}, which the caller owes. For threads that nobody interrupts.
   *
   * @throws AgentEndsException where the loop has ended
   */
  <T> T callHere(Callable<T> question) {
    if (waiting.get() > 0 || !turn.tryLock()) {
      return call(() -> hurried(question));
    }
    try {
      if (thread.isShutdown()) {
        throw new AgentEndsException(new RejectedExecutionException());
      }
      doLeft();
      return hurried(question);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      turn.unlock();
    }
  }

  private <T> T hurried(Callable<T> question) throws Exception {
    hurry = true;
    try {
      return question.call();
    } finally {
      hurry = false;
    }
  }

  /**
   * Has something done before anything else, but not while somebody waits for the answer to {@link
   * #callHere}. From within a deed only.
   */
  void afterwards(Runnable deed) {
    if (hurry) {
      left.add(deed);
    } else {
      deed.run();
    }
  }

  /**
   * Has something done before anything else, as soon as somebody takes a turn: {@link #rest} at the
   * latest, which the caller owes.
   */
  void leave(Runnable deed) {
    left.add(deed);
  }

  /** Nobody waits for an answer any more: what was left is done. */
  void rest() {
    if (left.isEmpty()) {
      return;
    }
    if (thread.isShutdown() || !turn.tryLock()) {
      // Whoever has the turn may have looked before.
      submit(() -> {});
      return;
    }
    try {
      doLeft();
    } finally {
      turn.unlock();
    }
  }

  /** Lets the deed end that is under way, and begins no other. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(LONGEST_END, TimeUnit.SECONDS)) {
        faults.accept(new IllegalStateException("something is still under way at the end"));
      } else if (turn.tryLock(LONGEST_END, TimeUnit.SECONDS)) {
        // Nobody else is at it either, nor begins.
        doLeft();
        turn.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
