package dev.berth.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DistributionTest {
  private static final long SEED = Long.getLong("berth.seed", 20261116L);

  @Test
  void isTheFirstBestOfAllWays() {
    int possible = 0;
    for (int i = 0; i < 60_000; i++) {
      Random random = new Random(SEED + i);
      int group = 1 << random.nextInt(3);
      int[] free = free(random, group);
      int width = 1 + random.nextInt(free.length);
      int groups = width + random.nextInt(width * 6);
      int[] expected = PlainDistribution.over(free, width, groups * group, group);
      int[] found = shares(Distribution.over(free, width, groups * group, group));
      if (!Arrays.equals(expected, found)) {
        assertThat(found)
            .as(
                "seed %d: %d CPUs in groups of %d over %d of nodes with %s free",
                SEED + i, groups * group, group, width, Arrays.toString(free))
            .isEqualTo(expected);
      }
      possible += found == null ? 0 : 1;
    }
    assertThat(possible).as("inputs that have an answer, from seed %d", SEED).isGreaterThan(20_000);
  }

  private static int[] free(Random random, int group) {
    int[] free = new int[2 + random.nextInt(6)];
    int most = 1 + random.nextInt(14);
    boolean whole = random.nextBoolean();
    for (int node = 0; node < free.length; node++) {
      free[node] = whole ? group * random.nextInt(most + 1) : random.nextInt(group * most + 1);
    }
    if (random.nextInt(3) == 0) {
      Arrays.fill(free, free[0]);
    }
    if (random.nextBoolean()) {
      Arrays.sort(free);
    }
    return free;
  }

  private static int @Nullable [] shares(@Nullable Distribution found) {
    if (found == null) {
      return null;
    }
    int[] shares = new int[found.nodes()];
    for (int node = 0; node < shares.length; node++) {
      shares[node] = found.takesFrom(node) ? found.extraGroups(node) : -1;
    }
    return shares;
  }

  @Test
  void whatDoesNotDivideGoesToTheFirstNode() {
    // 5 CPUs over two of two nodes with 4 free each: 2 and 2, and one more.
    assertThat(shares(Distribution.over(new int[] {4, 4}, 2, 5, 1))).containsExactly(1, 0);
  }

  @Test
  void theRestEvensOutWhatTheOthersLeft() {
    // 3 CPUs over two nodes with 2 and 6 free: one each, and the third from where more are left.
    assertThat(shares(Distribution.over(new int[] {2, 6}, 2, 3, 1))).containsExactly(0, 1);
  }

  @Test
  void thereIsNoWayWhereANodeCannotGiveItsPart() {
    assertThat(Distribution.over(new int[] {1, 8}, 2, 6, 1)).isNull();
  }

  @Test
  void wholeCoresStayTogether() {
    // 6 CPUs in cores of 2 over two nodes with 4 free each: 2 and 2, and one core more.
    assertThat(shares(Distribution.over(new int[] {4, 4}, 2, 6, 2))).containsExactly(1, 0);
    assertThat(Distribution.over(new int[] {3, 3}, 2, 6, 2)).as("two halves are no core").isNull();
  }

  /** Eight nodes alike, seven of them sharing: far more ways than can be walked one by one. */
  @Test
  void manyNodesAreNoMoreWorkThanFew() {
    int[] free = new int[64];
    Arrays.fill(free, 16);
    int[] shares = shares(Distribution.over(free, 33, 33 * 8 + 31, 1));
    assertThat(shares).isNotNull();
    assertThat(Arrays.stream(shares == null ? new int[0] : shares).filter(s -> s >= 0).count())
        .isEqualTo(33);
  }
}
