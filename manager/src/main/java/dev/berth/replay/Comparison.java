package dev.berth.replay;

import dev.berth.json.Json;
import dev.berth.kubelet.MemoryCheckpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Our answer beside the recorded one.
 *
 * <p>Where Kubernetes broke its own rules, the record says from which step on. Before that step the
 * answers must agree; from it on the rules must hold, which is checked at every step of ours
 * anyway.
 */
public final class Comparison {
  private static final Pattern DEFECT = Pattern.compile("step (\\d+): .*");

  /** What is compared of an admission; the words of a message are not. */
  private static final List<String> COMPARED =
      List.of(
          "admitted",
          "reason",
          "affinity",
          "exclusive",
          "podCpus",
          "memory",
          "devices",
          "defaultCpuSet");

  private final List<String> differences = new ArrayList<>();

  private Comparison() {}

  /** The differences, a line each, with the place of each; none where the two agree. */
  public static List<String> differences(Answer ours, JsonNode recorded) {
    Comparison comparison = new Comparison();
    comparison.compare(ours, recorded);
    return List.copyOf(comparison.differences);
  }

  /** The step from which on the record is no model, if Kubernetes broke its rules. */
  public static Optional<Integer> defectStep(JsonNode recorded) {
    Matcher matcher = DEFECT.matcher(recorded.path("defect").asString(""));
    return matcher.matches() ? Optional.of(Integer.valueOf(matcher.group(1))) : Optional.empty();
  }

  private void compare(Answer ours, JsonNode recorded) {
    boolean started = ours.startError().isEmpty();
    if (started == recorded.has("startError")) {
      differences.add(
          started
              ? "start: expected a refusal ("
                  + recorded.path("startError").asString()
                  + "), found none"
              : "start: expected none, found a refusal: " + ours.startError().get());
      return;
    }
    if (!started) {
      return;
    }
    same("reserved", recorded.path("reserved").asString(""), ours.reserved().toString());
    compareSteps(ours, recorded);
    if (defectStep(recorded).isEmpty() && recorded.has("checkpoint")) {
      same("checkpoint", recorded.path("checkpoint").asString(), ours.checkpoint());
    }
    if (defectStep(recorded).isEmpty() && recorded.has("memoryCheckpoint")) {
      String text = recorded.path("memoryCheckpoint").asString();
      String inOurOrder = MemoryCheckpoint.read("recorded", text).inOurOrder().write();
      same("memoryCheckpoint", inOurOrder, ours.memoryCheckpoint().orElse("nothing"));
    }
  }

  private void compareSteps(Answer ours, JsonNode recorded) {
    int comparable = defectStep(recorded).orElse(Integer.MAX_VALUE);
    for (int i = 0; i < ours.steps().size(); i++) {
      Answer.StepAnswer step = ours.steps().get(i);
      for (String broken : step.broken()) {
        differences.add("step " + i + ": expected the rules to hold, found " + broken);
      }
      if (i < comparable) {
        ObjectNode found = AnswerJson.write(step);
        JsonNode expected = recorded.path("steps").path(i);
        for (String field : COMPARED) {
          same("step " + i + ": " + field, show(expected.path(field)), show(found.path(field)));
        }
      }
    }
  }

  private static String show(JsonNode node) {
    return node.isMissingNode()
        ? "nothing"
        : node.isString() ? node.stringValue() : Json.write(node);
  }

  private void same(String where, String expected, String found) {
    if (!expected.equals(found)) {
      differences.add(where + ": expected " + expected + ", found " + found);
    }
  }
}
