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
      " The host took 1.1 % of the CPU that was to be its own, which is more than one in a"
          + " thousand: it may be the host that was measured.\n";

  @TempDir private Path folder = Path.of("");

  private void run(int number, double ratio) throws IOException {
    run(number, ratio, 100_000);
  }

  private void run(int number, double ratio, long idle) throws IOException {
    String marks = "\"p50\":60000,\"p99\":90000,\"p99.9\":%d,\"max\":9000000,\"stolen\":0.011";
    String phase = "{" + marks + ",\"others\":%s}";
    Files.writeString(
        folder.resolve("latency-" + number + ".json"),
        "{\"slices\":5,\"phases\":{\"idle\":"
            + phase.formatted(idle, 0)
            + ",\"shared\":"
            + phase.formatted(4_000_000, 1)
            + ",\"exclusive\":"
            + phase.formatted(Math.round(4_000_000 / ratio), 0.25)
            + "}}");
    Files.writeString(folder.resolve("date.txt"), "2026-01-02\n");
    Files.writeString(folder.resolve("loads.txt"), "0.1\n0.2\n");
  }

  @Test
  void tellsMediansSpreadStealAndWhetherItWasReached() throws IOException {
    run(1, 4);
    run(2, 20);
    run(3, 30);
    assertThat(LatencyReport.section(folder))
        .contains("3 runs on 2026-01-02, each with 5 slices")
        .contains("load before each: 0.1 0.2.")
        .contains("| on its own | 60.0 µs (60.0 µs – 60.0 µs) | ")
        .contains(" | 1.1 % | 25.0 % |\n")
        .contains("| 20 × (4.00 – 30) |")
        .endsWith("Asked: at p99.9 5 × better than shared, reached.\n");
  }

  @Test
  void tellsWhereItWasMissed() throws IOException {
    run(1, 4.9);
    assertThat(LatencyReport.section(folder)).endsWith("**missed**." + HOST);
  }

  @Test
  void tellsWhereThereWasNoMoreToGain() throws IOException {
    run(1, 3.9, 1_000_000);
    assertThat(LatencyReport.section(folder))
        .contains("| shared over idle | 1.00 × (1.00 – 1.00) | ")
        .endsWith(
            "**missed**. With nobody else there it is 4.00 × better: so much there was to gain on"
                + " this machine."
                + HOST);
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
