package dev.berth.agent.state;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryBlock;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a pod has, as JSON; what it has nothing of is left out. */
final class HoldingJson {
  private HoldingJson() {}

  static ObjectNode write(Holding holding) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (!holding.cpus().isEmpty()) {
      ObjectNode cpus = json.putObject("cpus");
      holding.cpus().forEach((container, own) -> cpus.put(container, own.toString()));
    }
    if (!holding.budget().isEmpty()) {
      json.put("budget", holding.budget().toString());
    }
    if (!holding.memory().isEmpty()) {
      ObjectNode memory = json.putObject("memory");
      holding.memory().forEach((container, list) -> blocks(memory.putArray(container), list));
    }
    if (!holding.memoryBudget().isEmpty()) {
      blocks(json.putArray("memoryBudget"), holding.memoryBudget());
    }
    if (!holding.devices().isEmpty()) {
      ObjectNode devices = json.putObject("devices");
      holding
          .devices()
          .forEach((container, resources) -> {
            ObjectNode own = devices.putObject(container);
            resources.forEach((resource, ids) -> ids.forEach(own.putArray(resource)::add));
          });
    }
    return json;
  }

  private static void blocks(ArrayNode to, List<MemoryBlock> blocks) {
    for (MemoryBlock block : blocks) {
      to.addObject()
          .put("nodes", block.nodes().toString())
          .put("type", block.type())
          .put("size", block.size());
    }
  }

  static Holding read(JsonNode json) {
    if (!json.isObject()) {
      throw JsonFields.error("what a pod has", json);
    }
    SortedMap<String, SortedMap<String, List<String>>> devices = new TreeMap<>();
    for (String container : json.path("devices").propertyNames()) {
      devices.put(
          container,
          new TreeMap<>(
              JsonFields.map(
                  json.path("devices"),
                  container,
                  ids -> JsonFields.list(ids, JsonFields::string))));
    }
    return new Holding(
        new TreeMap<>(JsonFields.map(json, "cpus", HoldingJson::cpus)),
        json.has("budget") ? cpus(json.path("budget")) : CpuSet.EMPTY,
        new TreeMap<>(
            JsonFields.map(json, "memory", list -> JsonFields.list(list, HoldingJson::block))),
        JsonFields.list(json, "memoryBudget", HoldingJson::block),
        devices);
  }

  private static CpuSet cpus(JsonNode value) {
    return CpuSet.parse(JsonFields.string(value));
  }

  private static MemoryBlock block(JsonNode value) {
    return new MemoryBlock(
        NodeSet.parse(JsonFields.text(value, "nodes")),
        JsonFields.text(value, "type"),
        JsonFields.number(value, "size"));
  }
}
