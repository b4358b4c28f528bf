package dev.berth.cli;

import dev.berth.json.Json;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes the values of environment variables out of the agent's journal: they are where secrets are.
 *
 * <p>What cannot be read cannot be searched either, and is left out as a whole.
 */
final class Redaction {
  static final String HIDDEN = "(left out)";

  private Redaction() {}

  /** A journal, with the checksums of what stood there before. */
  static String journal(String text) {
    return text.lines().map(Redaction::line).collect(Collectors.joining("\n", "", "\n"));
  }

  private static String line(String line) {
    int blank = line.indexOf(' ');
    try {
      JsonNode json = Json.read(line.substring(blank + 1));
      redact(json);
      return line.substring(0, blank + 1) + json;
    } catch (JacksonException e) {
      return "(a line of " + line.length() + " characters that cannot be read was left out)";
    }
  }

  private static void redact(JsonNode json) {
    if (json instanceof ObjectNode object) {
      for (JsonNode variable : object.path("env")) {
        if (variable instanceof ObjectNode one && one.has("value")) {
          one.put("value", HIDDEN);
        }
      }
      // A pod's own text stands in the journal as text.
      if (object.path("spec").isString()) {
        JsonNode spec = Json.read(object.path("spec").asString());
        redact(spec);
        object.put("spec", Json.write(spec));
      }
    }
    json.forEach(Redaction::redact);
  }
}
