package dev.berth.measure;

import dev.berth.cpu.InvalidInputException;
import dev.berth.measure.RuntimeFigure.Asked;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The part of the report on Berth beside real containers, and {@code bench/runtimes}' own. */
final class RuntimeReport {
  private final Path folder;
  private final Figures figures;

  /** What {@code bench/runtimes} has left in a folder; nothing where it did not run. */
  RuntimeReport(Path folder) throws IOException {
    this.folder = folder;
    figures = Figures.read(folder, "runtimes");
  }

  /**
   * FOLDER of figures, and by how many times they may be above what is asked: prints a line for
   * each, and exits with 1 where one is above that.
   */
  public static void main(String... arguments) {
    OneLine.run(() -> told(arguments));
  }

  private static int told(String... arguments) throws IOException {
    RuntimeReport report = new RuntimeReport(Path.of(arguments[0]));
    report.lines().forEach(System.out::println);
    if (arguments.length == 1) {
      return 0;
    }
    String above = report.above(slack(arguments[1]));
    System.err.print(above);
    return above.isEmpty() ? 0 : 1;
  }

  private static double slack(String word) {
    try {
      return Double.parseDouble(word);
    } catch (NumberFormatException e) {
      throw new InvalidInputException("SLACK: expected a number, found \"" + word + '"', e);
    }
  }

  /** What was measured, each in a line for the terminal. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (RuntimeFigure figure : measured()) {
      Tail tail = tail(figure);
      String line =
          String.format(
              "%-20s median %10s  p99 %8s  slowest %10s  %4d ×",
              figure.name(),
              figure.unit().words(tail.median()),
              p99(figure, tail),
              figure.unit().words(tail.slowest()),
              tail.times());
      lines.add(line + figure.asked().map(asked -> verdict(figure, asked, tail)).orElse(""));
    }
    return lines;
  }

  private static String p99(RuntimeFigure figure, Tail tail) {
    return tail.isOfMany() ? figure.unit().words(tail.p99()) : "";
  }

  private static String verdict(RuntimeFigure figure, Asked asked, Tail tail) {
    return "; asked: "
        + asked(figure, asked)
        + ", "
        + (asked.isReached(tail) ? "reached" : "missed");
  }

  /** A line that names those above so many times what is asked; empty where none is. */
  String above(double slack) {
    List<String> above = new ArrayList<>();
    for (RuntimeFigure figure : measured()) {
      Tail tail = tail(figure);
      figure
          .asked()
          .filter(asked -> tail.at(asked.mark()) > figure.slack(slack) * asked.most())
          .ifPresent(asked ->
              above.add(
                  figure.name()
                      + " "
                      + figure.unit().words(tail.at(asked.mark()))
                      + " (asked: "
                      + asked(figure, asked)
                      + ")"));
    }
    String factor = BigDecimal.valueOf(slack).stripTrailingZeros().toPlainString();
    return above.isEmpty()
        ? ""
        : "bench/runtimes: above what is asked, times by %s and memory as it is: %s%n"
            .formatted(factor, String.join(", ", above));
  }

  private List<RuntimeFigure> measured() {
    return RuntimeFigure.ALL.stream()
        .filter(figure -> !figures.all(figure.name()).isEmpty())
        .toList();
  }

  private Tail tail(RuntimeFigure figure) {
    return Tail.of(figures.all(figure.name()));
  }

  private static String asked(RuntimeFigure figure, Asked asked) {
    return asked.mark().word() + " within " + figure.unit().words(asked.most());
  }

  void write(StringBuilder text, Verdicts verdicts) throws IOException {
    text.append("\n## With runtimes\n\n");
    text.append("Agents as `berth` starts them, beside real containers. The answer by NRI is that");
    text.append(
        " to a runtime that starts nothing; creations are by two containerds 2.4 that take");
    text.append(" turns, all in memory; CRI with events is containerd 2.4, without it is 1.6. All");
    text.append(" are in place once every container is on the CPUs it should be on, from the");
    text.append(" agent's registration on, and after a stall from its end. Whom to move for a");
    text.append(
        " refused pod is asked on a machine of 384 CPUs with about 90 pods, in a warm JVM with"
            + " both");
    text.append(" compilers.\n\n");
    text.append("| | median | p99 | slowest | times | asked |\n|---|--:|--:|--:|--:|--:|\n");
    for (RuntimeFigure figure : measured()) {
      row(text, figure, verdicts);
    }
    leftOut(text, verdicts);
  }

  private void row(StringBuilder text, RuntimeFigure figure, Verdicts verdicts) {
    Tail tail = tail(figure);
    text.append("| ").append(figure.words());
    text.append(" | ").append(figure.unit().words(tail.median()));
    text.append(" | ").append(p99(figure, tail));
    text.append(" | ").append(figure.unit().words(tail.slowest()));
    text.append(" | ").append(tail.times()).append(" | ");
    figure
        .asked()
        .ifPresent(asked ->
            text.append(asked(figure, asked))
                .append(", ")
                .append(verdicts.of(figure.name(), asked.isReached(tail))));
    text.append(" |\n");
  }

  /** A machine need not have a runtime; that is no verdict, and is told. */
  private void leftOut(StringBuilder text, Verdicts verdicts) throws IOException {
    List<String> absent =
        RuntimeFigure.ALL.stream()
            .map(RuntimeFigure::name)
            .filter(name -> figures.all(name).isEmpty())
            .toList();
    if (!absent.isEmpty()) {
      verdicts.remark("not measured: " + String.join(", ", absent));
      text.append("\nNot measured: `").append(String.join("`, `", absent)).append("`.\n");
    }
    Path reasons = folder.resolve("left-out.txt");
    if (Files.exists(reasons)) {
      text.append('\n');
      Files.readAllLines(reasons).forEach(line -> text.append("- ").append(line).append('\n'));
    }
  }
}
