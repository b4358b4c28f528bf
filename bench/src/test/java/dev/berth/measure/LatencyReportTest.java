package dev.berth.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The section from made-up runs of {@code berth demo}. */
class LatencyReportTest {
  @TempDir private Path folder = Path.of("");

  private void run(int number, double ratio) throws IOException {
    run(number, ratio, 100_000);
  }

  private void run(int number, double ratio, long idle) throws IOException {
    long own = Math.round(4_000_000 / ratio);
    write(number, phase(idle, "0"), phase(4_000_000, "1"), phase(own, "0.25"));
  }

  private void write(int number, String idle, String shared, String own) throws IOException {
    Files.writeString(
        folder.resolve("latency-" + number + ".json"),
        "{\"slices\":5,\"phases\":{\"idle\":%s,\"shared\":%s,\"exclusive\":%s}}"
            .formatted(idle, shared, own));
    Files.writeString(folder.resolve("machine.md"), "- 2026-01-02, a machine\n");
  }

  /** Two of a hundred requests are as late as the tail. The host took half of 0.1 %. */
  private static String phase(long tail, String others) {
    return """
    {"p50":60000,"p99":90000,"p99.9":%d,"max":9000000,"stolen":0.0005,"others":%s,\
    "requests":100,"histogram":[[60000,98],[%d,2]],"calm":%s}\
    """
        .formatted(tail, others, tail, calm(tail));
  }

  /** Fifty that are calm. */
  private static String calm(long tail) {
    return """
    {"requests":50,"p50":50000,"p99":80000,"p99.9":%d,"max":%d,"histogram":[[50000,49],[%d,1]]}\
    """
        .formatted(tail, tail, tail);
  }

  /** A run whose host took 2 %, as late as told in calm moments. */
  private void busyHost(int number, double ratio, double calmRatio) throws IOException {
    String shared = phase(4_000_000, "1").replace("0.0005", "0.004");
    String own = phase(Math.round(4_000_000 / ratio), "0").replace("0.0005", "0.02");
    String ownCalm = calm(Math.round(4_000_000 / calmRatio));
    write(number, shared, shared, own.substring(0, own.indexOf("{\"requests\"")) + ownCalm + "}");
  }

  @Test
  void tellsMediansSpreadStealAndWhetherItWasReached() throws IOException {
    run(1, 6);
    runs(2, 9, 20);
    run(10, 30);
    assertThat(LatencyReport.section(folder))
        .startsWith("\n## A CPU of one's own\n\nWritten by `bench/latency`")
        .contains("\n- 2026-01-02, a machine\n")
        .contains("10 runs, each with 5 slices")
        .contains("| on its own | 60.0 µs (60.0 µs – 60.0 µs) | ")
        .contains(" | 0.1 % | 25.0 % |\n")
        .contains("| 20 × (6.00 – 30) |")
        .contains("10 of 10 runs reached 5 ×. Of calm requests: 20 × is")
        .contains("\n\nAsked: 5 × at p99.9 of ten runs, both by the median")
        .contains(
            "The host took 0.05 % of the CPU that was to be its own and 0.05 % of the shared ones,"
                + " no more than the 0.1 % that p99.9 leaves out, so all requests decide: reached."
                + " The idle machine, whose CPUs sleep and are disturbed, had 40 × against shared"
                + " ones by the median of the ratios and 40 × of all requests together: about so"
                + " much there was to gain.\n");
  }

  private void runs(int first, int last, double ratio) throws IOException {
    for (int number = first; number <= last; number++) {
      run(number, ratio);
    }
  }

  @Test
  void fewerThanTenRunsHaveNoVerdict() throws IOException {
    runs(1, 9, 20);
    assertThat(LatencyReport.section(folder))
        .contains("9 of 9 runs reached 5 ×.")
        .contains("so all requests decide: **not told**: 9 of 10 runs. The idle")
        .doesNotContain("decide: reached");
    run(10, 20);
    assertThat(LatencyReport.section(folder)).contains("so all requests decide: reached.");
  }

  @Test
  void fewerThanTenRunsHaveNoneByTheCalmOnesEither() throws IOException {
    busyHost(1, 1.6, 2);
    assertThat(LatencyReport.section(folder))
        .contains("and the calm ones decide: **not told**: 1 of 10 runs. The idle")
        .doesNotContain("missed");
  }

  @Test
  void calmRequestsHaveATableOfTheirOwn() throws IOException {
    run(1, 10);
    assertThat(LatencyReport.section(folder))
        .contains(
            """

            The same of calm requests alone, with the moments set aside in which the host took any \
            of these CPUs ([demo.md](demo.md#calm-moments)).

            | | p50 | p99 | p99.9 | max | set aside |
            |---|--:|--:|--:|--:|--:|
            | shared | 50.0 µs (50.0 µs – 50.0 µs) | 80.0 µs\
            """)
        .contains("| on its own | 50.0 µs (50.0 µs – 50.0 µs) | 80.0 µs")
        .contains(" | 400 µs (400 µs – 400 µs) | 50.0 % |\n| shared over own | 1.00 ×")
        .contains(" | 10 × (10 – 10) | |\n\nAt p99.9");
  }

  @Test
  void calmRequestsDecideWhereTheHostTookMoreThanTheTail() throws IOException {
    for (int number = 1; number <= 10; number++) {
      busyHost(number, number % 2 == 0 ? 0.5 : 1.6, number % 2 == 0 ? 13 : 12);
    }
    assertThat(LatencyReport.section(folder))
        .contains("of all requests: 1.05 × is the median")
        .contains("Of calm requests: 13 × is")
        .contains(
            "The host took 2.00 % of the CPU that was to be its own and 0.40 % of the shared ones,"
                + " both more than the 0.1 % that p99.9 leaves out: of all requests p99.9"
                + " tells of the host, and the calm ones decide.")
        .contains(
            "By all requests: missed by the median of the ratios (1.05 ×) and by all runs together")
        .contains("By the calm ones: reached.")
        .doesNotContain("**missed**");
  }

  @Test
  void calmRequestsMayMissItToo() throws IOException {
    for (int number = 1; number <= 10; number++) {
      busyHost(number, 9, 3);
    }
    assertThat(LatencyReport.section(folder))
        .contains("By all requests: reached. By the calm ones: **missed** by the median of the");
  }

  @Test
  void itIsMissedWhereTooFewAreCalmToTell() throws IOException {
    for (int number = 1; number <= 10; number++) {
      busyHost(number, 9, 9);
    }
    for (int number = 6; number <= 10; number++) {
      Path file = folder.resolve("latency-" + number + ".json");
      Files.writeString(file, Files.readString(file).replaceAll("\"calm\":\\{.*?}", "\"calm\":{}"));
    }
    assertThat(LatencyReport.section(folder))
        .contains("#calm-moments)); 5 of the 10 runs have too few of them for figures.\n\nAt p99.9")
        .contains("By all requests: reached. By the calm ones: **missed**, for too few were calm");
  }

  @Test
  void aMedianInTheGapBetweenTwoKindsOfRunsIsMissed() throws IOException {
    double[] ratios = {0.2, 0.4, 0.9, 1, 1.9, 8.3, 12, 20, 30, 43};
    for (int i = 0; i < ratios.length; i++) {
      run(i + 1, ratios[i]);
    }
    assertThat(LatencyReport.section(folder))
        .contains("5.10 × is the median of the runs' ratios, 3.09 × the ratio of the medians, 0.")
        .contains("; 5 of 10 runs reached 5 ×.")
        .contains("so all requests decide: **missed** by all runs together (0.");
  }

  @Test
  void namesAllThatMissed() throws IOException {
    runs(1, 10, 4.9);
    assertThat(LatencyReport.section(folder))
        .contains("0 of 10 runs reached 5 ×.")
        .contains("**missed** by the median of the ratios (4.90 ×) and by all runs together (4.");
  }

  @Test
  void fewSlowRunsDoNotHideInTheMedian() {
    assertThat(new TailRatios(9, 8, 5, 9, 10).isReached()).isTrue();
    assertThat(new TailRatios(9, 8, 4.99, 9, 10).isReached()).isFalse();
    assertThat(new TailRatios(4.99, 8, 9, 4, 10).isReached()).isFalse();
  }

  @Test
  void whoDecidesDependsOnTheHostAlone() {
    TailRatios good = new TailRatios(9, 9, 9, 10, 10);
    TailRatios bad = new TailRatios(1, 1, 1, 0, 10);
    assertThat(new LatencyVerdict(good, Optional.of(bad), 0.001, 0.001).words())
        .doesNotContain("**missed**");
    assertThat(new LatencyVerdict(good, Optional.of(bad), 0.0011, 0).words())
        .contains("**missed**");
    assertThat(new LatencyVerdict(good, Optional.of(bad), 0, 0.0011).words())
        .contains("**missed**");
    assertThat(new LatencyVerdict(bad, Optional.of(good), 0.001, 0.001).words())
        .contains("**missed**");
    assertThat(new LatencyVerdict(bad, Optional.of(good), 0.0011, 0).words())
        .doesNotContain("**missed**");
    assertThat(new LatencyVerdict(good, Optional.empty(), 0.0011, 0).words())
        .contains("**missed**");
    assertThat(new LatencyVerdict(good, Optional.empty(), 0, 0).words())
        .doesNotContain("**missed**");
  }

  @Test
  void tellsHowMuchThereWasToGain() throws IOException {
    run(1, 3.9, 1_000_000);
    assertThat(LatencyReport.section(folder))
        .contains("| shared over idle | 1.00 × (1.00 – 1.00) | ")
        .contains("had 4.00 × against shared ones by the median of the ratios and ")
        .endsWith(": about so much there was to gain.\n");
  }

  @Test
  void theIdleMachineIsNoBoundForWhoIsBetterThanIt() throws IOException {
    run(1, 60, 1_000_000);
    assertThat(LatencyReport.section(folder))
        .contains("had 4.00 × against shared ones by the median of the ratios and 4.00 × of all")
        .endsWith(" together: a CPU of one's own was better than that.\n")
        .doesNotContain("to gain");
    awake(1);
    assertThat(LatencyReport.section(folder)).endsWith(" than that, for it was kept awake.\n");
  }

  @Test
  void tellsWhetherTheCpuWasKeptAwake() throws IOException {
    run(1, 7);
    run(2, 7);
    assertThat(LatencyReport.section(folder)).contains("of its own was not kept awake.");
    awake(1);
    assertThat(LatencyReport.section(folder)).contains("kept awake in 1 of the runs only.");
    awake(2);
    assertThat(LatencyReport.section(folder))
        .contains("of its own was kept awake ([agent.md]")
        .contains("of its own was not kept undisturbed.");
  }

  private void awake(int number) throws IOException {
    Path file = folder.resolve("latency-" + number + ".json");
    Files.writeString(
        file, Files.readString(file).replace("{\"slices\"", "{\"awake\":true,\"slices\""));
  }

  @Test
  void takesThePlaceOfTheLastOne() throws IOException {
    run(1, 7);
    String section = LatencyReport.section(folder);
    String once = LatencyReport.replaced("# Report\n", section);
    assertThat(once).isEqualTo("# Report\n" + section);
    assertThat(LatencyReport.replaced(once + "\n## Other\n", section))
        .isEqualTo(once + "\n## Other\n");
  }

  @Test
  void isLeftOutWhereNothingWasMeasured() throws IOException {
    assertThat(LatencyReport.section(folder.resolve("none"))).isEmpty();
    assertThat(LatencyReport.section(folder)).isEmpty();
  }

  @Test
  void theReportKeepsItsSectionWhereNothingWasMeasured() throws IOException {
    Path report = folder.resolve("report.md");
    Files.writeString(report, "# Report\n\n## A CPU of one's own\n\nOld.\n");
    for (Path none : List.of(folder, folder.resolve("none"))) {
      assertThatThrownBy(() -> LatencyReport.write(none, report))
          .isInstanceOf(InvalidInputException.class)
          .hasMessage(none + ": expected latency-N.json of bench/latency, found none");
    }
    assertThat(Files.readString(report)).endsWith("\nOld.\n");
    run(1, 7);
    assertThat(LatencyReport.write(folder, report)).contains("7.00 ×");
    assertThat(Files.readString(report)).doesNotContain("Old.").contains("7.00 ×");
  }

  @Test
  void halfOfARunIsOneLine() throws IOException {
    Files.writeString(folder.resolve("latency-1.json"), "{\"slices\":5,\"phases\":{\n\"idle");
    assertThatThrownBy(() -> LatencyReport.section(folder))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith(folder.resolve("latency-1.json") + ": expected JSON, found ");
  }

  @Test
  void refusesWhatIsNotOfADemo() throws IOException {
    Files.writeString(folder.resolve("latency-1.json"), "{}");
    assertThatThrownBy(() -> LatencyReport.section(folder))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageEndingWith("expected what berth demo tells, found another");
  }
}
