package dev.berth.story;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/** What a pod has, as fields of a step or of the start; a budget of its own stands under "". */
final class HoldingJson {
  private static final String POD = "";

  private HoldingJson() {}

  static void write(JsonGenerator json, Holding holding) {
    if (!holding.cpus().isEmpty() || !holding.budget().isEmpty()) {
      json.writeName("cpus").writeStartObject();
      if (!holding.budget().isEmpty()) {
        json.writeStringProperty(POD, holding.budget().toString());
      }
      holding.cpus().forEach((name, cpus) -> json.writeStringProperty(name, cpus.toString()));
      json.writeEndObject();
    }
    if (!holding.memory().isEmpty() || !holding.memoryBudget().isEmpty()) {
      json.writeName("memory").writeStartObject();
      if (!holding.memoryBudget().isEmpty()) {
        blocks(json, POD, holding.memoryBudget());
      }
      holding.memory().forEach((name, blocks) -> blocks(json, name, blocks));
      json.writeEndObject();
    }
    if (!holding.devices().isEmpty()) {
      devices(json, holding);
    }
  }

  private static void blocks(JsonGenerator json, String name, List<MemoryBlock> blocks) {
    json.writeName(name).writeStartArray();
    for (MemoryBlock block : blocks) {
      json.writeStartObject()
          .writeStringProperty("type", block.type())
          .writeStringProperty("nodes", block.nodes().toString())
          .writeNumberProperty("bytes", block.size())
          .writeEndObject();
    }
    json.writeEndArray();
  }

  private static void devices(JsonGenerator json, Holding holding) {
    json.writeName("devices").writeStartObject();
    holding
        .devices()
        .forEach((container, resources) -> {
          json.writeName(container).writeStartObject();
          resources.forEach((resource, ids) -> {
            json.writeName(resource).writeStartArray();
            ids.forEach(json::writeString);
            json.writeEndArray();
          });
          json.writeEndObject();
        });
    json.writeEndObject();
  }

  static Holding read(Field json) {
    SortedMap<String, CpuSet> cpus = new TreeMap<>();
    json.entries("cpus").forEach((name, field) -> cpus.put(name, field.as(CpuSet::parse)));
    CpuSet budget = cpus.remove(POD);
    SortedMap<String, List<MemoryBlock>> memory = new TreeMap<>();
    json.entries("memory")
        .forEach((name, field) ->
            memory.put(name, field.elements().stream().map(HoldingJson::block).toList()));
    List<MemoryBlock> memoryBudget = memory.remove(POD);
    return new Holding(
        cpus,
        budget == null ? CpuSet.EMPTY : budget,
        memory,
        memoryBudget == null ? List.of() : memoryBudget,
        devices(json));
  }

  private static SortedMap<String, SortedMap<String, List<String>>> devices(Field json) {
    SortedMap<String, SortedMap<String, List<String>>> devices = new TreeMap<>();
    json.entries("devices")
        .forEach((container, resources) -> {
          SortedMap<String, List<String>> own = new TreeMap<>();
          resources
              .entries()
              .forEach((resource, ids) -> {
                List<String> list = new ArrayList<>();
                ids.elements().forEach(id -> list.add(id.text()));
                own.put(resource, list);
              });
          devices.put(container, own);
        });
    return devices;
  }

  private static MemoryBlock block(Field block) {
    return new MemoryBlock(
        block.required("nodes").as(NodeSet::parse),
        block.required("type").text(),
        block.required("bytes").whole());
  }
}
