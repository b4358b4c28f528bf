package dev.berth.replay;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.MemoryCheckpoint;
import dev.berth.ledger.Decision;
import dev.berth.ledger.DeviceRules;
import dev.berth.ledger.Explanation;
import dev.berth.ledger.MemoryBlock;
import dev.berth.ledger.Node;
import dev.berth.ledger.NodeBuilder;
import dev.berth.ledger.Rules;
import dev.berth.replay.Answer.StepAnswer;
import dev.berth.replay.Answer.Verdict;
import dev.berth.replay.Scenario.CaseStep;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Runs a scenario through the engine, and checks the rules after every step. */
public final class Replayer {
  private final Scenario scenario;
  private final Map<String, Pod> running = new LinkedHashMap<>();
  private final List<String> broken = new ArrayList<>();
  private final boolean followsChoices;
  private Node node;
  private @Nullable Explanation why;

  private Replayer(Scenario scenario, Node node, boolean followsChoices) {
    this.scenario = scenario;
    this.node = node;
    this.followsChoices = followsChoices;
  }

  /** Runs a scenario from its start. */
  public static Answer run(Scenario scenario) {
    return run(scenario, false);
  }

  /** The same, but takes devices from where they were recorded wherever upstream draws lots. */
  static Answer runWithRecordedChoices(Scenario scenario) {
    return run(scenario, true);
  }

  private static Answer run(Scenario scenario, boolean followsChoices) {
    Node node;
    try {
      node = Node.start(scenario.machine(), scenario.configuration());
      node.devices(CaseDevices.of(scenario));
    } catch (InvalidInputException e) {
      return Answer.didNotStart(e.line());
    }
    return new Replayer(scenario, node, followsChoices).answer();
  }

  private Answer answer() {
    List<StepAnswer> steps = new ArrayList<>();
    for (CaseStep step : scenario.steps()) {
      broken.clear();
      if (followsChoices && step instanceof CaseStep.Admit admit) {
        JsonNode recorded = scenario.recorded().path("expect").path("steps").path(steps.size());
        CaseDevices.follow(node, admit.pod(), recorded);
      }
      why = null;
      Optional<Verdict> verdict = take(step);
      broken.addAll(
          node.rules()
              .map((Rules rules) -> rules.broken(node.assignments(), running.values()))
              .orElse(List.of()));
      broken.addAll(
          DeviceRules.broken(
              node.deviceAssignments(), running.values(), CaseDevices.resources(node)));
      steps.add(new StepAnswer(verdict, Optional.ofNullable(why), node.shared(), broken));
    }
    String checkpoint = checkpoint().write();
    return new Answer(Optional.empty(), node.reserved(), steps, checkpoint, memoryCheckpoint());
  }

  private CpuCheckpoint checkpoint() {
    return CpuCheckpoint.of(node.assignments(), scenario.configuration().gates());
  }

  private Optional<Verdict> take(CaseStep step) {
    switch (step) {
      case CaseStep.Admit admit -> {
        return Optional.of(admit(admit.pod()));
      }
      case CaseStep.Remove remove -> {
        if (running.remove(remove.uid()) != null) {
          node.remove(remove.uid());
        }
      }
      case CaseStep.Restart restart -> restart();
    }
    return Optional.empty();
  }

  private Verdict admit(Pod pod) {
    Decision decision = node.admit(pod);
    why = decision.why();
    return switch (decision) {
      case Decision.Granted granted -> {
        running.put(pod.uid(), pod);
        CpuSet budget = node.assignments().budgets().getOrDefault(pod.uid(), CpuSet.EMPTY);
        yield new Verdict.Admitted(
            node.placesOf(pod.uid()),
            granted.cpus(),
            budget,
            memoryOf(pod),
            CaseDevices.places(node, pod));
      }
      case Decision.Refused refused ->
          new Verdict.Refused(refused.reason().kubernetesName(), refused.message());
    };
  }

  private Map<String, List<MemoryBlock>> memoryOf(Pod pod) {
    return node.memoryAssignments()
        .map(memory -> memory.blocks().getOrDefault(pod.uid(), Collections.emptySortedMap()))
        .orElse(Collections.emptySortedMap());
  }

  private Optional<String> memoryCheckpoint() {
    return node.memoryAssignments()
        .map(memory -> MemoryCheckpoint.of(memory, scenario.configuration().gates()).write());
  }

  private void restart() {
    String before = checkpoint().write();
    CpuCheckpoint read = CpuCheckpoint.read("checkpoint", before);
    Optional<String> memoryBefore = memoryCheckpoint();
    NodeBuilder next =
        Node.builder(scenario.machine(), scenario.configuration())
            .assignments(read.assignments())
            .deviceAssignments(node.deviceAssignments())
            .devices(node.devices());
    memoryBefore.ifPresent(text ->
        next.memoryAssignments(MemoryCheckpoint.read("memory checkpoint", text).assignments()));
    node = next.start();
    for (Pod pod : running.values()) {
      if (node.admit(pod) instanceof Decision.Refused refused) {
        broken.add(
            "running pod " + pod.uid() + " was refused after a restart: " + refused.message());
      }
    }
    if (!memoryBefore.equals(memoryCheckpoint())) {
      broken.add("a restart changed the memory checkpoint " + memoryBefore.orElse(""));
    }
    if (!before.equals(checkpoint().write())) {
      broken.add("a restart changed the checkpoint " + before);
    }
  }
}
