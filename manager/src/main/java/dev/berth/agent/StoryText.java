package dev.berth.agent;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The agent's story as one reader gets it: its pods are numbered as they come up, so that a number
 * means the same for as long as that reader stays. For one thread.
 */
final class StoryText {
  private static final String POD = "\"pod\":0";

  private final Appendable out;
  private final Map<Figure, Integer> numbers = new HashMap<>();

  StoryText(Appendable out) {
    this.out = out;
  }

  /** A whole story, on one line; numbers begin anew. */
  void story(StorySnapshot snapshot) throws IOException {
    numbers.clear();
    out.append(snapshot.head()).append(",\"pods\":");
    introduce(
        Stream.concat(
            snapshot.start().keySet().stream(),
            snapshot.entries().stream().flatMap(entry -> entry.about().stream())));
    out.append(",\"start\":{\"shared\":\"").append(snapshot.shared().toString());
    out.append("\",\"holding\":{");
    String separator = "";
    for (Map.Entry<Figure, String> one : snapshot.start().entrySet()) {
      String number = number(one.getKey());
      out.append(separator).append('"').append(number).append("\":");
      out.append(one.getValue().replaceFirst(POD, "\"pod\":" + number));
      separator = ",";
    }
    out.append("}},\"steps\":[");
    separator = "";
    for (StoryEntry entry : snapshot.entries()) {
      out.append(separator).append(numbered(entry));
      separator = ",";
    }
    out.append("]}");
  }

  /** A step, and its pod where that was not heard of before. */
  void step(StoryEntry entry) throws IOException {
    out.append("{\"pods\":");
    introduce(entry.about().stream());
    out.append(",\"step\":").append(numbered(entry)).append('}');
  }

  /** A list of those who were not heard of before. */
  private void introduce(Stream<Figure> figures) throws IOException {
    String separator = "[";
    for (Figure figure : (Iterable<Figure>) figures::iterator) {
      if (numbers.putIfAbsent(figure, numbers.size()) == null) {
        out.append(separator).append(figure.json());
        separator = ",";
      }
    }
    out.append(separator.equals("[") ? "[]" : "]");
  }

  private String number(Figure figure) {
    return String.valueOf(numbers.get(figure));
  }

  /** Nothing that a stranger wrote stands before the number. */
  private String numbered(StoryEntry entry) {
    return entry
        .about()
        .map(figure -> entry.json().replaceFirst(POD, "\"pod\":" + number(figure)))
        .orElse(entry.json());
  }
}
