package dev.berth.kubelet;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.YamlValue.Entry;
import dev.berth.kubelet.YamlValue.Items;
import dev.berth.kubelet.YamlValue.Mapping;
import dev.berth.kubelet.YamlValue.Scalar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads YAML into values that know their lines.
 *
 * <p>Built on the parser's events rather than its objects, so that no file can make more of itself
 * than it is: nesting, length and what aliases come to are bounded, an alias cannot hold itself,
 * and no tag makes an object. A key that comes twice is an error, and so is the merge key, which
 * YAML no longer has.
 */
final class Yaml {
  /** No file of Kubernetes nests half as deeply. */
  static final int DEPTH_LIMIT = 64;

  /**
   * Values in a document, every alias written out. A pod has tens, and a small agent has to read
   * the largest document without running out of memory.
   */
  static final int WEIGHT_LIMIT = 100_000;

  /** Characters in a file. */
  static final int LENGTH_LIMIT = 8 << 20;

  private final String source;
  private final Iterator<Event> events;
  private final Map<String, YamlValue> anchors = new HashMap<>();

  private Yaml(String source, String text) {
    this.source = source;
    LoadSettings settings =
        LoadSettings.builder().setLabel(source).setCodePointLimit(LENGTH_LIMIT).build();
    events = new Parse(settings).parseString(text).iterator();
  }

  /**
   * The documents of a file; those without a value are left out.
   *
   * @param source what it is called in an error
   */
  static List<YamlValue> read(String source, String text) {
    if (text.length() > LENGTH_LIMIT) {
      throw new InvalidInputException(
          source
              + ": expected at most "
              + LENGTH_LIMIT
              + " characters of YAML, found "
              + text.length());
    }
    try {
      return new Yaml(source, text).documents();
    } catch (MarkedYamlEngineException e) {
      String line = e.getProblemMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
      throw new InvalidInputException(
          source + line + ": expected YAML, found a fault: " + problem(e) + hint(e), e);
    } catch (YamlEngineException e) {
      throw new InvalidInputException(
          source + ": expected YAML, found a fault: " + firstLine(e.getMessage()), e);
    }
  }

  /** What is mostly behind the words of the reader, which are about its grammar. */
  private static String hint(MarkedYamlEngineException e) {
    String problem = String.valueOf(e.getProblem());
    if (problem.contains("'\\t'") || problem.contains("TAB")) {
      return " (indent with spaces)";
    }
    return problem.contains("mapping values") || problem.contains("block end")
        ? " (is this line, or the one before, indented by too much or too little?)"
        : "";
  }

  private static String problem(MarkedYamlEngineException e) {
    String context = e.getContext() == null ? "" : e.getContext() + ", ";
    return context + firstLine(e.getProblem());
  }

  private static String firstLine(@Nullable String text) {
    return String.valueOf(text).lines().findFirst().orElse("");
  }

  private List<YamlValue> documents() {
    List<YamlValue> documents = new ArrayList<>();
    while (events.hasNext()) {
      Event event = events.next();
      switch (event.getEventId()) {
        case DocumentStart -> anchors.clear();
        case Scalar, SequenceStart, MappingStart, Alias -> {
          YamlValue value = value(event, 0);
          if (!(value instanceof Scalar scalar && scalar.isNothing())) {
            documents.add(value);
          }
        }
        case StreamStart, StreamEnd, DocumentEnd, Comment, SequenceEnd, MappingEnd -> {}
      }
    }
    return documents;
  }

  private YamlValue value(Event event, int depth) {
    String origin = origin(event);
    if (depth > DEPTH_LIMIT) {
      throw new InvalidInputException(
          origin + ": expected at most " + DEPTH_LIMIT + " levels of YAML, found more");
    }
    if (event instanceof AliasEvent alias) {
      YamlValue value = anchors.get(alias.getAlias().getValue());
      if (value == null) {
        throw new InvalidInputException(
            origin
                + ": expected an alias of something above, found *"
                + alias.getAlias().getValue());
      }
      return value;
    }
    YamlValue value =
        switch (event.getEventId()) {
          case SequenceStart -> items(origin, depth);
          case MappingStart -> mapping(origin, depth);
          default -> scalar(origin, event);
        };
    if (event instanceof NodeEvent node) {
      node.getAnchor().ifPresent(anchor -> anchors.put(anchor.getValue(), value));
    }
    return value;
  }

  private static Scalar scalar(String origin, Event event) {
    if (event instanceof ScalarEvent scalar) {
      return new Scalar(origin, scalar.getValue(), scalar.isPlain());
    }
    throw new InvalidInputException(origin + ": expected a value, found " + event.getEventId());
  }

  private Items items(String origin, int depth) {
    List<YamlValue> values = new ArrayList<>();
    int weight = 1;
    for (Event next = events.next();
        next.getEventId() != Event.ID.SequenceEnd;
        next = events.next()) {
      YamlValue value = value(next, depth + 1);
      weight = heavier(origin, weight, value);
      values.add(value);
    }
    return new Items(origin, values, weight);
  }

  private Mapping mapping(String origin, int depth) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    int weight = 1;
    for (Event next = events.next();
        next.getEventId() != Event.ID.MappingEnd;
        next = events.next()) {
      String place = origin(next);
      String key = key(place, value(next, depth + 1));
      YamlValue value = value(events.next(), depth + 1);
      weight = heavier(origin, weight, value);
      if (entries.put(key, new Entry(place, value)) != null) {
        throw new InvalidInputException(
            place + ": expected every key once, found \"" + YamlField.shown(key) + "\" again");
      }
    }
    return new Mapping(origin, entries, weight);
  }

  private static String key(String place, YamlValue key) {
    if (!(key instanceof Scalar scalar)) {
      throw new InvalidInputException(place + ": expected a key that is text, found another");
    }
    if (scalar.plain() && scalar.text().equals("<<")) {
      throw new InvalidInputException(
          place + ": expected keys that are written out, found the merge key <<");
    }
    return scalar.text();
  }

  private static int heavier(String origin, int weight, YamlValue more) {
    int sum = weight + more.weight();
    if (sum > WEIGHT_LIMIT) {
      throw new InvalidInputException(
          origin
              + ": expected at most "
              + WEIGHT_LIMIT
              + " values with aliases written out, found more");
    }
    return sum;
  }

  private String origin(Event event) {
    return source + event.getStartMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
  }
}
