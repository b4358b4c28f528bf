package dev.berth.measure;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the report from what {@code bench/run} has collected in a folder. */
final class Report {
  private static final String MACHINE = "machine.md";

  private final Path folder;
  private final Sides sides;
  private final Verdicts verdicts = new Verdicts();

  private Report(Path folder, Path targets) throws IOException {
    this.folder = folder;
    if (!Files.exists(folder.resolve(MACHINE))) { // what bench/run writes last
      throw new InvalidInputException(
          folder + ": expected the figures of a whole bench/run, found none");
    }
    sides = Sides.read(folder, targets);
  }

  /** FOLDER of figures, the file of TARGETS, and the folder of DOCUMENTS beside the README. */
  public static void main(String... arguments) {
    OneLine.run(() -> {
      System.out.println(
          write(Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2])));
      return 0;
    });
  }

  /** Writes all of it; what came of the targets, in a line. */
  static String write(Path folder, Path targets, Path documents) throws IOException {
    Report report = new Report(folder, targets);
    Path file = documents.resolve("benchmark-report.md");
    String last = Files.exists(file) ? Files.readString(file) : "";
    String text = report.text(last); // first, for it finds what cannot be compared
    Path readme = documents.resolveSibling("README.md");
    String quoting = report.quote().in(Files.readString(readme));
    new Growth(report.sides).draw(documents.resolve("benchmark"));
    Files.writeString(file, text);
    Files.writeString(readme, quoting);
    return report.verdicts.summary();
  }

  private Quote quote() throws IOException {
    String date = Files.readString(folder.resolve("date.txt")).strip();
    return new Quote(sides, date, Files.readString(folder.resolve(MACHINE)));
  }

  private String text(String last) throws IOException {
    StringBuilder text = new StringBuilder("# Berth beside Kubernetes, measured\n\n");
    text.append("Written by `bench/run`; not by hand. [benchmark.md](benchmark.md) says what the");
    text.append(" workloads are and how they are timed.\n\n");
    text.append(Files.readString(folder.resolve(MACHINE)));
    new WorkloadReport(folder, sides, verdicts).write(text);
    new Growth(sides).write(text);
    new DiskReport(folder, verdicts).write(text);
    new ProgramReport(folder, verdicts).write(text);
    new RuntimeReport(folder.resolve("runtimes")).write(text, verdicts);
    new HotPaths(folder).write(text);
    text.append(latency(last));
    return text.toString();
  }

  /** Another command measures it, on another day perhaps, and alone writes of it. */
  private String latency(String last) {
    String section = LatencyReport.sectionOf(last);
    if (section.isEmpty()) {
      verdicts.remark("the latency of a CPU of one's own was not measured");
    } else if (section.contains(LatencyVerdict.NOT_TOLD)) {
      verdicts.remark("the latency of a CPU of one's own has too few runs for a verdict");
    } else {
      verdicts.of("the latency of a CPU of one's own", !section.contains("**missed**"));
    }
    if (section.contains(LatencyVerdict.ALL_MISSED)) {
      verdicts.remark("by all requests, with the host's moments, that latency is missed");
    }
    return section;
  }
}
