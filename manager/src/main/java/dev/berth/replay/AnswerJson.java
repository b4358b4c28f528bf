package dev.berth.replay;

import dev.berth.cpu.CpuSet;
import dev.berth.replay.Answer.StepAnswer;
import dev.berth.replay.Answer.Verdict;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes an {@link Answer} in the form of a case's {@code expect}. */
final class AnswerJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private AnswerJson() {}

  static ObjectNode write(Answer answer) {
    ObjectNode json = NODES.objectNode();
    if (answer.startError().isPresent()) {
      return json.put("startError", answer.startError().get());
    }
    json.put("reserved", answer.reserved().toString());
    ArrayNode steps = json.putArray("steps");
    answer.steps().forEach(step -> steps.add(write(step)));
    return json.put("checkpoint", answer.checkpoint());
  }

  static ObjectNode write(StepAnswer step) {
    ObjectNode json = NODES.objectNode();
    step.verdict().ifPresent(verdict -> write(json, verdict));
    json.put("defaultCpuSet", step.shared().toString());
    if (!step.broken().isEmpty()) {
      json.put("error", String.join("; ", step.broken()));
    }
    return json;
  }

  private static void write(ObjectNode json, Verdict verdict) {
    switch (verdict) {
      case Verdict.Admitted admitted -> {
        json.put("admitted", true);
        ObjectNode affinity = json.putObject("affinity");
        admitted.containers().stream()
            .sorted()
            .forEach(name -> affinity.putObject(name).putNull("numa").put("preferred", false));
        if (!admitted.exclusive().isEmpty()) {
          json.set("exclusive", sets(admitted.exclusive()));
        }
      }
      case Verdict.Refused refused ->
          json.put("admitted", false)
              .put("reason", refused.reason())
              .put("message", refused.message());
    }
  }

  private static ObjectNode sets(Map<String, CpuSet> sets) {
    ObjectNode json = NODES.objectNode();
    sets.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> json.put(entry.getKey(), entry.getValue().toString()));
    return json;
  }
}
