package dev.berth.replay;

import dev.berth.cpu.InvalidInputException;
import dev.berth.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Reads fields of a case, and names the place of anything that is not as expected. */
final class Fields {
  private final String where;
  private final JsonNode node;

  Fields(String where, JsonNode node) {
    if (!node.isObject()) {
      throw new InvalidInputException(
          where
              + ": expected an object, found "
              + (node.isMissingNode() ? "nothing" : brief(node)));
    }
    this.where = where;
    this.node = node;
  }

  /** Refuses names that nobody reads, which are most often misspelt. */
  Fields only(String... names) {
    for (String name : node.propertyNames()) {
      if (!List.of(names).contains(name)) {
        throw new InvalidInputException(
            where
                + ": expected names among "
                + String.join(", ", names)
                + ", found \""
                + name
                + "\"");
      }
    }
    return this;
  }

  String where() {
    return where;
  }

  JsonNode raw() {
    return node;
  }

  boolean has(String name) {
    return node.hasNonNull(name);
  }

  Fields object(String name) {
    return new Fields(where + "." + name, node.path(name));
  }

  String text(String name) {
    JsonNode value = node.path(name);
    if (!value.isString()) {
      throw error(name, "text", value);
    }
    return value.stringValue();
  }

  String text(String name, String otherwise) {
    return has(name) ? text(name) : otherwise;
  }

  int number(String name, int otherwise) {
    if (!has(name)) {
      return otherwise;
    }
    JsonNode value = node.path(name);
    if (!value.isIntegralNumber() || !value.canConvertToInt()) {
      throw error(name, "a whole number", value);
    }
    return value.intValue();
  }

  /** A number of bytes; 0 where it is absent. */
  long bytes(String name) {
    JsonNode value = node.path(name);
    if (has(name) && (!value.isIntegralNumber() || !value.canConvertToLong())) {
      throw error(name, "a number of bytes", value);
    }
    return value.asLong(0);
  }

  boolean flag(String name) {
    JsonNode value = node.path(name);
    if (!value.isMissingNode() && !value.isBoolean()) {
      throw error(name, "true or false", value);
    }
    return value.asBoolean(false);
  }

  /** The elements of a list of objects; empty where it is absent. */
  List<Fields> objects(String name) {
    JsonNode list = node.path(name);
    if (!has(name)) {
      return List.of();
    }
    if (!list.isArray()) {
      throw error(name, "a list", list);
    }
    List<Fields> elements = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      elements.add(new Fields(where + "." + name + "[" + i + "]", list.get(i)));
    }
    return elements;
  }

  /** A map from text to text; empty where it is absent. */
  Map<String, String> texts(String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (has(name)) {
      Fields map = object(name);
      map.node.propertyNames().forEach(key -> texts.put(key, map.text(key)));
    }
    return texts;
  }

  InvalidInputException error(String name, String expected, JsonNode found) {
    return new InvalidInputException(
        where
            + "."
            + name
            + ": expected "
            + expected
            + ", found "
            + (found.isMissingNode() ? "nothing" : brief(found)));
  }

  private static String brief(JsonNode node) {
    String text = Json.write(node);
    return text.length() <= 60 ? text : text.substring(0, 57) + "...";
  }
}
