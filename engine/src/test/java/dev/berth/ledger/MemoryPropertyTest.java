package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The rules of memory, and those of CPUs, on random machines with memory under every topology
 * policy and scope.
 *
 * <p>A failure names the seed of its run, which {@code -Dberth.seed} takes as the first one. {@code
 * -Dberth.steps} sets the number of steps.
 */
class MemoryPropertyTest {
  private static final long SEED = Long.getLong("berth.seed", 20261117L);
  private static final int STEPS_A_RUN = 40;

  @Test
  void memoryAddsUpAfterEveryStep() {
    run(5_000);
  }

  @Test
  @Tag("slow")
  void memoryAddsUpAfterEachOfManySteps() {
    run(Long.getLong("berth.steps", 100_000));
  }

  @Test
  @Tag("long")
  void memoryAddsUpAfterEachOfMillionsOfSteps() {
    run(Long.getLong("berth.steps", 2_000_000));
  }

  private static void run(long steps) {
    long granted = 0;
    long refused = 0;
    long started = System.nanoTime();
    for (long run = 0; run * STEPS_A_RUN < steps; run++) {
      long seed = SEED + run;
      MemoryRun random = new MemoryRun(seed);
      try {
        for (int step = 0; step < STEPS_A_RUN; step++) {
          random.step();
        }
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "-Dberth.seed=" + seed + ": " + e + "\n" + random.description(), e);
      }
      granted += random.granted();
      refused += random.refused();
    }
    System.out.printf(
        "%d steps with memory from seed %d in %d ms: %d pods granted, %d refused%n",
        steps, SEED, (System.nanoTime() - started) / 1_000_000, granted, refused);
    assertThat(granted).as("granted").isGreaterThan(steps / 10);
    assertThat(refused).as("refused").isGreaterThan(steps / 10);
  }
}
