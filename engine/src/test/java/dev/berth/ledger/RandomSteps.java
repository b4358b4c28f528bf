package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongFunction;

/**
 * Takes runs of random steps from consecutive seeds. A failure names the seed of its run and
 * describes it, so that the run can be repeated by itself.
 */
final class RandomSteps {
  private static final int STEPS_A_RUN = 40;

  /** One run, made from a seed. */
  interface Run {
    /** Does something at random and checks what must hold then. */
    void step();

    /** How many pods were let in so far. */
    int granted();

    /** How many were refused so far. */
    int refused();

    /** What happened so far. */
    String description();
  }

  private final String name;
  private final long firstSeed;
  private final LongFunction<? extends Run> make;

  RandomSteps(String name, long firstSeed, LongFunction<? extends Run> make) {
    this.name = name;
    this.firstSeed = firstSeed;
    this.make = make;
  }

  /**
   * Takes so many steps, and asks that they meant something.
   *
   * @param leastGranted at least how many pods must have been let in
   * @param leastRefused at least how many must have been refused
   */
  void take(long steps, long leastGranted, long leastRefused) {
    long granted = 0;
    long refused = 0;
    long started = System.nanoTime();
    for (long run = 0; run * STEPS_A_RUN < steps; run++) {
      Run random = run(firstSeed + run);
      granted += random.granted();
      refused += random.refused();
    }
    System.out.printf(
        "%d steps%s from seed %d in %d ms: %d pods granted, %d refused%n",
        steps, name, firstSeed, (System.nanoTime() - started) / 1_000_000, granted, refused);
    assertThat(granted).as("granted").isGreaterThan(leastGranted);
    assertThat(refused).as("refused").isGreaterThan(leastRefused);
  }

  private Run run(long seed) {
    Run random = make.apply(seed);
    try {
      for (int step = 0; step < STEPS_A_RUN; step++) {
        random.step();
      }
      return random;
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("-Dberth.seed=" + seed + ": " + e + "\n" + random.description(), e);
    }
  }
}
