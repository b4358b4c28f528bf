package dev.berth.render;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.json.Json;
import dev.berth.topology.CoreKind;
import dev.berth.topology.Cpu;
import dev.berth.topology.Domain;
import dev.berth.topology.Machine;
import dev.berth.topology.NumaNode;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A machine as JSON: a row a CPU, {@code [cpu,core,socket,numa,uncore]}, then distances and memory
 * with an entry a NUMA node in the order of the node ids, where a row of distances is indexed by
 * node id.
 *
 * <p>Beside these, which recorded cases have too, stand the ids of all nodes, what is offline or
 * isolated, dies, clusters, kinds of core and notes, as far as there are any.
 */
public final class MachineJson {
  /** ACPI's word for a node that cannot be reached; it stands for ids that no node has. */
  static final int UNREACHABLE = 255;

  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;

  private MachineJson() {}

  /**
   * Reads a machine.
   *
   * @throws InvalidInputException naming the field, or the line and column, where something else
   *     was expected
   */
  public static Machine read(String text) {
    try {
      return read(Json.read(text));
    } catch (JacksonException e) {
      String place =
          e.getLocation() == null
              ? ""
              : " at line "
                  + e.getLocation().getLineNr()
                  + ", column "
                  + e.getLocation().getColumnNr();
      throw new InvalidInputException(
          "machine json: expected JSON" + place + ", found " + e.getOriginalMessage().strip(), e);
    }
  }

  /**
   * Reads a machine that is part of something larger, such as a recorded case.
   *
   * @throws InvalidInputException naming the field where something else was expected
   */
  public static Machine read(JsonNode machine) {
    return new MachineJsonReader(machine).read();
  }

  /** Writes a machine, a CPU or node a line, with a line feed at the end. */
  public static String write(Machine machine) {
    StringBuilder text = new StringBuilder("{");
    String separator = "\n  ";
    for (Map.Entry<String, JsonNode> field : tree(machine).properties()) {
      text.append(separator).append(Json.quoted(field.getKey())).append(": ");
      append(text, field.getValue());
      separator = ",\n  ";
    }
    return text.append("\n}\n").toString();
  }

  private static void append(StringBuilder text, JsonNode value) {
    boolean spread = value.isArray() && !value.isEmpty() && !value.get(0).isNumber();
    if (!spread) {
      text.append(Json.write(value));
      return;
    }
    String separator = "[\n    ";
    for (JsonNode element : value) {
      text.append(separator).append(Json.write(element));
      separator = ",\n    ";
    }
    text.append("\n  ]");
  }

  /** The machine as a tree, for those who put it into something larger. */
  public static ObjectNode tree(Machine machine) {
    ObjectNode tree = MAKE.objectNode().put("name", machine.name());
    ArrayNode cpus = tree.putArray("cpus");
    for (Cpu cpu : machine.cpuList()) {
      cpus.addArray()
          .add(cpu.id())
          .add(cpu.core())
          .add(cpu.socket())
          .add(cpu.node())
          .add(cpu.cache());
    }
    ArrayNode nodes = tree.putArray("nodes");
    machine.nodes().forEach(node -> nodes.add(node.id()));
    ArrayNode distances = tree.putArray("distances");
    machine.nodes().forEach(node -> distances.add(row(machine, node)));
    ArrayNode memory = tree.putArray("memory");
    for (NumaNode node : machine.nodes()) {
      ObjectNode entry = memory.addObject().put("bytes", node.memory().bytes());
      ObjectNode pages = entry.putObject("hugepages");
      node.memory().hugepages().forEach((size, count) -> pages.put(String.valueOf(size), count));
    }
    set(tree, "offline", machine.offline());
    set(tree, "isolated", machine.isolated());
    domains(tree, "dies", machine.dies());
    domains(tree, "clusters", machine.clusters());
    kinds(tree, machine.kinds());
    if (machine.isMemoryAssumed()) {
      tree.put("memoryAssumed", true);
    }
    if (!machine.notes().isEmpty()) {
      ArrayNode notes = tree.putArray("notes");
      machine.notes().forEach(notes::add);
    }
    return tree;
  }

  private static ArrayNode row(Machine machine, NumaNode from) {
    ArrayNode row = MAKE.arrayNode();
    for (NumaNode to : machine.nodes()) {
      while (row.size() < to.id()) {
        row.add(UNREACHABLE);
      }
      row.add(machine.distances().between(from.id(), to.id()));
    }
    return row;
  }

  private static void set(ObjectNode tree, String field, CpuSet cpus) {
    if (!cpus.isEmpty()) {
      tree.put(field, cpus.toString());
    }
  }

  private static void domains(ObjectNode tree, String field, List<Domain> domains) {
    if (!domains.isEmpty()) {
      ArrayNode array = tree.putArray(field);
      domains.forEach(
          domain -> array.addObject().put("id", domain.id()).put("cpus", domain.cpus().toString()));
    }
  }

  private static void kinds(ObjectNode tree, List<CoreKind> kinds) {
    if (!kinds.isEmpty()) {
      ArrayNode array = tree.putArray("kinds");
      for (CoreKind kind : kinds) {
        array
            .addObject()
            .put("name", kind.name())
            .put("cpus", kind.cpus().toString())
            .put("capacity", kind.capacity());
      }
    }
  }
}
