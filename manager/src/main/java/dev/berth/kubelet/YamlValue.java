package dev.berth.kubelet;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value in YAML, and where it was written. */
sealed interface YamlValue {
  /** What an error about it begins with: {@code berth.yaml:3}, or a flag. */
  String origin();

  /** How many values it comes to once every alias is written out. */
  int weight();

  /**
   * A single value. All are text here: what a number or a truth value is, its reader decides.
   *
   * @param plain whether it stands without quotes, so that {@code null} means nothing
   */
  record Scalar(String origin, String text, boolean plain) implements YamlValue {
    boolean isNothing() {
      return plain
          && switch (text) {
            case "", "~", "null", "Null", "NULL" -> true;
            default -> false;
          };
    }

    @Override
    public int weight() {
      return 1;
    }
  }

  /** A list. */
  record Items(String origin, List<YamlValue> values, int weight) implements YamlValue {
    public Items {
      values = List.copyOf(values);
    }
  }

  /** Keys and values, in the order of the file. */
  record Mapping(String origin, Map<String, Entry> entries, int weight) implements YamlValue {
    public Mapping {
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }
  }

  /**
   * The value of a key.
   *
   * @param origin where the key stands
   */
  record Entry(String origin, YamlValue value) {}
}
