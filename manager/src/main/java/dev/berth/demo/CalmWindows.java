package dev.berth.demo;

/**
 * Tells requests of calm moments from those of moments in which the host took a CPU, by the
 * kernel's counters of stolen time alone, and never by how late a request was.
 *
 * <p>Time is cut into windows, and the counters are read at the end of each. A window in which they
 * moved is the host's, and so is the one before it: the kernel counts at the tick after the CPU is
 * back, which is 10 ms later at most, and may be in the next window. A request belongs to the
 * window in which it was handled, as those of a burst are all handled behind it.
 *
 * <p>The counters' ticks are of 10 ms. Whatever is longer moves them; of what is shorter the kernel
 * keeps the sum, so that 3 ms move them three times in ten, and otherwise stay among the calm.
 */
final class CalmWindows {
  /**
   * Twice what the kernel may be late. Longer ones set aside more that is calm: in one recording of
   * 100 s, of a host that took 1.6 % of a CPU, these set aside 6 % of the time and 50 ms 12 %, and
   * p99.9 of the rest was 1.6 and 1.5 ms, where it was 25 ms of all.
   */
  static final long NANOS = 20_000_000;

  /** Has the whole time be one window. */
  static final long ENDLESS = Long.MAX_VALUE;

  private final Latencies all = new Latencies();
  private final Latencies calm = new Latencies();
  private final long length;
  private long began;
  private long stolen;

  /** Of the window before, which the end of this one decides about; empty where it is decided. */
  private Latencies before = new Latencies();

  private Latencies current = new Latencies();

  /**
   * Begins the first one.
   *
   * @param length of a window, in nanoseconds
   * @param stolen what the counters say
   */
  CalmWindows(long length, long now, long stolen) {
    this.length = length;
    began = now;
    this.stolen = stolen;
  }

  /** A request that was handled now, and how late that was. */
  void record(long nanos) {
    all.record(nanos);
    current.record(nanos);
  }

  /** Whether it is time to read the counters. */
  boolean isOver(long now) {
    return now - began >= length;
  }

  /** Ends the window, and begins the next; what the counters say now. */
  void end(long now, long stolenSoFar) {
    if (stolenSoFar == stolen) {
      calm.add(before);
    } else {
      current.clear();
    }
    before.clear();
    Latencies emptied = before;
    before = current;
    current = emptied;
    began = now;
    stolen = stolenSoFar;
  }

  /** So far; the last window before awaits the end of this one. */
  Requests requests() {
    return new Requests(all, calm);
  }
}
