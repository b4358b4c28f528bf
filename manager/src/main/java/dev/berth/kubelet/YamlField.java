package dev.berth.kubelet;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.YamlValue.Items;
import dev.berth.kubelet.YamlValue.Mapping;
import dev.berth.kubelet.YamlValue.Scalar;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A value on its way to its meaning: what it is called, for errors, and what was written.
 *
 * @param path from the top of the document, {@code spec.containers[0].name}
 * @param origin where its key stands
 * @param value what was written
 */
record YamlField(String path, String origin, YamlValue value) {
  private static final int SHOWN_LENGTH = 60;

  /** A whole document. */
  static YamlField document(YamlValue value) {
    return new YamlField("", value.origin(), value);
  }

  private YamlField child(String key, String place, YamlValue inner) {
    String name = shown(key);
    return new YamlField(path.isEmpty() ? name : path + "." + name, place, inner);
  }

  /** Its fields by name; one without a value is as good as none. */
  Map<String, YamlField> fields() {
    if (!(value instanceof Mapping mapping)) {
      throw error("keys and values");
    }
    Map<String, YamlField> fields = new LinkedHashMap<>();
    mapping
        .entries()
        .forEach((key, entry) -> {
          if (!(entry.value() instanceof Scalar scalar && scalar.isNothing())) {
            fields.put(key, child(key, entry.origin(), entry.value()));
          }
        });
    return fields;
  }

  /** Every key, also those without a value. */
  Map<String, String> keys() {
    Map<String, String> keys = new LinkedHashMap<>();
    if (value instanceof Mapping mapping) {
      mapping.entries().forEach((key, entry) -> keys.put(key, entry.origin()));
    }
    return keys;
  }

  Optional<YamlField> field(String name) {
    return Optional.ofNullable(fields().get(name));
  }

  /** The elements of a list. */
  List<YamlField> items() {
    if (!(value instanceof Items items)) {
      throw error("a list");
    }
    List<YamlField> fields = new ArrayList<>();
    for (YamlValue item : items.values()) {
      fields.add(new YamlField(path + "[" + fields.size() + "]", item.origin(), item));
    }
    return fields;
  }

  /** Its text; a number or truth value counts as the text it is written with. */
  String text() {
    if (!(value instanceof Scalar scalar)) {
      throw error("a single value");
    }
    return scalar.text();
  }

  /** Whether it is true; quotes make it text, which is neither. */
  boolean truth() {
    String written = value instanceof Scalar scalar && scalar.plain() ? scalar.text() : "";
    return switch (written) {
      case "true", "True", "TRUE" -> true;
      case "false", "False", "FALSE" -> false;
      default -> throw error("true or false");
    };
  }

  /** Texts by name. */
  Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    fields().forEach((name, field) -> texts.put(name, field.text()));
    return texts;
  }

  /** Refuses keys that nobody reads, and names the nearest that somebody does. */
  void expectKeys(Collection<String> known) {
    expectNoTypo(known);
    keys()
        .forEach((key, place) -> {
          if (!known.contains(key)) {
            throw unknown(key, place, "; known are " + String.join(", ", known));
          }
        });
  }

  /** Passes over keys that are another's to read, unless they look like one of these. */
  void expectNoTypo(Collection<String> read) {
    keys()
        .forEach((key, place) -> {
          if (!read.contains(key)) {
            Nearest.to(key, read)
                .ifPresent(near -> {
                  throw unknown(key, place, ", did you mean " + near + "?");
                });
          }
        });
  }

  private InvalidInputException unknown(String key, String place, String hint) {
    String parent = path.isEmpty() ? "" : path + ": ";
    return new InvalidInputException(
        place + ": " + parent + "expected a known key, found \"" + shown(key) + "\"" + hint);
  }

  /** What a reader makes of its text; the reader's words are put behind the place. */
  <T> T as(Function<String, T> reader) {
    String text = text();
    return within(() -> reader.apply(text));
  }

  /** Puts the place before the words of an error. */
  <T> T within(Supplier<T> read) {
    try {
      return read.get();
    } catch (InvalidInputException e) {
      String line = e.line();
      String name = path.isEmpty() ? line.substring(0, line.indexOf(':') + 1) : path + ":";
      boolean setting = name.matches("[A-Za-z]+:") && line.startsWith(name + " ");
      String words = setting ? line.substring(name.length() + 1) : line;
      throw new InvalidInputException(place() + ": " + words, e);
    }
  }

  /** Where it is, as an error begins. */
  String place() {
    return path.isEmpty() ? origin : origin + ": " + path;
  }

  InvalidInputException error(String expected) {
    return error(expected, describe());
  }

  InvalidInputException error(String expected, String found) {
    return new InvalidInputException(place() + ": expected " + expected + ", found " + found);
  }

  private String describe() {
    return switch (value) {
      case Scalar scalar -> '"' + shown(scalar.text()) + '"';
      case Items _ -> "a list";
      case Mapping _ -> "keys and values";
    };
  }

  static String shown(String text) {
    return text.length() <= SHOWN_LENGTH ? text : text.substring(0, SHOWN_LENGTH - 3) + "...";
  }
}
