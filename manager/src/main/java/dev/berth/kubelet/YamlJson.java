package dev.berth.kubelet;

import dev.berth.kubelet.YamlValue.Items;
import dev.berth.kubelet.YamlValue.Mapping;
import dev.berth.kubelet.YamlValue.Scalar;
import java.util.Locale;

/** Writes a value as JSON on one line. JSON is YAML, so it reads as the same value again. */
final class YamlJson {
  private final StringBuilder text = new StringBuilder();

  private YamlJson() {}

  static String write(YamlValue value) {
    YamlJson json = new YamlJson();
    json.add(value);
    return json.text.toString();
  }

  private void add(YamlValue value) {
    switch (value) {
      case Scalar scalar -> add(scalar);
      case Items items -> {
        text.append('[');
        for (YamlValue item : items.values()) {
          separate('[');
          add(item);
        }
        text.append(']');
      }
      case Mapping mapping -> {
        text.append('{');
        mapping
            .entries()
            .forEach((key, entry) -> {
              separate('{');
              quote(key);
              text.append(':');
              add(entry.value());
            });
        text.append('}');
      }
    }
  }

  private void separate(char opening) {
    if (text.charAt(text.length() - 1) != opening) {
      text.append(',');
    }
  }

  private void add(Scalar scalar) {
    String written = scalar.text();
    if (scalar.isNothing()) {
      text.append("null");
    } else if (scalar.plain() && written.matches("true|True|TRUE|false|False|FALSE")) {
      text.append(written.toLowerCase(Locale.ROOT));
    } else if (scalar.plain() && written.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?")) {
      text.append(written);
    } else {
      quote(written);
    }
  }

  /** What YAML does not call printable is written as its number. */
  private void quote(String words) {
    text.append('"');
    for (int i = 0; i < words.length(); i++) {
      char c = words.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || (c >= 0x7f && c < 0xa0) || c >= 0xfff0 || c == 0xfeff) {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
