package dev.berth.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.bench.Workload;
import dev.berth.bench.Workloads;
import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report from made-up figures: Kubernetes takes 100 and 300 times as long as Berth. */
class ReportTest {
  @TempDir private Path folder = Path.of("");
  private Path documents = Path.of("");
  private Path figures = Path.of("");
  private Path targets = Path.of("");

  @BeforeEach
  void someFigures() throws IOException {
    figures = Files.createDirectories(folder.resolve("figures"));
    documents = Files.createDirectories(folder.resolve("docs"));
    targets = folder.resolve("targets.txt");
    Files.writeString(targets, "fill/epyc-7702p/packed/4 150x\nmerge/numa4/providers1 250x\n");
    Files.writeString(
        folder.resolve("README.md"),
        """
        Before.
        On 2025-12-31, old: [the report](docs/benchmark-report.md).
        Behind.
        """);
    for (int round = 1; round <= 2; round++) {
      StringBuilder ours = new StringBuilder();
      StringBuilder theirs = new StringBuilder();
      for (Workload<?> workload : Workloads.all()) {
        ours.append(line(workload.name(), 2_000, "same"));
        if (!workload.name().endsWith("/from-lists")) {
          theirs.append(line(workload.name(), round == 1 ? 200_000 : 600_000, "same"));
        }
      }
      write("berth-" + round + ".jsonl", ours.toString());
      write("cold-" + round + ".jsonl", ours.toString());
      write("upstream-" + round + ".jsonl", theirs.toString());
    }
    write(
        "discovery-1.jsonl",
        line("discovery/512", 9_000_000, "") + line("reading/512", 3_000_000, "7 files"));
    write("durable-1.jsonl", line("durable/admission", 140, "") + line("durable/bare", 100, ""));
    write("machine.md", "- a machine\n");
    write("program.md", "| resident | 90 kB |\n");
    write("date.txt", "2026-01-02\n");
    write("left-out.txt", "`merge/x`: no end\n");
    write(
        "jmh.json",
        "[{\"benchmark\":\"a.CpuSetBenchmark.union\",\"params\":{\"n\":\"BY_CACHE\"},"
            + "\"primaryMetric\":{\"score\":12.5,\"scoreError\":0.5},"
            + "\"secondaryMetrics\":{\"gc.alloc.rate.norm\":{\"score\":48.2}}}]");
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(figures.resolve(name), content);
  }

  private static String line(String name, long ns, String outcome) {
    return "{\"name\":\"" + name + "\",\"ns\":" + ns + ",\"outcome\":\"" + outcome + "\"}\n";
  }

  private String report() throws IOException {
    Report.main(figures.toString(), targets.toString(), documents.toString());
    return Files.readString(documents.resolve("benchmark-report.md"));
  }

  @Test
  void tellsTimesRatiosTheirSpreadAndWhatWasAsked() throws IOException {
    assertThat(report())
        .contains(
            "- a machine\n",
            "\n## As a program\n\n| resident | 90 kB |\n",
            "| `fill/epyc-7702p/packed/4` | 400 µs | 2.00 µs | 2.00 µs | 200 × | 100 – 300 | 150 ×"
                + " |",
            "| `merge/numa4/providers1` | 400 µs | 2.00 µs | 2.00 µs | 200 × | 100 – 300 | 250 ×,"
                + " **missed** |",
            "| `merge/numa4/providers1/from-lists` | 400 µs | 2.00 µs | 2.00 µs | 200 × |",
            "- `merge/x`: no end\n",
            "(7 files)",
            "| discovery over reading | 3.00 × | 3.00 – 3.00 |",
            "Asked: below 100 ms, reached.",
            "| median over median | 1.40 × | |",
            "Asked: within 1.3 ×, **missed**.",
            "| `CpuSet.union` | by cache | 12.5 ns | 0.50 ns | 48 B |");
  }

  @Test
  void theReadmeQuotesItWithItsDate() throws IOException {
    report();
    assertThat(Files.readString(folder.resolve("README.md")))
        .startsWith("Before.\nOn 2026-01-02, ")
        .contains("200 to 200 times")
        .endsWith(": [the report](docs/benchmark-report.md).\nBehind.\n")
        .doesNotContain("old");
  }

  @Test
  void picturesNameEveryLineAndTheDecades() throws IOException {
    report();
    assertThat(Files.readString(documents.resolve("benchmark/numa-nodes.svg")))
        .contains(">Kubernetes, CPUs only<", ">Berth, CPUs only<", ">1 µs<", ">1 ms<", ">64<");
    assertThat(Files.readString(documents.resolve("benchmark/cpus.svg"))).contains(">512<");
  }

  @Test
  void sidesThatDoNotComeToTheSameAreNoComparison() throws IOException {
    write("upstream-1.jsonl", line("fill/epyc-7702p/packed/4", 5, "32 pods"));
    write("upstream-2.jsonl", line("fill/epyc-7702p/packed/4", 5, "32 pods"));
    assertThatThrownBy(this::report)
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("fill/epyc-7702p/packed/4: expected \"32 pods\", found \"same\"");
  }

  @Test
  void roundsThatDifferInWhatCameOfAWorkloadAreRefused() throws IOException {
    write("berth-2.jsonl", line("fill/epyc-7702p/packed/4", 5, "30 pods"));
    assertThatThrownBy(this::report)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageEndingWith("expected \"same\" again, found \"30 pods\"");
  }

  @Test
  void theMiddleOfAnEvenNumberLiesBetweenTwo() {
    assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(new Spread(1, 3, 9));
    assertThat(Spread.ofMiddleHalf(List.of(5.0, 1.0, 2.0, 3.0, 4.0)))
        .isEqualTo(new Spread(2, 3, 4));
  }
}
