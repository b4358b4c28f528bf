package dev.berth.agent.state;

import dev.berth.cpu.InvalidInputException;
import dev.berth.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Reads fields of the journal's JSON; one that is not as it was written is an error. */
final class JsonFields {
  private JsonFields() {}

  static String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (!value.isString()) {
      throw error("text in " + field, value);
    }
    return value.stringValue();
  }

  static long number(JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw error("a number in " + field, value);
    }
    return value.longValue();
  }

  /** A map by name, in the order of the file; none where the field is absent. */
  static <V> Map<String, V> map(JsonNode node, String field, Function<JsonNode, V> read) {
    JsonNode value = node.path(field);
    if (!value.isMissingNode() && !value.isObject()) {
      throw error("an object in " + field, value);
    }
    Map<String, V> map = new LinkedHashMap<>();
    value.properties().forEach(entry -> map.put(entry.getKey(), read.apply(entry.getValue())));
    return map;
  }

  /** A list; none where the field is absent. */
  static <V> List<V> list(JsonNode node, String field, Function<JsonNode, V> read) {
    JsonNode value = node.path(field);
    return value.isMissingNode() ? List.of() : list(value, read);
  }

  static <V> List<V> list(JsonNode value, Function<JsonNode, V> read) {
    if (!value.isArray()) {
      throw error("a list", value);
    }
    List<V> list = new ArrayList<>();
    value.forEach(element -> list.add(read.apply(element)));
    return list;
  }

  static String string(JsonNode value) {
    if (!value.isString()) {
      throw error("text", value);
    }
    return value.stringValue();
  }

  static InvalidInputException error(String expected, JsonNode found) {
    String text = found.isMissingNode() ? "nothing" : Json.write(found);
    String shown = text.length() <= 60 ? text : text.substring(0, 57) + "...";
    return new InvalidInputException("expected " + expected + ", found " + shown);
  }
}
