package dev.berth.measure;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Figures that are JSON; a measurement that was interrupted may have left half of it. */
final class JsonFile {
  private JsonFile() {}

  static JsonNode read(Path file) throws IOException {
    return parse(file, Files.readString(file));
  }

  /**
   * A file's text, or a line of it.
   *
   * @throws InvalidInputException where it is no JSON
   */
  static JsonNode parse(Path file, String text) {
    try {
      return JsonMapper.shared().readTree(text);
    } catch (JacksonException e) {
      throw new InvalidInputException(
          file + ": expected JSON, found another: " + e.getOriginalMessage(), e);
    }
  }
}
