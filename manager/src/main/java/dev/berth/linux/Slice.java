package dev.berth.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/**
 * How long a thread runs before the kernel picks again, and with it who goes first: one that wakes
 * and has a shorter slice than the one that runs gets the CPU at once, where the two else take
 * turns of some milliseconds. So a container that has a CPU of its own does not wait for a stray
 * daemon or a kernel's thread that happens to be there.
 *
 * <p>Linux 6.12 and newer; others take no notice. Threads and processes inherit it. Only threads of
 * the ordinary kind have one: who asked for real time has said already who goes first.
 */
public final class Slice {
  /**
   * Below the kernel's own for any number of CPUs (0.7 to 2.8 ms), and long enough for threads that
   * share a CPU to get something done.
   */
  public static final long SHORT = 500_000;

  /** The kernel's {@code struct sched_attr}, in its first version. */
  private static final int BYTES = 48;

  private static final int POLICY = 4;
  private static final int RUNTIME = 24;
  private static final int NORMAL = 0;
  private static final int BATCH = 3;

  private Slice() {}

  /** Something that starts a process. */
  @FunctionalInterface
  public interface Start {
    /** Starts it, on the calling thread. */
    void run() throws IOException;
  }

  /**
   * What a thread has, in nanoseconds; empty where the kernel knows of none, or the thread is not
   * of the ordinary kind.
   *
   * @param tid the thread, or 0 for the calling one
   */
  public static OptionalLong of(long tid) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(BYTES, Long.BYTES);
      if (!read(tid, attributes)) {
        return OptionalLong.empty();
      }
      long nanos = attributes.get(JAVA_LONG, RUNTIME);
      return nanos == 0 ? OptionalLong.empty() : OptionalLong.of(nanos);
    }
  }

  /** Gives the calling thread a short one; whether the kernel took notice. */
  public static boolean shorten() {
    return of(0).isPresent() && set(SHORT);
  }

  /**
   * Has what is started meanwhile by this very thread begin with a short one. Where that cannot be,
   * it begins as always.
   *
   * @throws IOException where it cannot be started
   */
  public static void shortened(Start start) throws IOException {
    OptionalLong before = of(0);
    boolean changed = before.isPresent() && set(SHORT);
    try {
      start.run();
    } finally {
      if (changed) {
        set(before.getAsLong());
      }
    }
  }

  private static boolean read(long tid, MemorySegment attributes) {
    if (!Posix.attributes(Math.toIntExact(tid), attributes)) {
      return false;
    }
    int policy = attributes.get(JAVA_INT, POLICY);
    return policy == NORMAL || policy == BATCH;
  }

  private static boolean set(long nanos) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(BYTES, Long.BYTES);
      if (!read(0, attributes)) {
        return false;
      }
      attributes.set(JAVA_LONG, RUNTIME, nanos);
      return Posix.setAttributes(attributes);
    }
  }
}
