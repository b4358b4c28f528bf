package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.demo.Latencies;
import dev.berth.demo.Outcome;
import dev.berth.demo.Phase;
import dev.berth.demo.Reading;
import dev.berth.demo.Requests;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Calm requests are all as late as told; those of the host's moments are 30 ms late. */
class DemoCalmTest {
  private static final DemoSetting SETTING = new DemoSetting(1, 10, 5, Set.of());
  private static final long HOST = 30_000_000;

  private static Latencies latencies(long nanos, int count) {
    return count == 0 ? new Latencies() : Latencies.of(List.of(new Latencies.Bucket(nanos, count)));
  }

  private static Reading reading(CpuSet cpus, double stolen, long late, int calm, int hosts) {
    Latencies all = latencies(late, calm);
    all.add(latencies(HOST, hosts));
    return new Reading(cpus, 10, stolen, 0, Set.of(), new Requests(all, latencies(late, calm)));
  }

  private static Outcome outcome(long ownLate, int ownCalm, int ownHosts) {
    Outcome outcome = new Outcome();
    outcome.add(Phase.IDLE, reading(CpuSet.of(0, 1), 0, 100_000, 1_000, 0));
    outcome.add(Phase.SHARED, reading(CpuSet.of(0, 1), 0.005, 7_600_000, 970, 30));
    outcome.add(Phase.EXCLUSIVE, reading(CpuSet.of(1), 0.039, ownLate, ownCalm, ownHosts));
    return outcome;
  }

  private static String text(Outcome outcome) {
    return new DemoText(SETTING, outcome, "", 80).text().replaceAll("\\s+", " ");
  }

  @Test
  void tellsWhatTheHostTookAndTheTailsWithoutIt() {
    assertThat(text(outcome(640_000, 875, 125)))
        .contains("999 waited no longer than 30 ms on a CPU of its own, and no longer than 30 ms")
        .contains("on shared ones: no gain that this run could show. Stolen: ")
        .contains(
            "The host took 3.9 % of CPU 1 on its own, and 0.5 % of CPUs 0-1 shared. With these"
                + " moments set aside (12.5 % and 3.0 % of the requests), 999 of 1,000 waited no"
                + " longer than 640 µs on a CPU of its own, and no longer than 7.6 ms on shared"
                + " ones: the tail is 12 times shorter.");
  }

  @Test
  void saysSoWhereCalmMomentsGainedNothingEither() {
    assertThat(text(outcome(9_000_000, 875, 125)))
        .contains("no longer than 7.6 ms on shared ones: no gain that this run could show.");
  }

  @Test
  void saysSoWhereTooFewAreCalm() {
    assertThat(text(outcome(640_000, 150, 850)))
        .contains("(85.0 % and 3.0 % of the requests), too few are left to tell.")
        .doesNotContain("640 µs on a CPU of its own");
    assertThat(text(outcome(640_000, 0, 1_000))).contains("(100.0 % and 3.0 % of the requests)");
  }

  @Test
  void saysNothingWhereTheHostTookNothing() {
    Outcome outcome = new Outcome();
    for (Phase phase : Phase.values()) {
      outcome.add(phase, reading(CpuSet.of(1), 0, 60_000, 1_000, 0));
    }
    assertThat(text(outcome)).doesNotContain("The host took", "set aside");
  }

  @Test
  void jsonHasCalmFiguresBesideThoseOfAll() {
    JsonNode json = DemoJson.of(SETTING, outcome(640_000, 875, 125), "");
    JsonNode own = json.path("phases").path("exclusive");
    assertThat(own.path("requests").asInt()).isEqualTo(1_000);
    assertThat(own.path("p99.9").asLong()).isEqualTo(HOST);
    assertThat(own.path("calm").path("requests").asInt()).isEqualTo(875);
    assertThat(own.path("calm").path("p99.9").asLong()).isEqualTo(640_000);
    assertThat(own.path("calm").path("histogram").path(0).path(1).asInt()).isEqualTo(875);
    JsonNode ratios = json.path("ratios").path("sharedOverExclusive");
    assertThat(ratios.path("p99.9").asDouble()).isEqualTo(1);
    assertThat(ratios.path("calm").path("p99.9").asDouble()).isBetween(11.5, 12.0);
  }

  @Test
  void jsonHasNoFiguresOfTooFewCalmRequestsButTheirHistogram() {
    JsonNode json = DemoJson.of(SETTING, outcome(640_000, 150, 850), "");
    JsonNode calm = json.path("phases").path("exclusive").path("calm");
    assertThat(calm.propertyNames()).containsExactly("requests", "histogram");
    assertThat(StreamSupport.stream(calm.path("histogram").spliterator(), false)).hasSize(1);
    assertThat(json.path("phases").path("shared").path("calm").has("p99.9")).isTrue();
    assertThat(json.path("ratios").path("sharedOverExclusive").path("calm")).isEmpty();
    assertThat(json.path("ratios").path("exclusiveOverIdle").path("calm")).isEmpty();
  }
}
