package dev.berth.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From made-up figures: 100 answers of 1 to 100 times a step, pairs, and a size. */
class RuntimeReportTest {
  @TempDir private Path folder = Path.of("");
  private final Verdicts verdicts = new Verdicts();

  private void measured(long stepNanos, long kilobytes) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 100; i >= 1; i--) {
      lines.append("{\"name\":\"nri/answer\",\"ns\":").append(i * stepNanos).append("}\n");
    }
    lines.append("{\"name\":\"nri/with\",\"ns\":7000000}\n");
    lines.append("{\"name\":\"nri/added\",\"ns\":-200000}\n");
    lines.append("{\"name\":\"agent/resident\",\"kB\":").append(kilobytes).append("}\n");
    Files.writeString(folder.resolve("runtimes-1.jsonl"), lines);
  }

  private RuntimeReport report() throws IOException {
    return new RuntimeReport(folder);
  }

  private String section() throws IOException {
    StringBuilder text = new StringBuilder();
    report().write(text, verdicts);
    return text.toString();
  }

  @Test
  void whatIsWithinWhatIsAskedIsReached() throws IOException {
    measured(40_000, 99_000);
    assertThat(section())
        .startsWith("\n## With runtimes\n")
        .contains(
            "by NRI | 2.02 ms | 3.96 ms | 4.00 ms | 100 | p99 within 5.00 ms, reached |",
            "with Berth | 7.00 ms |  | 7.00 ms | 1 |  |",
            "pair by pair | -200 µs |  | -200 µs | 1 | median within 1.00 ms, reached |",
            "99,000 kB | 1 | median within 130,000 kB, reached |");
    assertThat(verdicts.summary()).startsWith("all targets reached; not measured: ");
  }

  @Test
  void whatIsAboveIsMissedByTheMarkThatIsAsked() throws IOException {
    measured(60_000, 130_001);
    assertThat(section())
        .contains(
            "by NRI | 3.03 ms | 5.94 ms | 6.00 ms | 100 | p99 within 5.00 ms, **missed** |",
            "130,001 kB | 1 | median within 130,000 kB, **missed** |");
    assertThat(verdicts.summary()).startsWith("missed: nri/answer, agent/resident; ");
  }

  @Test
  void whatAMachineCannotHaveIsNamedWithItsReason() throws IOException {
    measured(40_000, 99_000);
    Files.writeString(folder.resolve("left-out.txt"), "`cri/listing`: needs root\n");
    assertThat(section())
        .contains("\nNot measured: `nri/without`, `agent/pass`")
        .endsWith("\n- `cri/listing`: needs root\n");
  }

  @Test
  void whatWasNotMeasuredAtAllIsNoVerdict() throws IOException {
    folder = folder.resolve("absent");
    assertThat(section()).contains("Not measured: `nri/answer`, ");
    assertThat(verdicts.summary()).startsWith("all targets reached; not measured: nri/answer, ");
  }

  @Test
  void tellsATerminalOneLineAFigure() throws IOException {
    measured(60_000, 99_000);
    List<String> lines = report().lines();
    assertThat(lines).hasSize(4);
    assertThat(lines.getFirst())
        .isEqualTo(
            "nri/answer           median    3.03 ms  p99  5.94 ms  slowest    6.00 ms   100 ×;"
                + " asked: p99 within 5.00 ms, missed");
    assertThat(lines.get(1)).endsWith("1 ×");
  }

  @Test
  void namesWhatIsAboveALimitAndNothingBelowIt() throws IOException {
    measured(60_000, 130_000);
    assertThat(report().above(3)).isEmpty();
    assertThat(report().above(1))
        .isEqualTo(
            "bench/runtimes: above what is asked, times by 1 and memory as it is: nri/answer 5.94"
                + " ms (asked: p99 within 5.00 ms)\n");
    measured(160_000, 130_000);
    assertThat(report().above(3)).contains("times by 3", "nri/answer 15.8 ms");
  }

  @Test
  void memoryHasNoRoomForNoise() throws IOException {
    measured(60_000, 130_001);
    assertThat(report().above(3))
        .isEqualTo(
            "bench/runtimes: above what is asked, times by 3 and memory as it is: agent/resident"
                + " 130,001 kB (asked: median within 130,000 kB)\n");
  }

  @Test
  void aLineThatIsNoJsonIsNoAnswer() throws IOException {
    Files.writeString(folder.resolve("runtimes-1.jsonl"), "{\"name\":\n");
    assertThatThrownBy(this::report)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("runtimes-1.jsonl: expected JSON, found ");
  }
}
