package dev.berth.ledger;

import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.topology.Cpu;
import dev.berth.topology.Machine;
import dev.berth.topology.NumaNode;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A failed run as a line that {@code berth replay} reads; most gates are not part of that form. */
final class CaseText {
  private CaseText() {}

  static String write(Machine machine, Configuration configuration, List<String> steps) {
    return "{\"id\":\"random\",\"machine\":"
        + machine(machine)
        + ",\"config\":"
        + configuration(machine, configuration)
        + ",\"steps\":["
        + String.join(",", steps)
        + "]}";
  }

  private static String machine(Machine machine) {
    String cpus = machine.cpuList().stream().map(CaseText::row).collect(list());
    int width = machine.nodes().getLast().id() + 1;
    String distances =
        machine.nodes().stream()
            .map(NumaNode::id)
            .map(from ->
                IntStream.range(0, width).mapToObj(to -> to == from ? "10" : "20").collect(list()))
            .collect(list());
    return "{\"cpus\":" + cpus + ",\"distances\":" + distances + "}";
  }

  private static String row(Cpu cpu) {
    return Stream.of(cpu.id(), cpu.core(), cpu.socket(), cpu.node(), cpu.cache())
        .map(String::valueOf)
        .collect(list());
  }

  private static String configuration(Machine machine, Configuration configuration) {
    String reserved =
        switch (configuration.reservation()) {
          case Reservation.Nothing nothing -> "\"reservedCount\":0";
          case Reservation.LowestCpu lowest ->
              "\"reservedCpus\":\"" + machine.cpus().first() + "\"";
          case Reservation.Amount amount -> "\"reservedCount\":" + amount.cpus().value();
          case Reservation.These these -> "\"reservedCpus\":\"" + these.cpus() + "\"";
        };
    TopologySettings topology = configuration.topology();
    return "{"
        + reserved
        + ",\"cpuOptions\":"
        + texts(configuration.cpuOptions())
        + ",\"topologyPolicy\":\""
        + topology.policy().kubernetesName()
        + "\",\"topologyScope\":\""
        + topology.scope().name().toLowerCase(Locale.ROOT)
        + "\",\"topologyOptions\":"
        + texts(topology.options())
        + ",\"podLevelResourceManagers\":"
        + configuration.gates().isOn(Gate.POD_LEVEL_RESOURCE_MANAGERS)
        + "}";
  }

  static String admit(Pod pod) {
    return "{\"admit\":{\"uid\":\""
        + pod.uid()
        + "\",\"init\":"
        + containers(pod, false)
        + ",\"containers\":"
        + containers(pod, true)
        + pod.budget().map(budget -> ",\"resources\":{" + resources(budget) + "}").orElse("")
        + "}}";
  }

  static String remove(String uid) {
    return "{\"remove\":\"" + uid + "\"}";
  }

  static String restart() {
    return "{\"restart\":true}";
  }

  private static String containers(Pod pod, boolean apps) {
    return pod.containers().stream()
        .filter(container -> (container.role() == Role.APP) == apps)
        .map(CaseText::container)
        .collect(list());
  }

  private static String container(Container container) {
    return "{\"name\":\""
        + container.name()
        + "\",\"restartable\":"
        + (container.role() == Role.SIDECAR)
        + ","
        + resources(container.resources())
        + "}";
  }

  private static String resources(Resources resources) {
    return "\"requests\":"
        + quantities(resources.requests())
        + ",\"limits\":"
        + quantities(resources.limits());
  }

  private static String quantities(Map<String, Quantity> quantities) {
    Map<String, String> texts = new TreeMap<>();
    quantities.forEach((name, amount) -> texts.put(name, amount.toString()));
    return texts(texts);
  }

  private static String texts(Map<String, String> texts) {
    return texts.entrySet().stream()
        .map(entry -> "\"" + entry.getKey() + "\":\"" + entry.getValue() + "\"")
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static Collector<CharSequence, ?, String> list() {
    return Collectors.joining(",", "[", "]");
  }
}
