package dev.berth.bench;

/**
 * Times a workload: warms up until it gets no faster, then takes the mean over several rounds,
 * which is also what the program tells that runs the workloads through Kubernetes.
 *
 * @param roundNanos how long a round lasts at least
 * @param rounds how many rounds are timed once it is warm
 * @param mostWarmUpRounds how many rounds warming up may take
 */
public record Stopwatch(long roundNanos, int rounds, int mostWarmUpRounds) {
  /** Rounds of a quarter of a second: up to 24 to warm up, then five. */
  public static final Stopwatch ORDINARY = new Stopwatch(250_000_000L, 5, 24);

  /** Warm is what has not become faster by a twentieth for so many rounds. */
  private static final int STEADY_ROUNDS = 4;

  /**
   * A measurement.
   *
   * @param ns nanoseconds for one run, on average
   * @param coldNs nanoseconds for the very first run
   * @param runs how many runs were timed
   */
  public record Timing(long ns, long coldNs, long runs) {}

  /** Times a workload. */
  public Timing time(Workload workload) {
    long cold = System.nanoTime();
    int sink = workload.body().run();
    cold = System.nanoTime() - cold;
    long best = Long.MAX_VALUE;
    int steady = 0;
    for (int round = 0; round < mostWarmUpRounds && steady < STEADY_ROUNDS; round++) {
      Round warm = round(workload);
      steady = warm.nanosPerRun() < best * 0.95 ? 0 : steady + 1;
      best = Math.min(best, warm.nanosPerRun());
      sink ^= warm.sink();
    }
    long runs = 0;
    long nanos = 0;
    for (int round = 0; round < rounds; round++) {
      Round timed = round(workload);
      nanos += timed.nanos();
      runs += timed.runs();
      sink ^= timed.sink();
    }
    // Read once more, so that no run can be left out as useless.
    return new Timing(nanos / runs, cold, sink == Integer.MIN_VALUE ? runs + 1 : runs);
  }

  private record Round(long nanos, long runs, int sink) {
    long nanosPerRun() {
      return nanos / runs;
    }
  }

  private Round round(Workload workload) {
    long started = System.nanoTime();
    long passed = 0;
    long runs = 0;
    int sink = 0;
    while (passed < roundNanos) {
      sink ^= workload.body().run();
      runs++;
      passed = System.nanoTime() - started;
    }
    return new Round(passed, runs, sink);
  }
}
