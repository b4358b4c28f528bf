package dev.berth.measure;

import dev.berth.bench.Floors;
import dev.berth.bench.Workload;
import dev.berth.bench.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes the report from what {@code bench/run} has collected in a folder. */
final class Report {
  private static final String SOURCE = "[the report](docs/benchmark-report.md).";
  private static final Pattern QUOTE =
      Pattern.compile("(?m)^On [0-9-]{10}, .*" + Pattern.quote(SOURCE) + "$");

  private final Path folder;
  private final Figures berth;
  private final Figures cold;
  private final Figures kubernetes;
  private final Floors asked;
  private final StringBuilder text = new StringBuilder();

  private Report(Path folder, Path targets) throws IOException {
    this.folder = folder;
    berth = Figures.read(folder, "berth");
    cold = Figures.read(folder, "cold");
    kubernetes = Figures.read(folder, "upstream");
    asked = Floors.parse(targets.toString(), Files.readAllLines(targets));
  }

  /** FOLDER of figures, the file of TARGETS, and the folder of DOCUMENTS beside the README. */
  public static void main(String... arguments) throws IOException {
    Path documents = Path.of(arguments[2]);
    Report report = new Report(Path.of(arguments[0]), Path.of(arguments[1]));
    String text = report.write(); // first, for it finds what cannot be compared
    Files.createDirectories(documents.resolve("benchmark"));
    Files.writeString(documents.resolve("benchmark/numa-nodes.svg"), report.byNodes().svg());
    Files.writeString(documents.resolve("benchmark/cpus.svg"), report.byCpus().svg());
    Files.writeString(documents.resolve("benchmark-report.md"), text);
    Path readme = documents.resolveSibling("README.md");
    Files.writeString(readme, report.quoted(Files.readString(readme)));
    System.out.println(report.summary());
  }

  private String write() throws IOException {
    text.append("# Berth beside Kubernetes, measured\n\n");
    text.append("Written by `bench/run`; not by hand. [benchmark.md](benchmark.md) says what the");
    text.append(" workloads are and how they are timed.\n\n");
    text.append(Files.readString(folder.resolve("machine.md")));
    text.append("\n## Workloads\n\n");
    text.append(
        "Both sides took turns, round by round. Times are medians over the rounds; a ratio");
    text.append(" is Kubernetes' time over Berth's in the same round, with the lowest and the");
    text.append(
        " highest. Cold is the first run in a fresh JVM that runs nothing else. Both sides");
    text.append(
        " came to the same result in every workload that both ran. The making of a merge's");
    text.append(
        " hints is not timed on either side: Berth's providers describe what they can give");
    text.append(
        " and list nothing. `from-lists` is Berth with the reading of Kubernetes' lists in");
    text.append(" the time, beside the same time of Kubernetes.\n\n");
    text.append(
        "| workload | Kubernetes | Berth | Berth, cold | ratio | lowest – highest | asked |\n");
    text.append("|---|--:|--:|--:|--:|--:|--:|\n");
    for (Workload<?> workload : Workloads.all()) {
      row(workload.name());
    }
    text.append(
        "\nWhere Kubernetes' time is missing, it does not end in a time that anybody would");
    text.append(" wait for:\n\n");
    for (String line : Files.readAllLines(folder.resolve("left-out.txt"))) {
      text.append("- ").append(line).append('\n');
    }
    pictures();
    new DiskReport(folder).write(text);
    text.append("\n## As a program\n\n");
    text.append(Files.readString(folder.resolve("program.md")));
    new HotPaths(folder).write(text);
    text.append(LatencyReport.section(folder.resolveSibling("latency")));
    return text.toString();
  }

  private void row(String name) {
    Optional<Spread> ratio = ratio(name);
    text.append("| `").append(name).append("` | ");
    text.append(kubernetes.spread(plain(name)).map(s -> Words.time(s.middle())).orElse(""))
        .append(" | ");
    text.append(berth.spread(name).map(s -> Words.time(s.middle())).orElse("")).append(" | ");
    text.append(cold.spread(name).map(s -> Words.time(s.middle())).orElse("")).append(" | ");
    text.append(ratio.map(r -> Words.times(r.middle()) + " ×").orElse("")).append(" | ");
    text.append(ratio.map(r -> Words.times(r.low()) + " – " + Words.times(r.high())).orElse(""));
    text.append(" | ").append(wish(name, ratio)).append(" |\n");
  }

  /** What Kubernetes calls it, which knows lists only. */
  private static String plain(String name) {
    return name.replace("/from-lists", "");
  }

  private Optional<Spread> ratio(String name) {
    List<Double> ratios = berth.ratios(name, kubernetes, plain(name));
    return ratios.isEmpty() ? Optional.empty() : Optional.of(Spread.of(ratios));
  }

  private String wish(String name, Optional<Spread> ratio) {
    return asked
        .told(name)
        .map(wish -> {
          long nanos = Math.round(berth.spread(name).map(Spread::middle).orElse(1e18));
          boolean missed = asked.missed(name, nanos, ratio.map(Spread::middle)).isPresent();
          return wish + (missed ? ", **missed**" : "");
        })
        .orElse("");
  }

  private void pictures() {
    text.append("\n## Growth\n\n");
    text.append(
        "![Time of one admission against the number of NUMA nodes](benchmark/numa-nodes.svg)\n\n");
    text.append("![Time of one admission against the number of CPUs](benchmark/cpus.svg)\n");
  }

  private Plot byNodes() {
    List<Integer> sizes = List.of(8, 12, 16, 34, 64);
    return new Plot(
        "Start of a node and admission of one pod, by NUMA nodes",
        "NUMA nodes",
        sizes,
        List.of(
            series(
                "Kubernetes, CPUs only\n(34 and 64: no end)",
                kubernetes,
                "admit-one/numa%d/best-effort",
                sizes),
            series("Berth, CPUs only", berth, "admit-one/numa%d/best-effort", sizes),
            series(
                "Berth, CPUs, memory,\nhugepages, a device",
                berth,
                "admit-one/numa%d/all",
                sizes)));
  }

  private Plot byCpus() {
    List<Integer> sizes = List.of(32, 64, 128, 256, 512);
    return new Plot(
        "Start of a node and admission of one pod, by CPUs",
        "CPUs, on two NUMA nodes",
        sizes,
        List.of(
            series("Kubernetes", kubernetes, "admit-one/cpus%d/best-effort", sizes),
            series("Berth", berth, "admit-one/cpus%d/best-effort", sizes)));
  }

  private static Plot.Series series(
      String name, Figures figures, String workload, List<Integer> sizes) {
    List<Plot.Point> points = new ArrayList<>();
    for (int size : sizes) {
      figures
          .spread(workload.replace("%d", String.valueOf(size)))
          .ifPresent(spread -> points.add(new Plot.Point(size, spread.middle())));
    }
    return new Plot.Series(name, points);
  }

  /** The README with what it quotes: the line that is dated and ends with the report. */
  private String quoted(String readme) throws IOException {
    Matcher old = QUOTE.matcher(readme);
    if (!old.find()) {
      throw new IOException("README.md: expected a line \"On DATE, … " + SOURCE + "\", found none");
    }
    String date = Files.readString(folder.resolve("date.txt")).strip();
    String quote =
        "On "
            + date
            + ", both taking turns on one machine, Berth filled machines with pods "
            + range("fill/")
            + " as fast as Kubernetes 1.36.3's own managers, and admitted one pod on 8 NUMA nodes "
            + middle("admit-one/numa8/best-effort")
            + " and on 12 "
            + middle("admit-one/numa12/best-effort")
            + " as fast: "
            + SOURCE;
    return old.replaceFirst(Matcher.quoteReplacement(quote));
  }

  private String middle(String name) {
    return ratio(name).map(ratio -> Words.times(ratio.middle())).orElse("?") + " times";
  }

  private String range(String beginning) {
    DoubleSummaryStatistics ratios =
        Workloads.all().stream()
            .map(Workload::name)
            .filter(name -> name.startsWith(beginning))
            .flatMap(name -> ratio(name).stream())
            .mapToDouble(Spread::middle)
            .summaryStatistics();
    return Words.times(ratios.getMin()) + " to " + Words.times(ratios.getMax()) + " times";
  }

  /** One line for the terminal: what was asked and is not reached. */
  private String summary() {
    List<String> missed = new ArrayList<>();
    for (Workload<?> workload : Workloads.all()) {
      if (wish(workload.name(), ratio(workload.name())).contains("missed")) {
        missed.add(workload.name());
      }
    }
    return missed.isEmpty() ? "all targets reached" : "missed: " + String.join(", ", missed);
  }
}
