package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.demo.Latencies;
import dev.berth.demo.Outcome;
import dev.berth.demo.Phase;
import dev.berth.demo.Reading;
import dev.berth.demo.Requests;
import dev.berth.workload.CpuWish;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class DemoTextTest {
  private static final DemoSetting SETTING = new DemoSetting(1, 10, 5, Set.of(CpuWish.AWAKE));

  /** Most wake after 60 µs; one in a hundred as late as told. */
  private static Latencies latencies(long late) {
    Latencies latencies = new Latencies();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      latencies.record(i % 100 == 0 ? late - random.nextLong(late / 2) : 60_000);
    }
    return latencies;
  }

  /** All of them calm. */
  private static Requests requests(long late) {
    return new Requests(latencies(late), latencies(late));
  }

  private static Outcome outcome(long sharedTail, long ownTail, double ownOthers, double stolen) {
    return outcome(sharedTail, ownTail, ownOthers, stolen, Set.of(CpuWish.AWAKE));
  }

  private static Outcome outcome(
      long sharedTail, long ownTail, double ownOthers, double stolen, Set<CpuWish> kept) {
    Outcome outcome = new Outcome();
    outcome.add(Phase.IDLE, new Reading(CpuSet.of(0, 1), 4, 0, 0.01, Set.of(), requests(100_000)));
    outcome.add(
        Phase.SHARED, new Reading(CpuSet.of(0, 1), 10, 0, 1, Set.of(), requests(sharedTail)));
    outcome.add(
        Phase.EXCLUSIVE, new Reading(CpuSet.of(1), 10, stolen, ownOthers, kept, requests(ownTail)));
    return outcome;
  }

  private static String text(Outcome outcome, String caution) {
    // Words may be broken anywhere between them.
    return new DemoText(SETTING, outcome, caution, 80).text().replaceAll("\\s+", " ");
  }

  @ParameterizedTest
  @ValueSource(ints = {72, 80, 100, 200})
  void fitsTheWidth(int width) {
    String text =
        new DemoText(SETTING, outcome(20_000_000, 100_000, 0.5, 0.1), "Beware. ".repeat(30), width)
            .text();
    assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
    assertThat(text).doesNotContain("\u001b", "…");
  }

  @ParameterizedTest
  @ValueSource(ints = {30, 50})
  void isCutWhereTheWidthIsNotEnough(int width) {
    assertThat(new DemoText(SETTING, outcome(20_000_000, 100_000, 0, 0), "", width).text().lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
  }

  @Test
  void tellsHowMuchShorterTheTailIs() {
    String text = text(outcome(20_000_000, 100_000, 0, 0), "");
    assertThat(text)
        .contains("a request every 250 µs")
        .contains("kept CPUs 0-1 busy")
        .contains("gave it CPU 1 alone")
        .contains("999 waited no longer than 94 µs on a CPU of its own")
        .contains("no longer than 19 ms on shared ones: the tail is 206 times shorter.")
        .doesNotContain("did not start", "stole enough", "The agent says");
  }

  @Test
  void saysSoWhereNothingWasGained() {
    assertThat(text(outcome(100_000, 100_000, 0, 0), "")).contains("no gain that this run could");
    assertThat(text(outcome(100_000, 9_000_000, 0, 0), "")).contains("no gain that this run could");
  }

  @Test
  void namesWhatItCouldNotHelp() {
    assertThat(text(outcome(20_000_000, 100_000, 0.3, 0.05), "no groups here"))
        .contains("Programs that Berth did not start used 30.0 % of the time of CPU 1")
        .contains("The host stole enough to be seen")
        .contains("The agent says: no groups here");
  }

  @Test
  void tellsWhetherTheCpuWasKeptAwake() {
    assertThat(text(outcome(20_000_000, 100_000, 0, 0, Set.of(CpuWish.AWAKE)), ""))
        .contains("10 s each. That CPU was kept awake.")
        .doesNotContain("could not be kept");
    Outcome slept = outcome(20_000_000, 100_000, 0, 0, Set.of());
    assertThat(text(slept, ""))
        .contains("CPU 1 could not be kept awake on this machine.")
        .doesNotContain("was kept awake");
    DemoSetting all = new DemoSetting(1, 10, 5, EnumSet.allOf(CpuWish.class));
    Outcome both = outcome(20_000_000, 100_000, 0, 0, EnumSet.allOf(CpuWish.class));
    assertThat(new DemoText(all, both, "", 200).text())
        .contains("That CPU was kept awake and undisturbed.");
    assertThat(new DemoText(all, slept, "", 200).text())
        .contains("CPU 1 could not be kept undisturbed on this machine.");
    assertThat(DemoJson.of(all, both, "").path("undisturbed").asBoolean(false)).isTrue();
    DemoSetting unasked = new DemoSetting(1, 10, 5, Set.of());
    assertThat(new DemoText(unasked, slept, "", 80).text()).doesNotContain("awake");
    assertThat(DemoJson.of(unasked, slept, "").path("awake").asBoolean(true)).isFalse();
  }

  @Test
  void theChartHasEveryRequestOnceAndTheLongestBarForTheMost() {
    Latencies few = new Latencies();
    few.record(3);
    Latencies many = new Latencies();
    for (int i = 0; i < 1_000; i++) {
      many.record(40);
    }
    assertThat(new DemoChart(few, many, 53).text())
        .isEqualTo(
            """
             later by  shared                on its own
               ≤ 5 ns  # 1
              ≤ 10 ns
              ≤ 20 ns
              ≤ 50 ns                        ############## 1,000
            """);
  }

  @Test
  void jsonHasTheFiguresTheirRatiosAndTheWholeHistogram() {
    Outcome outcome = outcome(20_000_000, 100_000, 0.3, 0.05);
    JsonNode json = DemoJson.of(SETTING, outcome, "no groups here");
    JsonNode own = json.path("phases").path("exclusive");
    assertThat(own.path("cpus").asString()).isEqualTo("1");
    assertThat(own.path("others").asDouble()).isEqualTo(0.3);
    assertThat(own.path("stolen").asDouble()).isEqualTo(0.05);
    assertThat(own.path("requests").asInt()).isEqualTo(10_000);
    assertThat(own.path("p50").asInt()).isBetween(60_000, 62_000);
    long counted = 0;
    for (JsonNode bucket : own.path("histogram")) {
      counted += bucket.get(1).asLong();
    }
    assertThat(counted).isEqualTo(10_000);
    assertThat(json.path("ratios").path("sharedOverExclusive").path("p99.9").asDouble())
        .isBetween(190.0, 210.0);
    assertThat(json.path("ratios").path("exclusiveOverIdle").path("p50").asDouble()).isEqualTo(1);
    assertThat(json.path("caution").asString()).isEqualTo("no groups here");
    assertThat(json.path("awake").asBoolean(false)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--seconds 0", "--seconds 3601", "--cpus 0", "--cpus 65"})
  void badInputIsOneLine(String arguments) {
    Captured captured = new Captured();
    String[] words = ("demo " + arguments).split(" ", -1);
    assertThat(captured.berth(words)).isEqualTo(2);
    assertThat(captured.err()).startsWith("berth: " + words[1] + ": expected a number from 1 to");
    assertThat(captured.err()).hasLineCount(1);
  }
}
