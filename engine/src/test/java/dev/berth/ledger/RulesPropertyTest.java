package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The rules, and what a node promises beside them, on random machines, regular and not, with every
 * legal set of options.
 *
 * <p>A failure names the seed of its run, which {@code -Dberth.seed} takes as the first one, and
 * the run as a case for {@code berth replay}. {@code -Dberth.steps} sets the number of steps.
 */
class RulesPropertyTest {
  private static final long SEED = Long.getLong("berth.seed", 20261116L);
  private static final int STEPS_A_RUN = 40;

  @Test
  void theRulesHoldAfterEveryStep() {
    run(20_000);
  }

  @Test
  @Tag("slow")
  void theRulesHoldAfterEachOfManySteps() {
    run(Long.getLong("berth.steps", 200_000));
  }

  @Test
  @Tag("long")
  void theRulesHoldAfterEachOfMillionsOfSteps() {
    run(Long.getLong("berth.steps", 4_000_000));
  }

  private static void run(long steps) {
    long granted = 0;
    long refused = 0;
    long started = System.nanoTime();
    for (long run = 0; run * STEPS_A_RUN < steps; run++) {
      long seed = SEED + run;
      RandomRun random = new RandomRun(seed);
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
        "%d steps from seed %d in %d ms: %d pods granted, %d refused%n",
        steps, SEED, (System.nanoTime() - started) / 1_000_000, granted, refused);
    assertThat(granted).as("granted").isGreaterThan(steps / 4);
    assertThat(refused).as("refused").isGreaterThan(steps / 50);
  }

  @Test
  void everyLegalSetOfOptionsComesUp() {
    assertThat(RandomConfiguration.LEGAL).hasSize(60).doesNotHaveDuplicates();
  }
}
