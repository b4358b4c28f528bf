package dev.berth.kubelet;

import java.util.Map;

/**
 * Replaces {@code $(NAME)} by a variable's value, as Kubernetes does in commands and variables:
 * {@code $$} is a dollar, and a name that nobody set stays as it is written.
 */
final class Expansion {
  private Expansion() {}

  static String of(String text, Map<String, String> variables) {
    StringBuilder expanded = new StringBuilder();
    int i = 0;
    while (i < text.length()) {
      int end = text.startsWith("$(", i) ? text.indexOf(')', i) : -1;
      if (text.startsWith("$$", i)) {
        expanded.append('$');
        i += 2;
      } else if (end > 0 && variables.containsKey(text.substring(i + 2, end))) {
        expanded.append(variables.get(text.substring(i + 2, end)));
        i = end + 1;
      } else {
        expanded.append(text.charAt(i++));
      }
    }
    return expanded.toString();
  }
}
