package dev.berth.bench;

/**
 * Times a workload: warms up until the compiler has had its time, then takes the fastest of several
 * rounds, because whatever else the machine does can only make a round slower.
 *
 * @param warmUpNanos how long to warm up
 * @param roundNanos how long a round lasts at least
 * @param rounds how many rounds
 */
public record Stopwatch(long warmUpNanos, long roundNanos, int rounds) {
  /** A second to warm up and five rounds of a fifth of a second. */
  public static final Stopwatch ORDINARY = new Stopwatch(1_000_000_000L, 200_000_000L, 5);

  /**
   * A measurement.
   *
   * @param ns nanoseconds for one run, in the fastest round
   * @param coldNs nanoseconds for the very first run
   * @param runs how many runs were timed
   */
  public record Timing(long ns, long coldNs, long runs) {}

  /** Times a workload. */
  public Timing time(Workload workload) {
    long cold = System.nanoTime();
    int sink = workload.body().run();
    cold = System.nanoTime() - cold;
    long runs = 0;
    for (long end = System.nanoTime() + warmUpNanos; System.nanoTime() < end; ) {
      sink ^= workload.body().run();
    }
    long best = Long.MAX_VALUE;
    for (int round = 0; round < rounds; round++) {
      long started = System.nanoTime();
      long passed = 0;
      long inRound = 0;
      while (passed < roundNanos) {
        sink ^= workload.body().run();
        inRound++;
        passed = System.nanoTime() - started;
      }
      best = Math.min(best, passed / inRound);
      runs += inRound;
    }
    if (sink == Integer.MIN_VALUE) {
      throw new IllegalStateException("a workload did " + sink);
    }
    return new Timing(best, cold, runs);
  }
}
