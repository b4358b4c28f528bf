package dev.berth.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The section from made-up runs of {@code berth demo}. */
class LatencyReportTest {
  private static final String HOST =
      " The host took 1.10 % of the CPU that was to be its own, which is as much as p99.9 leaves"
          + " out, or more: it may be the host that was measured.\n";

  @TempDir private Path folder = Path.of("");

  private void run(int number, double ratio) throws IOException {
    run(number, ratio, 100_000);
  }

  private void run(int number, double ratio, long idle) throws IOException {
    Files.writeString(
        folder.resolve("latency-" + number + ".json"),
        "{\"slices\":5,\"phases\":{\"idle\":"
            + phase(idle, "0")
            + ",\"shared\":"
            + phase(4_000_000, "1")
            + ",\"exclusive\":"
            + phase(Math.round(4_000_000 / ratio), "0.25")
            + "}}");
    Files.writeString(folder.resolve("machine.md"), "- 2026-01-02, a machine\n");
  }

  /** Two of a hundred requests are as late as the tail. */
  private static String phase(long tail, String others) {
    return """
    {"p50":60000,"p99":90000,"p99.9":%d,"max":9000000,"stolen":0.011,"others":%s,\
    "histogram":[[60000,98],[%d,2]]}\
    """
        .formatted(tail, others, tail);
  }

  @Test
  void tellsMediansSpreadStealAndWhetherItWasReached() throws IOException {
    run(1, 6);
    run(2, 20);
    run(3, 30);
    assertThat(LatencyReport.section(folder))
        .startsWith("\n## A CPU of one's own\n\nWritten by `bench/latency`")
        .contains("\n- 2026-01-02, a machine\n")
        .contains("3 runs, each with 5 slices")
        .contains("| on its own | 60.0 µs (60.0 µs – 60.0 µs) | ")
        .contains(" | 1.1 % | 25.0 % |\n")
        .contains("| 20 × (6.00 – 30) |")
        .contains("3 of 3 runs reached 5 ×.\n\nAsked: 5 × at p99.9, both by the median")
        .contains(" together: reached. With nobody else on the machine")
        .endsWith(
            "it is 40 × by the median of the ratios and 40 × of all requests together:"
                + " about so much there was to gain."
                + HOST);
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
        .contains("of all requests together: **missed** by all requests together (0.");
  }

  @Test
  void namesAllThatMissed() throws IOException {
    run(1, 4.9);
    assertThat(LatencyReport.section(folder))
        .contains("0 of 1 runs reached 5 ×.")
        .contains(
            "**missed** by the median of the ratios (4.90 ×) and by all requests together (4.")
        .endsWith(HOST);
  }

  @Test
  void fewSlowRunsDoNotHideInTheMedian() {
    assertThat(new LatencyVerdict(9, 8, 5, 9, 10).isReached()).isTrue();
    assertThat(new LatencyVerdict(9, 8, 4.99, 9, 10).isReached()).isFalse();
    assertThat(new LatencyVerdict(4.99, 8, 9, 4, 10).isReached()).isFalse();
  }

  @Test
  void tellsHowMuchThereWasToGain() throws IOException {
    run(1, 3.9, 1_000_000);
    assertThat(LatencyReport.section(folder))
        .contains("| shared over idle | 1.00 × (1.00 – 1.00) | ")
        .contains("it is 4.00 × by the median of the ratios and ");
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
  void refusesWhatIsNotOfADemo() throws IOException {
    Files.writeString(folder.resolve("latency-1.json"), "{}");
    assertThatThrownBy(() -> LatencyReport.section(folder))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageEndingWith("expected what berth demo tells, found another");
  }
}
