package dev.berth.kubelet;

import java.util.SortedMap;
import java.util.function.Function;

/** JSON as Go's encoder writes it: no blanks, HTML escaped. */
final class GoJson {
  private GoJson() {}

  static <V> String map(SortedMap<String, V> entries, Function<V, String> value) {
    StringBuilder text = new StringBuilder().append('{');
    entries.forEach((key, entry) -> {
      text.append(text.length() == 1 ? "" : ",");
      text.append(quote(key)).append(':').append(value.apply(entry));
    });
    return text.append('}').toString();
  }

  static String quote(String text) {
    return isPlain(text) ? '"' + text + '"' : escaped(text);
  }

  /** Names and lists of CPUs are, as a rule. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20 || c > 0x7e || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&') {
        return false;
      }
    }
    return true;
  }

  private static String escaped(String text) {
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
