package dev.berth.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.bench.NamedWorkload;
import dev.berth.bench.Workloads;
import dev.berth.cpu.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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
      round(round);
    }
    write(
        "discovery-1.jsonl",
        line("discovery/512", 9_000_000, "") + line("reading/512", 3_000_000, "7 files"));
    write("durable-1.jsonl", line("durable/admission", 140, "") + line("durable/bare", 100, ""));
    write("machine.md", "- a machine\n- Kubernetes 9.8.7, go1\n");
    write("flags-long.txt", "-XX:Long\n");
    write("flags-agent.txt", "-Xmx9m\n");
    write("simulate.txt", "4.5\n4.7\n4.6\n");
    write("compare.txt", "16\n17\n18\n");
    write("agent.txt", "700 80000\n900 90000\n800 85000\n");
    startup(120, 290);
    runtimes(1_000);
    write("date.txt", "2026-01-02\n");
    write("left-out.txt", "`merge/x`: no end\n");
    write(
        "jmh.json",
        "[{\"benchmark\":\"a.CpuSetBenchmark.union\",\"params\":{\"n\":\"BY_CACHE\"},"
            + "\"primaryMetric\":{\"score\":12.5,\"scoreError\":0.5},"
            + "\"secondaryMetrics\":{\"gc.alloc.rate.norm\":{\"score\":48.2}}}]");
    write(
        "jmh-workloads.json",
        "[{\"params\":{\"workload\":\"fill/epyc-7702p/packed/4\"},"
            + "\"primaryMetric\":{\"score\":2100}}]");
  }

  private void round(int round) throws IOException {
    StringBuilder ours = new StringBuilder();
    StringBuilder cold = new StringBuilder();
    StringBuilder agent = new StringBuilder();
    StringBuilder theirs = new StringBuilder();
    StringBuilder theirsCold = new StringBuilder();
    for (NamedWorkload workload : Workloads.all()) {
      ours.append(line(workload.name(), 2_000, "same"));
      cold.append(line(workload.name(), 900_000, "same"));
      agent.append(line(workload.name(), 4_000, "same"));
      if (!workload.name().endsWith("/described")) {
        theirs.append(line(workload.name(), round == 1 ? 200_000 : 600_000, "same"));
        theirsCold.append(line(workload.name(), 450_000, "same"));
      }
    }
    write("berth-" + round + ".jsonl", ours.toString());
    write("cold-" + round + ".jsonl", cold.toString());
    write("agent-" + round + ".jsonl", agent.toString());
    write("upstream-" + round + ".jsonl", theirs.toString());
    write("upstream-cold-" + round + ".jsonl", theirsCold.toString());
  }

  private void startup(int first, int second) throws IOException {
    write(
        "startup.txt",
        """
        milliseconds over 10 runs, load 0.95 0.35
        berth                  median   least    most     cpu
        --version                 %d     112     135     131
        topology -o json          %d     227     370     298
        """
            .formatted(first, second));
  }

  private void runtimes(long ns) throws IOException {
    Files.createDirectories(figures.resolve("runtimes"));
    StringBuilder lines = new StringBuilder();
    for (RuntimeFigure figure : RuntimeFigure.ALL) {
      lines.append(line(figure.name(), ns, ""));
    }
    write("runtimes/runtimes-1.jsonl", lines.toString());
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(figures.resolve(name), content);
  }

  private static String line(String name, long ns, String outcome) {
    return "{\"name\":\"" + name + "\",\"ns\":" + ns + ",\"outcome\":\"" + outcome + "\"}\n";
  }

  private String report() throws IOException {
    Report.write(figures, targets, documents);
    return Files.readString(documents.resolve("benchmark-report.md"));
  }

  @Test
  void tellsTimesRatiosTheirSpreadAndWhatWasAsked() throws IOException {
    assertThat(report())
        .contains(
            "- a machine\n",
            "which has the better compiler: `-XX:Long`.",
            "| `fill/epyc-7702p/packed/4` | 400 µs | 450 µs | 2.00 µs | 900 µs | 200 × | 100 – 300"
                + " | 150 ×, reached |",
            "| `merge/numa4/providers1` | 400 µs | 450 µs | 2.00 µs | 900 µs | 200 × | 100 – 300 |"
                + " 250 ×, **missed** |",
            "| `merge/numa4/providers1/described` | 400 µs | 450 µs | 2.00 µs | 900 µs | 200 × |",
            "- `merge/x`: no end\n",
            "(7 files)",
            "| discovery over reading | 3.00 × | 3.00 – 3.00 |",
            "Asked: below 100 ms, reached.",
            "| median over median | 1.40 × | |",
            "Asked: within 1.3 ×, **missed**.",
            "| `CpuSet.union` | by cache | 12.5 ns | 0.50 ns | 48 B |");
  }

  @Test
  void tellsWhatTheAgentsFlagsAndJmhMakeOfThoseWithATarget() throws IOException {
    assertThat(report())
        .contains(
            "a small heap: `-Xmx9m`.",
            "| `fill/epyc-7702p/packed/4` | 2.00 µs | 2.10 µs | 4.00 µs | 100 × | 50 – 150 | 150 ×,"
                + " below |",
            "| `merge/numa4/providers1` | 2.00 µs |  | 4.00 µs | 100 × | 50 – 150 | 250 ×, below |",
            "With the agent's flags 0 of 2 reach what is asked of the engine; below it:"
                + " `fill/epyc-7702p/packed/4`, `merge/numa4/providers1`.");
  }

  @Test
  void tellsWhatItIsAsAProgramWithAVerdictOnEach() throws IOException {
    assertThat(report())
        .contains(
            "`berth simulate` | 4.6 s | 4.5 s – 4.7 s | 10 s, reached |",
            "all configurations | 17 s | 16 s – 18 s | 60 s, reached |",
            "until it is ready | 800 ms | 700 ms – 900 ms | 2000 ms, reached |",
            "resident when idle | 85000 kB | 80000 kB – 90000 kB | 100000 kB, reached |",
            "Asked: each within 300 ms, reached.");
    startup(120, 301);
    assertThat(report()).contains("within 300 ms, **missed**: `topology -o json` 301 ms.");
  }

  @Test
  void theSummaryCountsEveryVerdict() throws IOException {
    String unmeasured = "the latency of a CPU of one's own was not measured";
    assertThat(summary())
        .isEqualTo(
            "missed: merge/numa4/providers1, durable admission; with the agent's flags 2 of 2 fall"
                + " below; "
                + unmeasured);
    Files.writeString(targets, "fill/epyc-7702p/packed/4 50x\n");
    write("durable-1.jsonl", line("durable/admission", 110, "") + line("durable/bare", 100, ""));
    assertThat(summary()).isEqualTo("all targets reached; " + unmeasured);
    startup(301, 120);
    write("simulate.txt", "9\n11\n12\n");
    write("agent.txt", "2001 100001\n");
    write("compare.txt", "61\n");
    runtimes(1_000_001);
    write(
        "discovery-1.jsonl",
        line("discovery/512", 200_000_000, "") + line("reading/512", 3_000_000, "7 files"));
    Files.writeString(
        documents.resolve("benchmark-report.md"), "\n## A CPU of one's own\n\n**missed**\n");
    assertThat(summary())
        .isEqualTo(
            "missed: discovery, a day of 100,000 admissions on 384 CPUs, berth simulate, the same"
                + " with --compare, all configurations, berth agent, until it is ready, berth"
                + " agent, resident when idle, commands within 300 ms, nri/added, agent/resident,"
                + " the latency of a CPU of one's own");
  }

  private String summary() throws IOException {
    return Report.write(figures, targets, documents);
  }

  @Test
  void keepsTheLatencyOfTheLastReportWhereNoneWasMeasuredSince() throws IOException {
    String section = "\n## A CPU of one's own\n\nOld, reached.\n";
    Files.writeString(documents.resolve("benchmark-report.md"), "# Old\n" + section);
    assertThat(report()).startsWith("# Berth beside").endsWith("|\n" + section);
    assertThat(summary()).doesNotContain("latency");
  }

  @Test
  void leavesTheLatencyAloneThatAnotherCommandMeasuredAndTheReportDoesNotHave() throws IOException {
    String section = "\n## A CPU of one's own\n\nNewer, reached.\n";
    Files.writeString(documents.resolve("benchmark-report.md"), "# Old\n" + section);
    Files.createDirectories(folder.resolve("latency"));
    Files.writeString(folder.resolve("latency/latency-1.json"), "{\"slices\":");
    assertThat(report()).endsWith(section);
  }

  @Test
  void tooFewRunsOfTheLatencyAreNoVerdict() throws IOException {
    Files.writeString(
        documents.resolve("benchmark-report.md"),
        "\n## A CPU of one's own\n\n**not told**: 3 of 10 runs\n");
    assertThat(summary())
        .endsWith("; the latency of a CPU of one's own has too few runs for a verdict");
  }

  @Test
  void whatIsDerivedFromAMachineCountsWhereItIsNew() throws IOException {
    assertThat(report()).doesNotContain("### On a new machine");
    newMachines(2_500);
    assertThat(report())
        .contains(
            "\n### On a new machine\n",
            "\n| `fill/epyc-7702p/packed/4` | 2.00 µs | 2.50 µs | 160 × | 150 ×, reached |\n")
        .doesNotContain("| `merge/numa4/providers1` | 2.00 µs | 2.50 µs");
    newMachines(4_000);
    assertThat(report()).contains("| 2.00 µs | 4.00 µs | 100 × | 150 ×, **missed** |\n");
    assertThat(summary())
        .startsWith("missed: merge/numa4/providers1, fill/epyc-7702p/packed/4 on a new machine, ");
  }

  private void newMachines(int nanos) throws IOException {
    write(
        "jmh-new-machines.json",
        "[{\"params\":{\"workload\":\"fill/epyc-7702p/packed/4\"},"
            + "\"primaryMetric\":{\"score\":%d}}]".formatted(nanos));
  }

  @Test
  void whatIsAskedAndWasNotMeasuredOnANewMachineIsRefused() throws IOException {
    write("jmh-new-machines.json", "[]");
    assertThatThrownBy(this::report)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageEndingWith("expected figures of fill/epyc-7702p/packed/4, found none");
  }

  @Test
  void figuresThatAreAbsentOrNoneAreOneLine() throws IOException {
    assertThat(told()).isEqualTo("");
    write("upstream-1.jsonl", "{\"name\":");
    assertThat(told()).startsWith(figures.resolve("upstream-1.jsonl") + ": expected JSON, found ");
    round(1);
    write("jmh.json", "[{");
    assertThat(told()).startsWith(figures.resolve("jmh.json") + ": expected JSON, found ");
    write("simulate.txt", "killed\n");
    assertThat(told())
        .isEqualTo(figures.resolve("simulate.txt") + ": expected numbers, found \"killed\"\n");
    write("discovery-1.jsonl", "");
    assertThat(told())
        .isEqualTo(
            figures.resolve("discovery-ROUND.jsonl")
                + ": expected figures of discovery/512, found none\n");
    Files.delete(figures.resolve("left-out.txt"));
    assertThat(told())
        .isEqualTo(figures.resolve("left-out.txt") + ": expected a file, found none\n");
    Files.delete(figures.resolve("machine.md"));
    assertThat(told())
        .isEqualTo(figures + ": expected the figures of a whole bench/run, found none\n");
  }

  /** What the program says on standard error, where it has to be one line and exit code 2. */
  private String told() {
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int code =
        OneLine.code(
            () -> Report.write(figures, targets, documents).isEmpty() ? 1 : 0,
            new PrintStream(errors, true, StandardCharsets.UTF_8));
    String line = errors.toString(StandardCharsets.UTF_8);
    assertThat(code).isEqualTo(line.isEmpty() ? 0 : OneLine.WRONG);
    assertThat(line.lines().count()).isLessThanOrEqualTo(1);
    return line;
  }

  @Test
  void nothingIsWrittenWhereTheReadmeHasNoLine() throws IOException {
    Files.writeString(folder.resolve("README.md"), "Nothing.\n");
    assertThatThrownBy(this::report).isInstanceOf(IOException.class);
    assertThat(documents.resolve("benchmark-report.md")).doesNotExist();
  }

  @Test
  void aMachineWithoutKubernetesVersionIsRefused() throws IOException {
    write("machine.md", "- a machine\n");
    assertThatThrownBy(this::report)
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("machine.md: expected a line \"- Kubernetes VERSION, …\", found none");
  }

  @Test
  void theReadmeQuotesItWithItsDate() throws IOException {
    report();
    assertThat(Files.readString(folder.resolve("README.md")))
        .startsWith("Before.\nOn 2026-01-02, ")
        .contains("200 to 200 times as fast as Kubernetes 9.8.7's own managers")
        .contains("the very first fill in a fresh process, with classes from the JVM's cache and")
        .contains("took 900 µs to 900 µs, which is 0.50 to 0.50 times as fast as the first of")
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
