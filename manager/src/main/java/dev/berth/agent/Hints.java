package dev.berth.agent;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where somebody should look, each place once however often it was said: whoever looks sees what is
 * there then, and not what was there when it was said. For several threads.
 */
final class Hints {
  /** Where to look. */
  sealed interface Hint {
    /** At everything. */
    record All() implements Hint {}

    /**
     * At one container.
     *
     * @param id the runtime's
     * @param sandbox of its pod, where that is known
     */
    record One(String id, Optional<String> sandbox) implements Hint {}
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition given = lock.newCondition();
  private final LinkedHashSet<Hint> hints = new LinkedHashSet<>();

  void add(Hint hint) {
    lock.lock();
    try {
      hints.add(hint);
      given.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The oldest one, as soon as there is one; empty where none comes in time. */
  Optional<Hint> next(long milliseconds) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(milliseconds);
      while (hints.isEmpty() && left > 0) {
        left = given.awaitNanos(left);
      }
      return hints.isEmpty() ? Optional.empty() : Optional.of(hints.removeFirst());
    } finally {
      lock.unlock();
    }
  }
}
