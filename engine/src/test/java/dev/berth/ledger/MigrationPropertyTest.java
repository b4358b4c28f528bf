package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is promised of migrations, on random machines with random pods, configurations and changes.
 *
 * <p>A failure names the seed of its run, which {@code -Dberth.seed} takes as the first one; {@code
 * -Dberth.steps} sets the number of migrations.
 */
class MigrationPropertyTest {
  private static final long SEED = Long.getLong("berth.seed", 20261120L);

  @Test
  void whoeverCanStayStaysAndNobodyOverlaps() {
    run(1_500);
  }

  @Test
  @Tag("slow")
  void whoeverCanStayStaysInManyMigrations() {
    run(Long.getLong("berth.steps", 15_000));
  }

  private static void run(long migrations) {
    int kept = 0;
    int moved = 0;
    int displaced = 0;
    for (long i = 0; i < migrations; i++) {
      MigrationRun run = new MigrationRun(SEED + i);
      try {
        run.run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("-Dberth.seed=" + (SEED + i) + ": " + e + "\n" + run, e);
      }
      kept += run.count(Outcome.Kept.class);
      moved += run.count(Outcome.Moved.class);
      displaced += run.count(Outcome.Displaced.class);
    }
    System.out.printf(
        "%d migrations from seed %d: %d pods kept, %d moved, %d displaced%n",
        migrations, SEED, kept, moved, displaced);
    assertThat(kept).isGreaterThan((int) migrations);
    assertThat(moved).isGreaterThan((int) migrations / 10);
    assertThat(displaced).isGreaterThan((int) migrations / 10);
  }
}
