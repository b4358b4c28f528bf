package dev.berth.agent.state;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryBlock;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** What a pod has, as JSON; what it has nothing of is left out. */
final class HoldingJson {
  private HoldingJson() {}

  static void write(JsonLine json, String field, Holding holding) {
    json.object(field);
    if (!holding.cpus().isEmpty()) {
      json.object("cpus");
      holding.cpus().forEach((container, own) -> json.put(container, own.toString()));
      json.end();
    }
    if (!holding.budget().isEmpty()) {
      json.put("budget", holding.budget().toString());
    }
    if (!holding.memory().isEmpty()) {
      json.object("memory");
      holding.memory().forEach((container, list) -> blocks(json, container, list));
      json.end();
    }
    if (!holding.memoryBudget().isEmpty()) {
      blocks(json, "memoryBudget", holding.memoryBudget());
    }
    if (!holding.devices().isEmpty()) {
      json.object("devices");
      holding.devices().forEach((container, resources) -> devices(json, container, resources));
      json.end();
    }
    if (!holding.others().isEmpty()) {
      json.object("others");
      holding.others().forEach(json::put);
      json.end();
    }
    json.end();
  }

  private static void blocks(JsonLine json, String field, List<MemoryBlock> blocks) {
    json.array(field);
    for (MemoryBlock block : blocks) {
      json.object();
      json.put("nodes", block.nodes().toString());
      json.put("type", block.type());
      json.put("size", block.size());
      json.end();
    }
    json.endArray();
  }

  private static void devices(
      JsonLine json, String container, Map<String, List<String>> resources) {
    json.object(container);
    resources.forEach((resource, ids) -> {
      json.array(resource);
      ids.forEach(json::add);
      json.endArray();
    });
    json.end();
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
        devices,
        new TreeMap<>(JsonFields.map(json, "others", JsonFields::string)));
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
