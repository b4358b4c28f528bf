package dev.berth.replay;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Reservation;
import dev.berth.ledger.TopologySettings;
import dev.berth.render.MachineJson;
import dev.berth.replay.Scenario.CaseStep;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import tools.jackson.databind.node.ObjectNode;

/** Reads a {@link Scenario} from its JSON form. */
final class ScenarioReader {
  private ScenarioReader() {}

  static Scenario read(String where, ObjectNode recorded) {
    Fields root = new Fields(where, recorded).only("id", "machine", "config", "steps", "expect");
    Fields config =
        root.object("config")
            .only(
                "reservedCpus",
                "reservedCount",
                "cpuOptions",
                "topologyPolicy",
                "topologyScope",
                "topologyOptions",
                "memoryPolicy",
                "podLevelResourceManagers");
    checkExpectation(root);
    return new Scenario(
        root.text("id"),
        within(where + ".machine", () -> MachineJson.read(recorded.path("machine"))),
        configuration(config, root.object("machine")),
        root.objects("steps").stream().map(ScenarioReader::step).toList(),
        recorded);
  }

  private static void checkExpectation(Fields root) {
    if (!root.has("expect")) {
      return;
    }
    Fields expect =
        root.object("expect")
            .only("startError", "reserved", "steps", "memoryCheckpoint", "defect", "checkpoint");
    if (expect.has("defect") && Comparison.defectStep(expect.raw()).isEmpty()) {
      throw expect.error("defect", "\"step N: words\"", expect.raw().path("defect"));
    }
    int recorded = expect.objects("steps").size();
    int given = root.objects("steps").size();
    if (recorded > given) {
      throw new InvalidInputException(
          expect.where() + ".steps: expected at most " + given + ", found " + recorded);
    }
  }

  private static Configuration configuration(Fields config, Fields machine) {
    FeatureGates gates =
        FeatureGates.DEFAULTS
            .with(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS, true)
            .with(Gate.POD_LEVEL_RESOURCE_MANAGERS, config.flag("podLevelResourceManagers"));
    return new Configuration(
        CpuPolicy.STATIC,
        config.texts("cpuOptions"),
        gates,
        reservation(config),
        topology(config),
        memory(config, machine));
  }

  private static TopologySettings topology(Fields config) {
    return within(
        config.where(),
        () ->
            new TopologySettings(
                TopologySettings.Policy.named(config.text("topologyPolicy", "none")),
                TopologySettings.Scope.named(config.text("topologyScope", "container")),
                config.texts("topologyOptions")));
  }

  private static MemorySettings memory(Fields config, Fields machine) {
    if (!config.has("memoryPolicy")) {
      return MemorySettings.NONE;
    }
    int[] ids =
        StreamSupport.stream(machine.raw().path("cpus").spliterator(), false)
            .mapToInt(row -> row.path(3).asInt(0))
            .sorted()
            .distinct()
            .toArray();
    Map<Integer, Map<String, Long>> reserved = new LinkedHashMap<>();
    List<Fields> nodes = machine.objects("memory");
    for (int i = 0; i < Math.min(ids.length, nodes.size()); i++) {
      reserved.put(ids[i], Map.of("memory", nodes.get(i).bytes("reserved")));
    }
    return within(
        config.where(),
        () ->
            new MemorySettings(MemorySettings.Policy.named(config.text("memoryPolicy")), reserved));
  }

  private static Reservation reservation(Fields config) {
    CpuSet cpus =
        within(
            config.where() + ".reservedCpus", () -> CpuSet.parse(config.text("reservedCpus", "")));
    int number = config.number("reservedCount", 0);
    Quantity count = within(config.where() + ".reservedCount", () -> Quantity.of(number));
    return cpus.isEmpty() ? new Reservation.Amount(count) : new Reservation.These(cpus);
  }

  private static CaseStep step(Fields step) {
    step.only("admit", "remove", "restart");
    if (step.has("admit")) {
      return new CaseStep.Admit(pod(step.object("admit")));
    }
    if (step.has("remove")) {
      return new CaseStep.Remove(step.text("remove"));
    }
    if (step.flag("restart")) {
      return new CaseStep.Restart();
    }
    throw new InvalidInputException(
        step.where() + ": expected admit, remove or restart, found " + step.raw().propertyNames());
  }

  private static Pod pod(Fields pod) {
    pod.only("uid", "resources", "init", "containers");
    List<Container> containers = new ArrayList<>();
    for (Fields init : pod.objects("init")) {
      containers.add(container(init, init.flag("restartable") ? Role.SIDECAR : Role.INIT));
    }
    for (Fields app : pod.objects("containers")) {
      containers.add(container(app, Role.APP));
    }
    Optional<Resources> budget =
        pod.has("resources") ? Optional.of(resources(pod.object("resources"))) : Optional.empty();
    return within(pod.where(), () -> Pod.of(pod.text("uid"), containers, budget));
  }

  private static Container container(Fields container, Role role) {
    container.only("name", "requests", "limits", "restartable");
    return within(
        container.where(), () -> new Container(container.text("name"), role, resources(container)));
  }

  private static Resources resources(Fields holder) {
    return new Resources(quantities(holder, "requests"), quantities(holder, "limits"));
  }

  private static Map<String, Quantity> quantities(Fields holder, String name) {
    Map<String, Quantity> quantities = new LinkedHashMap<>();
    holder
        .texts(name)
        .forEach((resource, text) ->
            quantities.put(
                resource,
                within(holder.where() + "." + name + "." + resource, () -> Quantity.parse(text))));
    return quantities;
  }

  /** Puts the place before the words of an error. */
  static <T> T within(String where, Supplier<T> read) {
    try {
      return read.get();
    } catch (InvalidInputException e) {
      throw new InvalidInputException(where + ": " + e.line(), e);
    }
  }
}
