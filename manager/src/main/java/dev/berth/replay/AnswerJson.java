package dev.berth.replay;

import dev.berth.cpu.CpuSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.Hint;
import dev.berth.ledger.MemoryBlock;
import dev.berth.replay.Answer.StepAnswer;
import dev.berth.replay.Answer.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes an {@link Answer} in the form of a case's {@code expect}. */
final class AnswerJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private AnswerJson() {}

  static ObjectNode write(Answer answer, boolean explained) {
    ObjectNode json = NODES.objectNode();
    if (answer.startError().isPresent()) {
      return json.put("startError", answer.startError().get());
    }
    json.put("reserved", answer.reserved().toString());
    ArrayNode steps = json.putArray("steps");
    for (StepAnswer step : answer.steps()) {
      ObjectNode written = write(step);
      if (explained && step.why().isPresent()) {
        ArrayNode lines = written.putArray("explanation");
        step.why().get().lines().forEach(lines::add);
      }
      steps.add(written);
    }
    answer.memoryCheckpoint().ifPresent(text -> json.put("memoryCheckpoint", text));
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
        json.set("affinity", places(admitted.places()));
        if (!admitted.exclusive().isEmpty()) {
          json.set("exclusive", sets(admitted.exclusive()));
        }
        if (!admitted.budget().isEmpty()) {
          json.put("podCpus", admitted.budget().toString());
        }
        ObjectNode memory = memory(admitted.memory());
        if (!memory.isEmpty()) {
          json.set("memory", memory);
        }
        CaseDevices.write(json, admitted.devices());
      }
      case Verdict.Refused refused ->
          json.put("admitted", false)
              .put("reason", refused.reason())
              .put("message", refused.message());
    }
  }

  private static ObjectNode places(Map<String, Hint> places) {
    ObjectNode json = NODES.objectNode();
    places.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> {
          ObjectNode place = json.putObject(entry.getKey());
          switch (entry.getValue().affinity()) {
            case Affinity.Any ignored -> place.putNull("numa");
            case Affinity.To(var nodes) -> {
              ArrayNode list = place.putArray("numa");
              nodes.forEach(list::add);
            }
          }
          place.put("preferred", entry.getValue().preferred());
        });
    return json;
  }

  private static ObjectNode memory(Map<String, List<MemoryBlock>> memory) {
    ObjectNode json = NODES.objectNode();
    memory.forEach((name, blocks) -> {
      if (blocks.isEmpty()) {
        return;
      }
      ArrayNode list = json.putArray(name);
      blocks.stream()
          .sorted(Comparator.comparing(MemoryBlock::type))
          .forEach(block -> {
            ObjectNode one = list.addObject();
            ArrayNode nodes = one.putArray("numa");
            block.nodes().forEach(nodes::add);
            one.put("type", block.type()).put("size", block.size());
          });
    });
    return json;
  }

  private static ObjectNode sets(Map<String, CpuSet> sets) {
    ObjectNode json = NODES.objectNode();
    sets.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> json.put(entry.getKey(), entry.getValue().toString()));
    return json;
  }
}
