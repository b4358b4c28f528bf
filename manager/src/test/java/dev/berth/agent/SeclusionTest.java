package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where nobody has to be moved; {@link UndisturbedAgentTest} moves real ones. */
class SeclusionTest {
  private final List<String> told = new ArrayList<>();

  private Seclusion seclusion(Seclusion.Way way) {
    return new Seclusion(way, new Events(event -> told.add(event.message())));
  }

  @Test
  void holdsForTheCpusThatAreKeptFreeAndForNoOthers() {
    Seclusion seclusion = seclusion(new Seclusion.Way.Isolated());
    assertThat(seclusion.holds(CpuSet.of(1))).as("nothing is known yet").isFalse();
    seclusion.keep(CpuSet.of(1, 2));
    assertThat(seclusion.holds(CpuSet.of(1))).isTrue();
    assertThat(seclusion.holds(CpuSet.of(1, 2))).isTrue();
    assertThat(seclusion.holds(CpuSet.of(2, 3))).as("one of them is not kept free").isFalse();
    seclusion.keep(CpuSet.of(3));
    assertThat(seclusion.holds(CpuSet.of(1))).as("it is free no more").isFalse();
    assertThat(seclusion.holds(CpuSet.of(3))).isTrue();
    assertThat(seclusion.caution()).isEmpty();
    assertThat(told).isEmpty();
  }

  @Test
  void whereItCannotBeDoneItHoldsForNobodyAndIsToldOnce() {
    Seclusion seclusion = seclusion(new Seclusion.Way.Impossible("expected a, found b"));
    seclusion.keep(CpuSet.EMPTY);
    assertThat(seclusion.caution()).as("nobody asks for it").isEmpty();
    seclusion.keep(CpuSet.of(1));
    assertThat(seclusion.check(CpuSet.of(1))).as("nothing was repaired").isZero();
    assertThat(seclusion.holds(CpuSet.of(1))).isFalse();
    assertThat(seclusion.caution())
        .isEqualTo("CPU 1 cannot be kept undisturbed: expected a, found b");
    assertThat(told).containsExactly(seclusion.caution());
    seclusion.check(CpuSet.EMPTY);
    assertThat(seclusion.caution()).isEmpty();
  }
}
