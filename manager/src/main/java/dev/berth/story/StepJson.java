package dev.berth.story;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/** A step as JSON; what it does not change is left out. */
final class StepJson {
  private StepJson() {}

  static void write(JsonGenerator json, Step step) {
    json.writeStartObject();
    json.writeName("at");
    number(json, step.at());
    json.writeStringProperty("kind", step.kind().word());
    step.pod().ifPresent(pod -> json.writeNumberProperty("pod", pod));
    HoldingJson.write(json, step.holding());
    if (!step.nodes().isEmpty()) {
      json.writeName("nodes").writeStartObject();
      step.nodes().forEach((name, nodes) -> json.writeStringProperty(name, nodes.toString()));
      json.writeEndObject();
    }
    if (!step.aligned().isEmpty()) {
      json.writeName("aligned").writeStartObject();
      step.aligned()
          .forEach((name, boundaries) ->
              list(json, name, boundaries.stream().map(Boundary::word).toList()));
      json.writeEndObject();
    }
    text(json, "reason", step.reason());
    text(json, "message", step.message());
    if (!step.why().isEmpty()) {
      list(json, "why", step.why());
    }
    step.shared().ifPresent(shared -> json.writeStringProperty("shared", shared.toString()));
    json.writeEndObject();
  }

  /** Whole seconds without a point, for most are. */
  private static void number(JsonGenerator json, double value) {
    if (value == Math.rint(value) && value < Long.MAX_VALUE) {
      json.writeNumber((long) value);
    } else {
      json.writeNumber(value);
    }
  }

  private static void text(JsonGenerator json, String name, String text) {
    if (!text.isEmpty()) {
      json.writeStringProperty(name, text);
    }
  }

  private static void list(JsonGenerator json, String name, List<String> texts) {
    json.writeName(name).writeStartArray();
    texts.forEach(json::writeString);
    json.writeEndArray();
  }

  static Step read(Field json) {
    Field at = json.required("at");
    if (at.number() < 0) {
      throw at.error("0 or more", at.shown());
    }
    OptionalInt pod =
        json.field("pod").map(field -> OptionalInt.of(position(field))).orElse(OptionalInt.empty());
    SortedMap<String, NodeSet> nodes = new TreeMap<>();
    json.entries("nodes").forEach((name, field) -> nodes.put(name, field.as(NodeSet::parse)));
    SortedMap<String, Set<Boundary>> aligned = new TreeMap<>();
    json.entries("aligned").forEach((name, field) -> aligned.put(name, boundaries(field)));
    Optional<CpuSet> shared = json.field("shared").map(field -> field.as(CpuSet::parse));
    return new Step(
        at.number(),
        word(json.required("kind"), Step.Kind.values(), Step.Kind::word),
        pod,
        HoldingJson.read(json),
        nodes,
        aligned,
        json.text("reason"),
        json.text("message"),
        json.field("why").map(Field::elements).orElse(List.of()).stream().map(Field::text).toList(),
        shared);
  }

  /** A pod by its number; that there is such a one is the story's to say. */
  static int position(Field field) {
    return (int) Math.clamp(field.whole(), -1L, Integer.MAX_VALUE);
  }

  private static Set<Boundary> boundaries(Field field) {
    Set<Boundary> boundaries = EnumSet.noneOf(Boundary.class);
    field
        .elements()
        .forEach(element -> boundaries.add(word(element, Boundary.values(), Boundary::word)));
    return boundaries;
  }

  private static <T> T word(Field field, T[] known, Function<T, String> wordOf) {
    String word = field.text();
    return Arrays.stream(known)
        .filter(one -> wordOf.apply(one).equals(word))
        .findFirst()
        .orElseThrow(() ->
            field.error(
                "one of " + Arrays.stream(known).map(wordOf).collect(Collectors.joining(", ")),
                field.shown()));
  }
}
