package dev.berth.ledger;

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
    new RandomSteps(" with memory", SEED, MemoryRun::new).take(steps, steps / 10, steps / 10);
  }
}
