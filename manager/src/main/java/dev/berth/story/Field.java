package dev.berth.story;

import dev.berth.cpu.InvalidInputException;
import dev.berth.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A value in a story that is being read, and where it stands.
 *
 * @param place {@code day.json: steps[3].cpus}
 * @param value what stands there
 */
record Field(String place, JsonNode value) {
  private static final int SHOWN_LENGTH = 60;

  Optional<Field> field(String name) {
    object();
    JsonNode inner = value.path(name);
    return inner.isMissingNode() ? Optional.empty() : Optional.of(child(name, inner));
  }

  Field required(String name) {
    return field(name).orElseThrow(() -> error(name + " in it", "none"));
  }

  private Field child(String name, JsonNode inner) {
    return new Field(place + (place.endsWith(":") ? " " : ".") + name, inner);
  }

  ObjectNode object() {
    if (!(value instanceof ObjectNode node)) {
      throw error("an object", shown());
    }
    return node;
  }

  Map<String, Field> entries() {
    Map<String, Field> entries = new LinkedHashMap<>();
    object()
        .properties()
        .forEach(entry ->
            entries.put(entry.getKey(), child("\"" + entry.getKey() + "\"", entry.getValue())));
    return entries;
  }

  /** Those of a field; none where it is absent. */
  Map<String, Field> entries(String name) {
    return field(name).map(Field::entries).orElse(Map.of());
  }

  List<Field> elements() {
    if (!value.isArray()) {
      throw error("a list", shown());
    }
    List<Field> elements = new ArrayList<>();
    value.forEach(element -> elements.add(new Field(place + "[" + elements.size() + "]", element)));
    return elements;
  }

  String text() {
    if (!value.isString()) {
      throw error("text", shown());
    }
    return value.stringValue();
  }

  /** The text of a field; empty where it is absent. */
  String text(String name) {
    return field(name).map(Field::text).orElse("");
  }

  double number() {
    if (!value.isNumber()) {
      throw error("a number", shown());
    }
    return value.doubleValue();
  }

  long whole() {
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw error("a whole number", shown());
    }
    return value.longValue();
  }

  /** What a reader makes of its text; the reader's words are put behind the place. */
  <T> T as(Function<String, T> reader) {
    String text = text();
    try {
      return reader.apply(text);
    } catch (InvalidInputException e) {
      throw new InvalidInputException(place + ": " + e.line(), e);
    }
  }

  InvalidInputException error(String expected, String found) {
    String separator = place.endsWith(":") ? " " : ": ";
    return new InvalidInputException(
        place + separator + "expected " + expected + ", found " + found);
  }

  String shown() {
    String text = Json.write(value);
    return text.length() <= SHOWN_LENGTH ? text : text.substring(0, SHOWN_LENGTH - 3) + "...";
  }
}
