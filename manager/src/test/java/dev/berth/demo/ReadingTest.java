package dev.berth.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.workload.CpuWish;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadingTest {
  private static final String BEFORE =
      """
      cpu  999 999 999 999 999 999 999 999 0 0
      cpu0 100 0 50 800 10 5 5 30 0 0
      cpu1 200 0 0 700 0 0 0 0 0 0
      cpu10 5 5 5 5 5 5 5 5 0 0
      intr 1 2 3
      """;

  private static final String AFTER =
      """
      cpu  999 999 999 999 999 999 999 999 0 0
      cpu0 130 0 60 840 20 5 5 40 0 0
      cpu1 300 0 0 700 0 0 0 0 0 0
      cpu10 5 5 5 5 5 5 5 5 0 0
      """;

  static Latencies latencies(long... nanos) {
    Latencies latencies = new Latencies();
    for (long value : nanos) {
      latencies.record(value);
    }
    return latencies;
  }

  /** All of them calm. */
  private static Requests requests(long... nanos) {
    return new Requests(latencies(nanos), latencies(nanos));
  }

  @Test
  void timeIsBusyStolenOrIdleOnTheCpusInQuestionAlone() {
    assertThat(since(CpuSet.of(0))).isEqualTo(new CpuTime(40, 10, 100));
    assertThat(since(CpuSet.of(1))).isEqualTo(new CpuTime(100, 0, 100));
    assertThat(since(CpuSet.of(0, 1))).isEqualTo(new CpuTime(140, 10, 200));
    assertThatThrownBy(() -> CpuTime.of(CpuSet.of(7), BEFORE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("/proc/stat: expected CPUs 7, found none of them");
  }

  private static CpuTime since(CpuSet cpus) {
    return CpuTime.of(cpus, AFTER).since(CpuTime.of(cpus, BEFORE));
  }

  @Test
  void whatTheProbeUsedItselfIsNotOthers() {
    Reading reading =
        Reading.of(CpuSet.of(0, 1), 1, since(CpuSet.of(0, 1)), 0.2, Set.of(), requests(1, 2, 3));
    assertThat(reading.stolen()).isEqualTo(0.05);
    assertThat(reading.others()).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void comesOutOfItsLineAsItWentIn() {
    Reading reading =
        new Reading(
            CpuSet.of(0, 3, 4),
            2.5,
            0.25,
            0.5,
            EnumSet.allOf(CpuWish.class),
            new Requests(latencies(17, 17, 250_000, 12_345_678), latencies(17, 250_000)));
    Reading read = Reading.parse(reading.text() + "\n");
    assertThat(read.text()).isEqualTo(reading.text()).hasLineCount(1);
    assertThat(read.cpus()).isEqualTo(reading.cpus());
    assertThat(read.kept()).containsExactlyInAnyOrder(CpuWish.values());
    assertThat(read.latencies().max()).isEqualTo(12_345_678);
    assertThat(read.latencies().count()).isEqualTo(4);
    assertThat(read.requests().calm().max()).isEqualTo(250_000);
    assertThat(read.requests().calm().count()).isEqualTo(2);
  }

  @Test
  void noCalmRequestsAreALineToo() {
    Requests none = new Requests(latencies(5), new Latencies());
    String line = new Reading(CpuSet.of(0), 1, 0, 0, Set.of(), none).text();
    assertThat(line).endsWith(" usual 5:1 none");
    assertThat(Reading.parse(line).requests().calm().count()).isZero();
  }

  @Test
  void moreThanAllCannotBeCalm() {
    assertThatThrownBy(() -> Reading.parse("berth-probe 0 1 0 0 usual 5:1 5:2"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("requests: expected no more calm ones than all, found 2 of 1");
  }

  @Test
  void fewerThanAFifthAreNotEnoughForFigures() {
    assertThat(new Requests(latencies(1, 2, 3, 4, 5), latencies(1)).calmEnough()).isPresent();
    assertThat(new Requests(latencies(1, 2, 3, 4, 5, 6), latencies(1)).calmEnough()).isEmpty();
    assertThat(new Requests(latencies(), latencies()).calmEnough()).isEmpty();
    assertThat(new Requests(latencies(1, 2, 3, 4), latencies(1)).aside()).isEqualTo(0.75);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hello",
        "berth-probe 0 1 0 0 usual",
        "berth-probe 0 1 0 0 usual ",
        "berth-probe 0 1 0 0 usual 5:1",
        "berth-probe 0 1 0 0 usual 5:1 ",
        "berth-probe 0 1 0 0 usual 5 5:1",
        "berth-probe 0 1 0 0 usual 5:1 5",
        "berth-probe 0 1 0 0 usual x:1 none",
        "berth-probe 0 1 0 0 usual none none",
        "berth-probe 0 1 0 2 usual 5:1 5:1",
        "berth-probe 0 0 0 0 usual 5:1 5:1",
        "berth-probe 0 1 0 0 maybe 5:1 5:1",
        "berth-probe 0 1 0 0 awake,maybe 5:1 5:1",
        "other 0 1 0 0 usual 5:1 5:1",
      })
  void refusesALineThatIsNoProbes(String line) {
    assertThatThrownBy(() -> Reading.parse(line))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("reading: expected ");
  }

  @Test
  void slicesOfAPhaseAreWeighedByTheirLength() {
    Outcome outcome = new Outcome();
    outcome.add(
        Phase.SHARED, new Reading(CpuSet.of(0), 1, 0.4, 0, Set.of(CpuWish.AWAKE), requests(10)));
    outcome.add(Phase.SHARED, new Reading(CpuSet.of(1), 3, 0, 0.8, Set.of(), requests(30, 40)));
    outcome.add(
        Phase.EXCLUSIVE, new Reading(CpuSet.of(1), 3, 0, 0, Set.of(CpuWish.AWAKE), requests(0, 5)));
    Reading shared = outcome.of(Phase.SHARED);
    assertThat(shared.cpus()).isEqualTo(CpuSet.of(0, 1));
    assertThat(shared.stolen()).isCloseTo(0.1, within(1e-9));
    assertThat(shared.others()).isCloseTo(0.6, within(1e-9));
    assertThat(shared.latencies().count()).isEqualTo(3);
    assertThat(shared.kept()).as("awake for a part of the time only").isEmpty();
    assertThat(outcome.of(Phase.EXCLUSIVE).kept()).containsExactly(CpuWish.AWAKE);
    assertThat(outcome.ratio(Phase.SHARED, Phase.EXCLUSIVE, Mark.MAX)).isEqualTo(8);
    assertThat(outcome.ratio(Phase.SHARED, Phase.EXCLUSIVE, Mark.P50)).isEqualTo(30);
    assertThatThrownBy(() -> outcome.of(Phase.IDLE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("idle: expected a slice, found none");
  }

  @Test
  void calmRequestsHaveRatiosOfTheirOwnWhereBothSidesHaveEnough() {
    Outcome outcome = new Outcome();
    outcome.add(Phase.IDLE, slice(latencies(1, 2, 3, 4, 5, 6), latencies(1)));
    outcome.add(Phase.SHARED, slice(latencies(30, 40), latencies(30)));
    outcome.add(Phase.SHARED, slice(latencies(60, 900), latencies(60)));
    outcome.add(Phase.EXCLUSIVE, slice(latencies(5, 800), latencies(5)));
    assertThat(outcome.of(Phase.SHARED).requests().aside()).isEqualTo(0.5);
    assertThat(outcome.ratio(Phase.SHARED, Phase.EXCLUSIVE, Mark.MAX)).isEqualTo(1.125);
    assertThat(outcome.calmRatio(Phase.SHARED, Phase.EXCLUSIVE, Mark.MAX)).hasValue(12);
    assertThat(outcome.calmRatio(Phase.EXCLUSIVE, Phase.IDLE, Mark.MAX)).isEmpty();
    assertThat(outcome.calmRatio(Phase.IDLE, Phase.SHARED, Mark.P50)).isEmpty();
  }

  private static Reading slice(Latencies all, Latencies calm) {
    return new Reading(CpuSet.of(0), 1, 0, 0, Set.of(), new Requests(all, calm));
  }

  @Test
  void takesTurnsAndTurnsThemAround() {
    assertThat(Phase.slices(2))
        .containsExactly(Phase.IDLE, Phase.SHARED, Phase.EXCLUSIVE, Phase.EXCLUSIVE, Phase.SHARED);
  }

  @Test
  void aProbeCountsEveryRequestThatWasDue() throws Exception {
    long nanos = 40 * Probe.PERIOD_NANOS;
    Reading reading = Probe.measure(2, Probe.PERIOD_NANOS, nanos);
    assertThat(reading.latencies().count()).isEqualTo(80);
    assertThat(reading.seconds()).isGreaterThanOrEqualTo(nanos / 1e9);
    assertThat(reading.cpus().isEmpty()).isFalse();
  }
}
