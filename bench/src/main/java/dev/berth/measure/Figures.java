package dev.berth.measure;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * What one side told, round by round: a file of JSON lines each, named {@code SIDE-ROUND.jsonl}.
 *
 * <p>A name may come several times in a round; these figures stand in their order. They are
 * nanoseconds, and of memory kilobytes.
 */
final class Figures {
  private final Map<String, List<Double>> figures = new LinkedHashMap<>();
  private final Map<String, String> outcomes = new LinkedHashMap<>();

  private final String where;

  private Figures(String where) {
    this.where = where;
  }

  /**
   * Reads a side's files below a folder; none where there is no folder.
   *
   * @throws InvalidInputException where the rounds do not agree on what came of a workload
   */
  static Figures read(Path folder, String side) throws IOException {
    Figures figures = new Figures(folder.resolve(side + "-ROUND.jsonl").toString());
    if (!Files.isDirectory(folder)) {
      return figures;
    }
    List<Path> files;
    try (Stream<Path> found = Files.list(folder)) {
      files =
          found
              .filter(file -> String.valueOf(file.getFileName()).matches(side + "-[0-9]+\\.jsonl"))
              .sorted()
              .toList();
    }
    for (Path file : files) {
      for (String line : Files.readAllLines(file)) {
        figures.add(file, JsonFile.parse(file, line));
      }
    }
    return figures;
  }

  private void add(Path file, JsonNode line) {
    String name = line.path("name").asString();
    double figure = line.path(line.has("kB") ? "kB" : "ns").asDouble();
    figures.computeIfAbsent(name, ignored -> new ArrayList<>()).add(figure);
    String outcome = line.path("outcome").asString("");
    String before = outcomes.putIfAbsent(name, outcome);
    if (before != null && !before.equals(outcome)) {
      throw new InvalidInputException(
          file + ": " + name + ": expected \"" + before + "\" again, found \"" + outcome + "\"");
    }
  }

  Set<String> names() {
    return Collections.unmodifiableSet(figures.keySet());
  }

  /** All figures of a name, in their order. */
  List<Double> all(String name) {
    return Collections.unmodifiableList(figures.getOrDefault(name, List.of()));
  }

  /**
   * The same of a name that cannot be done without.
   *
   * @throws InvalidInputException where there are none
   */
  List<Double> some(String name) {
    if (all(name).isEmpty()) {
      throw new InvalidInputException(where + ": expected figures of " + name + ", found none");
    }
    return all(name);
  }

  /** Their spread, where there are any. */
  Optional<Spread> spread(String name) {
    return all(name).isEmpty() ? Optional.empty() : Optional.of(Spread.of(all(name)));
  }

  /** What came of it. */
  String outcome(String name) {
    return outcomes.getOrDefault(name, "");
  }

  /**
   * How many times as long the other took, round by round.
   *
   * @param theirs what the other calls it
   * @throws InvalidInputException where both did not come to the same
   */
  List<Double> ratios(String name, Figures other, String theirs) {
    String expected = other.outcome(theirs);
    if (!expected.isEmpty() && !expected.equals(outcome(name))) {
      throw new InvalidInputException(
          name + ": expected \"" + expected + "\", found \"" + outcome(name) + "\"");
    }
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(all(name).size(), other.all(theirs).size()); i++) {
      ratios.add(other.all(theirs).get(i) / all(name).get(i));
    }
    return ratios;
  }
}
