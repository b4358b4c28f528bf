package dev.berth.replay;

import dev.berth.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Counts how many cases agree with what was recorded, and keeps those that do not: those that
 * deviate on purpose apart from those that differ.
 */
public final class Tally {
  /**
   * A case that differs.
   *
   * @param id its name
   * @param lines the differences
   */
  public record Differing(String id, List<String> lines) {
    /** Takes a copy, without what could steer a terminal. */
    public Differing {
      id = plain(id);
      lines = lines.stream().map(Differing::plain).toList();
    }

    private static String plain(String text) {
      return text.replaceAll("\\p{Cntrl}", "?");
    }
  }

  /**
   * A case that differs on purpose.
   *
   * @param id its name
   * @param reason why Berth answers otherwise than Kubernetes
   * @param lines the differences
   */
  public record Deviating(String id, String reason, List<String> lines) {
    /** Takes a copy. */
    public Deviating {
      lines = List.copyOf(lines);
    }
  }

  private final Deviations deviations = Deviations.known();
  private final List<Differing> differing = new ArrayList<>();
  private final List<Deviating> deviating = new ArrayList<>();
  private int cases;
  private int steps;
  private int defects;
  private int unrecorded;
  private int lucky;

  /** Runs a case and counts it. */
  public void add(RecordedCase one) {
    cases++;
    switch (one) {
      case Scenario scenario -> addScenario(scenario);
      case MergeCase merge -> addMerge(merge);
    }
  }

  private void addMerge(MergeCase merge) {
    if (!merge.recorded().has("expect")) {
      unrecorded++;
      return;
    }
    List<String> lines = merge.differences();
    if (!lines.isEmpty()) {
      differing.add(new Differing(merge.id(), lines));
    }
  }

  private void addScenario(Scenario scenario) {
    JsonNode expect = scenario.recorded().path("expect");
    Answer answer = Replayer.run(scenario);
    steps += answer.steps().size();
    if (expect.isMissingNode()) {
      unrecorded++;
      checkRules(scenario, answer);
      return;
    }
    if (expect.has("defect")) {
      defects++;
    }
    List<String> lines = Comparison.differences(answer, expect);
    if (!lines.isEmpty() && scenario.recorded().path("machine").has("devices")) {
      lines = Comparison.differences(Replayer.runWithRecordedChoices(scenario), expect);
      lucky += lines.isEmpty() ? 1 : 0;
    }
    if (!lines.isEmpty()) {
      addDifferent(new Differing(scenario.id(), lines));
    }
  }

  private void addDifferent(Differing one) {
    deviations
        .reason(one.id(), one.lines())
        .ifPresentOrElse(
            reason -> deviating.add(new Deviating(one.id(), reason, one.lines())),
            () -> differing.add(one));
  }

  /** A case without a recorded answer must still keep the rules. */
  private void checkRules(Scenario scenario, Answer answer) {
    List<String> broken = answer.steps().stream().flatMap(step -> step.broken().stream()).toList();
    if (!broken.isEmpty()) {
      differing.add(new Differing(scenario.id(), broken));
    }
  }

  /** How many cases there were. */
  public int cases() {
    return cases;
  }

  /** Those that differ. */
  public List<Differing> differing() {
    return List.copyOf(differing);
  }

  /** Those that differ on purpose, and only where they are listed to. */
  public List<Deviating> deviating() {
    return List.copyOf(deviating);
  }

  private int agreeing() {
    return cases - differing.size() - deviating.size();
  }

  /** What a person wants to know. */
  public List<String> summary() {
    List<String> lines = new ArrayList<>();
    lines.add(
        cases
            + " cases, "
            + steps
            + " steps: "
            + agreeing()
            + " agree, "
            + differing.size()
            + " differ"
            + (deviating.isEmpty() ? "" : ", " + deviating.size() + " on purpose"));
    deviating.forEach(one -> lines.add(one.id() + " differs on purpose: " + one.reason()));
    if (defects > 0) {
      lines.add(
          defects
              + " of them compared up to the step where Kubernetes breaks its own rules; from"
              + " there on the rules were checked");
    }
    if (lucky > 0) {
      lines.add(
          lucky
              + " of them agree once devices come from where they were recorded, among those that"
              + " would do: Kubernetes leaves the choice to chance, we take the lowest id");
    }
    if (unrecorded > 0) {
      lines.add(unrecorded + " of them have no recorded answer: only the rules were checked");
    }
    return lines;
  }

  /** The same as JSON. */
  public String json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("cases", cases).put("steps", steps).put("defects", defects);
    json.put("unrecorded", unrecorded).put("chance", lucky).put("agree", agreeing());
    ArrayNode apart = json.putArray("deviating");
    for (Deviating one : deviating) {
      ObjectNode written = apart.addObject().put("id", one.id()).put("reason", one.reason());
      one.lines().forEach(written.putArray("differences")::add);
    }
    ArrayNode list = json.putArray("differing");
    for (Differing one : differing) {
      ArrayNode lines = list.addObject().put("id", one.id()).putArray("differences");
      one.lines().forEach(lines::add);
    }
    return Json.write(json);
  }
}
