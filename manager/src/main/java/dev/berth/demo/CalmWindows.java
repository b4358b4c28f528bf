package dev.berth.demo;

/**
 * Tells requests of calm moments from those of moments in which the host took a CPU, by the
 * kernel's counters of stolen time alone, and never by how late a request was.
 *
 * <p>Time is cut into windows, and the counters are read at the end of each. A window in which they
 * moved is the host's, and so are those before and after it. Before: the kernel counts at the tick
 * after the CPU is back, which is up to 10 ms later and may be in the next window. Both: the
 * counters' ticks are of 10 ms. Whatever is longer moves them; of what is shorter the kernel keeps
 * the sum, so that 3 ms move them three times in ten. As a host that is busy takes again and again,
 * beside what is seen lies much that is not. The rest of it stays among the calm.
 *
 * <p>A request belongs to the window in which it was handled, as those of a burst are all handled
 * behind it.
 */
final class CalmWindows {
  /**
   * Short beside the time between two bursts, long beside what the kernel is late. Found with a
   * thread of real-time priority and nobody beside it, so that no ratio was looked at: in 70 s in
   * which the host took 2.2 % of its CPU, three of these at a time set aside 23 %, and p99.9 went
   * from 18 to 1.7 ms; with 20 ms it was 11 % and 2.0 ms, with 100 ms 39 % and 1.2 ms.
   */
  static final long NANOS = 50_000_000;

  /** Has the whole time be one window. */
  static final long ENDLESS = Long.MAX_VALUE;

  private final Latencies all = new Latencies();
  private final Latencies calm = new Latencies();
  private final long length;
  private long began;
  private long stolen;
  private boolean hasMoved;

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
    boolean hadMoved = hasMoved;
    hasMoved = stolenSoFar != stolen;
    if (!hasMoved) {
      calm.add(before);
    }
    if (hasMoved || hadMoved) {
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
