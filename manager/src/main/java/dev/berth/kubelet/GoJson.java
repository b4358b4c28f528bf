package dev.berth.kubelet;

import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** JSON as Go's encoder writes it: no blanks, HTML escaped. */
final class GoJson {
  private GoJson() {}

  static <V> String map(SortedMap<String, V> entries, Function<V, String> value) {
    return entries.entrySet().stream()
        .map(entry -> quote(entry.getKey()) + ":" + value.apply(entry.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  static String quote(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    text.codePoints()
        .forEach(point -> {
          switch (point) {
            case '"', '\\' -> quoted.append('\\').appendCodePoint(point);
            case '\b' -> quoted.append("\\b");
            case '\f' -> quoted.append("\\f");
            case '\n' -> quoted.append("\\n");
            case '\r' -> quoted.append("\\r");
            case '\t' -> quoted.append("\\t");
            case '<', '>', '&', 0x2028, 0x2029 -> quoted.append(String.format("\\u%04x", point));
            default -> {
              if (point < 0x20) {
                quoted.append(String.format("\\u%04x", point));
              } else {
                quoted.appendCodePoint(point);
              }
            }
          }
        });
    return quoted.append('"').toString();
  }
}
