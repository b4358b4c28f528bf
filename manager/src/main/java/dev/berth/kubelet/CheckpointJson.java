package dev.berth.kubelet;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.json.Json;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads the JSON of a checkpoint strictly, and names the place of anything unexpected. */
final class CheckpointJson {
  private final String source;

  /** Reads a checkpoint that is called so in an error. */
  CheckpointJson(String source) {
    this.source = source;
  }

  /** What the checkpoint is called in an error. */
  String source() {
    return source;
  }

  /** The checkpoint as an object that has no other fields than these. */
  JsonNode parse(String text, Set<String> fields) {
    JsonNode root = parse(text);
    for (String name : root.propertyNames()) {
      if (!fields.contains(name)) {
        throw error("fields among " + String.join(", ", new TreeSet<>(fields)), "\"" + name + "\"");
      }
    }
    return root;
  }

  private JsonNode parse(String text) {
    try {
      JsonNode root = Json.readStrictly(text);
      if (!root.isObject()) {
        throw error("a JSON object", text.isBlank() ? "an empty file" : "something else");
      }
      return root;
    } catch (JacksonException e) {
      var at = e.getLocation();
      String where =
          at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
      throw new InvalidInputException(
          source
              + ": expected JSON, found a fault"
              + where
              + ": "
              + e.getOriginalMessage().lines().findFirst().orElse(""),
          e);
    }
  }

  Set<Map.Entry<String, JsonNode>> properties(JsonNode node, String where) {
    if (node.isMissingNode()) {
      return Set.of();
    }
    if (!node.isObject()) {
      throw error(where + " to be an object", Json.write(node));
    }
    return node.properties();
  }

  String text(JsonNode node, String field, String where) {
    JsonNode value = node.path(field);
    if (!value.isString()) {
      throw error(where + " to be text", value.isMissingNode() ? "nothing" : Json.write(value));
    }
    return value.stringValue();
  }

  CpuSet cpus(JsonNode node, String field, String where) {
    String list = text(node, field, where);
    try {
      return CpuSet.parse(list);
    } catch (InvalidInputException e) {
      throw new InvalidInputException(source + ": " + where + ": " + e.line(), e);
    }
  }

  /** A field that is a whole number from 0. */
  long number(JsonNode node, String field, String where) {
    JsonNode value = node.path(field);
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
      throw error(
          where + "." + field + " to be a number from 0",
          value.isMissingNode() ? "nothing" : Json.write(value));
    }
    return value.longValue();
  }

  long checksum(JsonNode root) {
    JsonNode value = root.path("checksum");
    if (!value.canConvertToLong() || value.longValue() < 0 || value.longValue() > 0xffffffffL) {
      throw error(
          "checksum to be a 32-bit number", value.isMissingNode() ? "nothing" : Json.write(value));
    }
    return value.longValue();
  }

  InvalidInputException error(String expected, String found) {
    String shown = found.length() <= 60 ? found : found.substring(0, 57) + "...";
    return new InvalidInputException(source + ": expected " + expected + ", found " + shown);
  }
}
