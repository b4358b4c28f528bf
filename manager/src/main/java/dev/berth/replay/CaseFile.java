package dev.berth.replay;

import dev.berth.cpu.InvalidInputException;
import dev.berth.json.Json;
import dev.berth.linux.InputFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A file of cases, one JSON object a line, perhaps gzipped; {@code -} is the standard input. */
public final class CaseFile {
  private final String name;

  /** The file of that name. */
  public CaseFile(String name) {
    this.name = name;
  }

  /**
   * Reads every case, all of which must be scenarios.
   *
   * @throws InvalidInputException with file and line, where one cannot be read
   */
  public void forEach(Consumer<Scenario> action) {
    forEachCase(one -> {
      switch (one) {
        case Scenario scenario -> action.accept(scenario);
        case MergeCase merge ->
            throw new InvalidInputException(
                name + ": expected scenarios, found the merge " + merge.id());
      }
    });
  }

  /**
   * Reads every case, of whatever kind.
   *
   * @throws InvalidInputException with file and line, where one cannot be read
   */
  public void forEachCase(Consumer<RecordedCase> action) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(open(), StandardCharsets.UTF_8))) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.isBlank()) {
          action.accept(read(name + ":" + number, line));
        }
      }
    } catch (IOException e) {
      throw InputFile.unreadable(name, "a file of cases", e);
    }
  }

  private InputStream open() throws IOException {
    if (name.equals("-")) {
      return System.in;
    }
    InputStream file = Files.newInputStream(Path.of(name));
    return name.endsWith(".gz") ? new GZIPInputStream(file, 1 << 16) : file;
  }

  private static String firstLine(JacksonException e) {
    return e.getOriginalMessage().lines().findFirst().orElse("");
  }

  static RecordedCase read(String where, String line) {
    JsonNode node;
    try {
      node = Json.readStrictly(line);
    } catch (JacksonException e) {
      String at = e.getLocation() == null ? "" : " at column " + e.getLocation().getColumnNr();
      throw new InvalidInputException(
          where + ": expected a JSON object, found a fault" + at + ": " + firstLine(e), e);
    }
    if (!(node instanceof ObjectNode object)) {
      throw new InvalidInputException(where + ": expected a JSON object, found something else");
    }
    return MergeCase.is(object)
        ? MergeCase.read(where, object)
        : ScenarioReader.read(where, object);
  }
}
