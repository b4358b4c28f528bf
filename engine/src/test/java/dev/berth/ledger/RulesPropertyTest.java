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
    new RandomSteps("", SEED, RandomRun::new).take(steps, steps / 4, steps / 50);
  }

  @Test
  void everyLegalSetOfOptionsComesUp() {
    assertThat(RandomConfiguration.LEGAL).hasSize(60).doesNotHaveDuplicates();
  }
}
