package dev.berth.bench;

/**
 * Times a workload: warms up until it gets no faster and the JVM compiles no more, then takes the
 * mean over several rounds, which is also what the program tells that runs the workloads through
 * Kubernetes.
 *
 * @param roundNanos how long a round lasts at least
 * @param rounds how many rounds are timed once it is warm
 * @param mostWarmUpRounds how many rounds warming up may take
 */
public record Stopwatch(long roundNanos, int rounds, int mostWarmUpRounds) {
  /** Rounds of a quarter of a second: up to 80 to warm up, then five. */
  public static final Stopwatch ORDINARY = new Stopwatch(250_000_000L, 5, 80);

  /** Warm is what has not become faster by a twentieth for so many rounds. */
  private static final int STEADY_ROUNDS = 4;

  /**
   * The share of the processor time of a round that compilers may still take. The first workload of
   * its kind has much to be compiled, and gains by fits and starts until that is done.
   */
  private static final double MOST_COMPILING = 0.1;

  /** Between two looks at the clock, which takes some tens of nanoseconds itself. */
  private static final long BATCH_NANOS = 100_000;

  /** A power of two. */
  private static final int KEPT = 64;

  /**
   * A measurement.
   *
   * @param ns nanoseconds for one run, on average
   * @param coldNs nanoseconds for the very first run
   * @param runs how many runs were timed
   * @param outcome what came of a run
   */
  public record Timing(long ns, long coldNs, long runs, String outcome) {}

  /** Times only the very first run. */
  public static <T> Timing cold(Workload<T> workload) {
    long began = System.nanoTime();
    T first = workload.run();
    long cold = System.nanoTime() - began;
    return new Timing(cold, cold, 1, workload.words().apply(first));
  }

  /** Times a workload. */
  public Timing time(Workload<?> workload) {
    Timing cold = cold(workload);
    double best = Double.MAX_VALUE;
    int steady = 0;
    for (int round = 0; round < mostWarmUpRounds && steady < STEADY_ROUNDS; round++) {
      CompilerTime before = CompilerTime.now();
      double now = round(workload).nanosPerRun();
      boolean isCompiling = CompilerTime.now().shareSince(before) > MOST_COMPILING;
      steady = now < best * 0.95 || isCompiling ? 0 : steady + 1;
      best = Math.min(best, now);
    }
    long runs = 0;
    long nanos = 0;
    for (int round = 0; round < rounds; round++) {
      Round timed = round(workload);
      nanos += timed.nanos();
      runs += timed.runs();
    }
    return new Timing(nanos / runs, cold.coldNs(), runs, cold.outcome());
  }

  private record Round(long nanos, long runs) {
    double nanosPerRun() {
      return (double) nanos / runs;
    }
  }

  private Round round(Workload<?> workload) {
    // Results are held on to for a while, so that no run can be left out as useless.
    Object[] kept = new Object[KEPT];
    long started = System.nanoTime();
    long passed = 0;
    long runs = 0;
    long batch = 1;
    while (passed < roundNanos) {
      for (long run = 0; run < batch; run++) {
        kept[(int) (runs++ & KEPT - 1)] = workload.run();
      }
      passed = System.nanoTime() - started;
      batch = Math.max(1, (long) (runs * (double) BATCH_NANOS / Math.max(1, passed)));
    }
    return new Round(passed, runs);
  }
}
