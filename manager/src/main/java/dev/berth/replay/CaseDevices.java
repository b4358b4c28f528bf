package dev.berth.replay;

import dev.berth.cpu.NodeSet;
import dev.berth.ledger.Device;
import dev.berth.ledger.DeviceAssignments;
import dev.berth.ledger.Node;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The devices of a recorded case, and how it tells who got them: by place, not by id. */
final class CaseDevices {
  private static final String NO_PLACE = "none";

  private CaseDevices() {}

  /** The devices of a case; none where it has none. */
  static List<Device> of(Scenario scenario) {
    Fields machine = new Fields(scenario.id(), scenario.recorded()).object("machine");
    List<Device> devices = new ArrayList<>();
    for (Fields device : machine.objects("devices")) {
      devices.add(
          new Device(
              device.text("resource"),
              device.text("id"),
              nodes(device),
              !device.flag("unhealthy")));
    }
    return devices;
  }

  private static NodeSet nodes(Fields device) {
    JsonNode list = device.raw().path("numa");
    NodeSet nodes = NodeSet.EMPTY;
    for (JsonNode node : list) {
      if (!node.isIntegralNumber() || !node.canConvertToInt() || node.intValue() < 0) {
        throw device.error("numa", "a list of NUMA nodes", list);
      }
      nodes = nodes.union(NodeSet.of(node.intValue()));
    }
    return nodes;
  }

  /** The names of all resources of devices. */
  static Set<String> resources(Node node) {
    return node.devices().stream().map(Device::resource).collect(Collectors.toSet());
  }

  /** From now on, choose where there is a choice as was recorded of this pod. */
  static void follow(Node node, Pod pod, JsonNode recordedStep) {
    JsonNode devices = recordedStep.path("devices");
    for (String resource : resources(node)) {
      node.prefer(resource, new RecordedChoice(pod.names().toList(), devices, resource));
    }
  }

  /** By container and resource, how many devices a pod has from which place. */
  static SortedMap<String, SortedMap<String, SortedMap<String, Integer>>> places(
      Node node, Pod pod) {
    Map<String, String> places = new HashMap<>();
    node.devices()
        .forEach(device -> places.put(key(device.resource(), device.id()), place(device)));
    DeviceAssignments assignments = node.deviceAssignments();
    SortedMap<String, SortedMap<String, SortedMap<String, Integer>>> containers = new TreeMap<>();
    pod.names()
        .forEach(name -> {
          SortedMap<String, SortedMap<String, Integer>> resources = new TreeMap<>();
          assignments
              .of(pod.uid(), name)
              .forEach((resource, ids) -> {
                SortedMap<String, Integer> counts = new TreeMap<>();
                ids.forEach(id ->
                    counts.merge(
                        places.getOrDefault(key(resource, id), NO_PLACE), 1, Integer::sum));
                resources.put(resource, counts);
              });
          if (!resources.isEmpty()) {
            containers.put(name, resources);
          }
        });
    return containers;
  }

  private static String key(String resource, String id) {
    return resource + " " + id;
  }

  static String place(Device device) {
    return device.nodes().isEmpty()
        ? NO_PLACE
        : device.nodes().stream().mapToObj(Integer::toString).collect(Collectors.joining(","));
  }

  /** Writes what {@link #places} told, where there is something to tell. */
  static void write(
      ObjectNode json, Map<String, SortedMap<String, SortedMap<String, Integer>>> containers) {
    if (containers.isEmpty()) {
      return;
    }
    ObjectNode all = json.putObject("devices");
    containers.forEach((container, resources) -> {
      ObjectNode one = all.putObject(container);
      resources.forEach((resource, counts) -> counts.forEach(one.putObject(resource)::put));
    });
  }
}
