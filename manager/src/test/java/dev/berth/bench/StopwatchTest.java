package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class StopwatchTest {
  @Test
  void aWorkloadIsPreparedOnlyWhereItIsRun() {
    AtomicInteger prepared = new AtomicInteger();
    NamedWorkload named =
        new NamedWorkload(
            "one",
            name -> {
              prepared.incrementAndGet();
              return new Workload<>(name, () -> 7, String::valueOf);
            });
    assertThat(named.name()).isEqualTo("one");
    assertThat(prepared).hasValue(0);
    assertThat(Stopwatch.cold(named.prepare()).outcome()).isEqualTo("7");
    assertThat(prepared).hasValue(1);
  }

  @Test
  void tellsTheColdRunAndTheMeanOfTheWarmOnes() {
    AtomicInteger runs = new AtomicInteger();
    Workload<Integer> workload = new Workload<>("one", runs::incrementAndGet, String::valueOf);
    Stopwatch.Timing timing = new Stopwatch(1_000_000, 2, 3).time(workload);
    assertThat(timing.outcome()).isEqualTo("1");
    assertThat(timing.runs()).isPositive().isLessThan(runs.get());
    assertThat(timing.coldNs()).isPositive();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void knowsHowLongTheCompilersHaveWorked() {
    CompilerTime now = CompilerTime.now();
    assertThat(now.compilers()).isPositive().isLessThan(now.all());
    assertThat(now.shareSince(new CompilerTime(0, 0))).isStrictlyBetween(0.0, 1.0);
    assertThat(now.shareSince(now)).isZero();
  }
}
