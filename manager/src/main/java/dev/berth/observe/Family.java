package dev.berth.observe;

import dev.berth.cpu.InvalidInputException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** All values of one name. */
public abstract sealed class Family permits Counter, Gauge, Histogram {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern LABEL = Pattern.compile("(?!__)[a-zA-Z_][a-zA-Z0-9_]*");

  private final String name;
  private final String help;
  private final List<String> labels;

  Family(String name, String help, List<String> labels) {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidInputException(
          "metric: expected a name of letters, digits and _, found \"" + name + "\"");
    }
    for (String label : labels) {
      if (!LABEL.matcher(label).matches()) {
        throw new InvalidInputException(
            "metric "
                + name
                + ": expected a label of letters, digits and _, found \""
                + label
                + "\"");
      }
    }
    this.name = name;
    this.help = help;
    this.labels = List.copyOf(labels);
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** What it tells, in a sentence. */
  public String help() {
    return help;
  }

  /** The names of its labels. */
  public List<String> labels() {
    return labels;
  }

  /** {@code counter}, {@code gauge} or {@code histogram}. */
  public String type() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** Adds its lines. */
  abstract void samples(StringBuilder text);

  /** The values of the labels as a key, which must be as many as there are labels. */
  List<String> key(String... values) {
    if (values.length != labels.size()) {
      throw new IllegalArgumentException(
          "metric " + name + ": expected values of " + labels + ", found " + values.length);
    }
    return List.of(values);
  }

  /** Adds a line. */
  void sample(StringBuilder text, String ending, List<String> values, double value) {
    sample(text, ending, labels, values, value);
  }

  /** The same with more labels than it has by itself. */
  void sample(
      StringBuilder text, String ending, List<String> names, List<String> values, double value) {
    text.append(name).append(ending);
    for (int i = 0; i < values.size(); i++) {
      text.append(i == 0 ? '{' : ',').append(names.get(i)).append("=\"");
      text.append(escaped(values.get(i)).replace("\"", "\\\"")).append('"');
    }
    text.append(values.isEmpty() ? " " : "} ").append(number(value)).append('\n');
  }

  /** What a line may not hold as it is. */
  static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n");
  }

  /** Whole numbers as people write them. */
  static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return Long.toString((long) value);
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return Double.toString(value);
  }
}
