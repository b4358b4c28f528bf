package dev.berth.story;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.json.Json;
import dev.berth.ledger.Holding;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.Writer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Stories as JSON.
 *
 * <p>Read pod by pod and step by step, so that the tree of a long one is never there as a whole.
 */
public final class StoryJson {
  /** Of the format. Fields can be added without another; a reader passes over them. */
  public static final int VERSION = 1;

  private static final Pattern MARK = Pattern.compile("\"story\"\\s*:\\s*[0-9]");

  private final String source;
  private final JsonParser parser;
  private final Map<String, Field> fields = new HashMap<>();
  private final List<Story.Told> pods = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();

  private StoryJson(String source, JsonParser parser) {
    this.source = source;
    this.parser = parser;
  }

  /** Begins to write a story; its steps may follow one by one. */
  public static StoryWriter writer(Writer out, Story opening) {
    return new StoryWriter(Json.generator(out), opening);
  }

  /** Begins to write a story in UTF-8; its steps may follow one by one. */
  public static StoryWriter writer(OutputStream out, Story opening) {
    return new StoryWriter(Json.generator(out), opening);
  }

  /** One step alone, as it stands in a story. */
  public static String write(Step step) {
    var text = new StringWriter();
    try (var json = Json.generator(text)) {
      StepJson.write(json, step);
    }
    return text.toString();
  }

  /** Whether a text looks like a story rather than something else that is JSON. */
  public static boolean isStory(String text) {
    return text.stripLeading().startsWith("{") && MARK.matcher(text).find();
  }

  /**
   * Reads a story.
   *
   * @param source what it is called in an error
   * @throws InvalidInputException in one line: where, what was expected, what was found
   */
  public static Story read(String source, String text) {
    try (JsonParser parser = Json.parser(text)) {
      return new StoryJson(source, parser).read();
    } catch (JacksonException e) {
      String place =
          e.getLocation() == null
              ? ""
              : " at line "
                  + e.getLocation().getLineNr()
                  + ", column "
                  + e.getLocation().getColumnNr();
      throw new InvalidInputException(
          source + ": expected JSON" + place + ", found " + e.getOriginalMessage(), e);
    }
  }

  private Story read() {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new InvalidInputException(source + ": expected a story, found something else");
    }
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      parser.nextToken();
      switch (name) {
        case "pods" -> elements(name, pods, StoryJson::pod);
        case "steps" -> elements(name, steps, StepJson::read);
        default -> fields.put(name, new Field(source + ": " + name, Json.tree(parser)));
      }
    }
    if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
      throw new InvalidInputException(source + ": expected the end of the story, found more");
    }
    return story();
  }

  private <T> void elements(String name, List<T> list, Function<Field, T> read) {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw new InvalidInputException(
          source + ": " + name + ": expected a list, found something else");
    }
    list.clear();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      list.add(
          read.apply(new Field(source + ": " + name + "[" + list.size() + "]", Json.tree(parser))));
    }
  }

  private static Story.Told pod(Field json) {
    return new Story.Told(
        json.required("uid").text(),
        json.required("namespace").text(),
        json.required("name").text(),
        json.required("qos").text(),
        json.required("manifest").object());
  }

  private Story story() {
    Field version = required("story");
    if (version.whole() != VERSION) {
      throw version.error("version " + VERSION, version.shown());
    }
    try {
      return new Story(
          required("title").text(),
          Optional.ofNullable(fields.get("began")).map(field -> field.as(StoryJson::instant)),
          required("machine").object(),
          required("configuration").text(),
          required("reserved").as(CpuSet::parse),
          pods,
          start(required("start")),
          steps);
    } catch (InvalidInputException e) {
      throw e.line().startsWith(source)
          ? e
          : new InvalidInputException(source + ": " + e.line(), e);
    }
  }

  private Field required(String name) {
    Field field = fields.get(name);
    if (field == null) {
      throw new InvalidInputException(source + ": expected a story with " + name + ", found none");
    }
    return field;
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new InvalidInputException(
          "expected a time such as 2026-11-16T10:00:00Z, found \"" + text + "\"", e);
    }
  }

  private static Story.Start start(Field json) {
    SortedMap<Integer, Holding> holding = new TreeMap<>();
    json.entries("holding")
        .forEach((pod, field) -> {
          if (!pod.matches("[0-9]{1,9}")) {
            throw field.error("the number of a pod as its name", "\"" + pod + "\"");
          }
          holding.put(Integer.valueOf(pod), HoldingJson.read(field));
        });
    return new Story.Start(json.required("shared").as(CpuSet::parse), holding);
  }
}
