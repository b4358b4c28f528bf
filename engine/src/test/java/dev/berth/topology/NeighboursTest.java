package dev.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.RandomMachine;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NeighboursTest {
  private static final long SEED = Long.getLong("berth.seed", 20261118L);
  private static final int MACHINES = 300;

  @Test
  void areThoseThatShareACpuOnAnyMachine() {
    int straddling = 0;
    for (long seed = SEED; seed < SEED + MACHINES; seed++) {
      Machine machine = RandomMachine.make(new Random(seed));
      for (Level from : Level.values()) {
        for (Level to : Level.values()) {
          List<Domain> ours = machine.domains(from);
          List<Domain> theirs = machine.domains(to);
          int[][] expected = definition(ours, theirs);
          assertThat(machine.neighbours(from, to))
              .as("seed %d: %s to %s of %s", seed, from, to, machine.cpuList())
              .isDeepEqualTo(expected);
          // Beyond both numbers: neither lies within the other.
          int shared = Arrays.stream(expected).mapToInt(near -> near.length).sum();
          straddling += shared > Math.max(ours.size(), theirs.size()) ? 1 : 0;
        }
      }
    }
    assertThat(straddling).as("pairs of kinds that straddle, from seed %d", SEED).isPositive();
  }

  @Test
  void positionsAreThoseOfThePlaceThatHoldsTheCpu() {
    for (long seed = SEED; seed < SEED + MACHINES; seed++) {
      Machine machine = RandomMachine.make(new Random(seed));
      for (Level level : Level.values()) {
        int[] positions = machine.positions(level);
        assertThat(positions).hasSize(machine.cpus().last() + 1);
        for (int cpu = 0; cpu < positions.length; cpu++) {
          assertThat(positions[cpu])
              .as("seed %d: %s of CPU %d", seed, level, cpu)
              .isEqualTo(machine.cpus().contains(cpu) ? machine.indexOf(level, cpu) : -1);
        }
      }
    }
  }

  private static int[][] definition(List<Domain> from, List<Domain> to) {
    return from.stream()
        .map(place ->
            IntStream.range(0, to.size())
                .filter(other -> place.cpus().intersects(to.get(other).cpus()))
                .toArray())
        .toArray(int[][]::new);
  }
}
