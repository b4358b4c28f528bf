package dev.berth.measure;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The part of the report on what Berth takes of a machine as a program. */
final class ProgramReport {
  private static final double MOST_COMMAND_MILLIS = 300;

  /** A line of {@code bench/startup}: the command, median, least, most, processor time. */
  private static final Pattern COMMAND =
      Pattern.compile("(\\S.*?) +([0-9]+) +[0-9]+ +[0-9]+ +[0-9]+");

  private final Path folder;
  private final Verdicts verdicts;

  ProgramReport(Path folder, Verdicts verdicts) {
    this.folder = folder;
    this.verdicts = verdicts;
  }

  void write(StringBuilder text) throws IOException {
    text.append("\n## As a program\n\n| | median | lowest – highest | asked |\n");
    text.append("|---|--:|--:|--:|\n");
    String day = "a day of 100,000 admissions on 384 CPUs, `berth simulate`";
    row(text, day, "simulate.txt", 0, 10, "s");
    row(text, "the same with `--compare`, all configurations", "compare.txt", 0, 60, "s");
    row(text, "`berth agent`, until it is ready", "agent.txt", 0, 2_000, "ms");
    row(text, "`berth agent`, resident when idle", "agent.txt", 1, 100_000, "kB");
    text.append("\nThree simulations and five starts.\n");
    commands(text);
  }

  private void row(
      StringBuilder text, String what, String file, int column, double most, String unit)
      throws IOException {
    Spread spread = Spread.of(numbers(file, column));
    text.append("| ").append(what).append(" | ").append(number(spread.middle(), unit));
    text.append(" | ").append(number(spread.low(), unit)).append(" – ");
    text.append(number(spread.high(), unit)).append(" | ").append(number(most, unit));
    String shortly = what.replace("`", "");
    text.append(", ").append(verdicts.of(shortly, spread.middle() <= most)).append(" |\n");
  }

  private List<Double> numbers(String file, int column) throws IOException {
    try (Stream<String> lines = Files.lines(folder.resolve(file))) {
      List<Double> numbers = lines.map(line -> number(file, line, column)).toList();
      if (numbers.isEmpty()) {
        throw new InvalidInputException(
            folder.resolve(file) + ": expected a line with a number, found none");
      }
      return numbers;
    }
  }

  private double number(String file, String line, int column) {
    String[] words = line.split(" ", -1);
    try {
      return Double.parseDouble(words[Math.min(column, words.length - 1)]);
    } catch (NumberFormatException e) {
      throw new InvalidInputException(
          folder.resolve(file) + ": expected numbers, found \"" + line + '"', e);
    }
  }

  private static String number(double value, String unit) {
    String digits = unit.equals("s") && value < 10 ? "%.1f %s" : "%.0f %s";
    return String.format(Locale.ROOT, digits, value, unit);
  }

  private void commands(StringBuilder text) throws IOException {
    List<String> table = Files.readAllLines(folder.resolve("startup.txt"));
    List<String> late = new ArrayList<>();
    int commands = 0;
    for (String line : table) {
      Matcher command = COMMAND.matcher(line);
      if (command.matches()) {
        commands++;
        if (Double.parseDouble(command.group(2)) > MOST_COMMAND_MILLIS) {
          late.add("`" + command.group(1) + "` " + command.group(2) + " ms");
        }
      }
    }
    if (commands == 0) {
      throw new IOException("startup.txt: expected lines of commands, found none");
    }
    text.append("\nCommands that need no agent, from their call to their end; the first are what");
    text.append(" the build shows to the JVM so that it remembers, the others are not:\n\n");
    text.append("```text\n").append(String.join("\n", table)).append("\n```\n\n");
    text.append("Asked: each within 300 ms, ");
    text.append(verdicts.of("commands within 300 ms", late.isEmpty()));
    text.append(late.isEmpty() ? "" : ": " + String.join(", ", late)).append(".\n");
  }
}
