package dev.berth.agent.state;

/**
 * Writes JSON on one line, as it goes. A library's writer does more, and is code of which nothing
 * is in the processor's caches when a container comes along: this takes a third of its time then.
 *
 * <p>Names and values are in the order of the calls; whoever calls sees to it that they make sense.
 */
public final class JsonLine {
  /** A line has some hundred characters. */
  private static final int USUAL = 1_024;

  private static final String HEX = "0123456789abcdef";

  private final StringBuilder text = new StringBuilder(USUAL);

  /** Begins an object, as the whole or in an array. */
  public JsonLine object() {
    separate();
    text.append('{');
    return this;
  }

  /** Begins an object as a field. */
  public JsonLine object(String name) {
    name(name);
    text.append('{');
    return this;
  }

  /** Ends the innermost object. */
  public JsonLine end() {
    text.append('}');
    return this;
  }

  /** Begins an array as a field. */
  public JsonLine array(String name) {
    name(name);
    text.append('[');
    return this;
  }

  /** Ends the innermost array. */
  public JsonLine endArray() {
    text.append(']');
    return this;
  }

  /** A field. */
  public JsonLine put(String name, String value) {
    name(name);
    quote(value);
    return this;
  }

  /** A field. */
  public JsonLine put(String name, long value) {
    name(name);
    text.append(value);
    return this;
  }

  /** An element of an array. */
  public JsonLine add(String value) {
    separate();
    quote(value);
    return this;
  }

  private void name(String name) {
    separate();
    quote(name);
    text.append(':');
  }

  private void separate() {
    char before = text.isEmpty() ? '{' : text.charAt(text.length() - 1);
    if (before != '{' && before != '[') {
      text.append(',');
    }
  }

  private void quote(String value) {
    text.append('"');
    int from = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\' || c < ' ') {
        text.append(value, from, i);
        escape(c);
        from = i + 1;
      }
    }
    text.append(value, from, value.length()).append('"');
  }

  private void escape(char c) {
    if (c >= ' ') {
      text.append('\\').append(c);
    } else {
      text.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
    }
  }

  /** All that was written. */
  @Override
  public String toString() {
    return text.toString();
  }
}
