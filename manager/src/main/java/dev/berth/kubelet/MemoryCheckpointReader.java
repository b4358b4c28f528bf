package dev.berth.kubelet;

import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.json.Json;
import dev.berth.kubelet.MemoryCheckpoint.Format;
import dev.berth.ledger.MemoryAssignments;
import dev.berth.ledger.MemoryAssignments.NodeAccount;
import dev.berth.ledger.MemoryBlock;
import dev.berth.ledger.MemoryTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * Reads {@code memory_manager_state} in either of its formats, as strictly as {@link
 * CpuCheckpointReader} reads its own.
 */
final class MemoryCheckpointReader {
  private static final Set<String> FIELDS =
      Set.of("policyName", "machineState", "entries", "podEntries", "checksum");

  private static final Set<String> ACCOUNT = Set.of("numberOfAssignments", "memoryMap", "cells");
  private static final Set<String> TABLE =
      Set.of("total", "systemReserved", "allocatable", "reserved", "free");
  private static final Set<String> BLOCK = Set.of("numaAffinity", "type", "size");

  private final CheckpointJson json;

  MemoryCheckpointReader(String source) {
    json = new CheckpointJson(source);
  }

  MemoryCheckpoint read(String text) {
    JsonNode root = json.parse(text, FIELDS);
    String policy = json.text(root, "policyName", "policyName");
    MemoryAssignments assignments =
        new MemoryAssignments(
            nodes(root.path("machineState")),
            entries(root.path("entries")),
            budgets(root.path("podEntries")));
    long checksum = json.checksum(root);
    MemoryCheckpoint older = new MemoryCheckpoint(Format.V1, policy, assignments);
    if (assignments.budgets().isEmpty() && (checksum == 0 || checksum == older.checksum())) {
      return older;
    }
    MemoryCheckpoint newer = new MemoryCheckpoint(Format.V2, policy, assignments);
    if (checksum != newer.checksum()) {
      throw json.error(
          "checksum " + newer.checksum() + " for its contents", String.valueOf(checksum));
    }
    return newer;
  }

  private SortedMap<Integer, NodeAccount> nodes(JsonNode state) {
    SortedMap<Integer, NodeAccount> nodes = new TreeMap<>();
    for (Map.Entry<String, JsonNode> node : json.properties(state, "machineState")) {
      String where = "machineState." + node.getKey();
      if (!node.getKey().matches("0|[1-9][0-9]{0,6}")) {
        throw json.error("machineState to name NUMA nodes", '"' + node.getKey() + '"');
      }
      only(node.getValue(), where, ACCOUNT);
      SortedMap<String, MemoryTable> tables = new TreeMap<>();
      JsonNode map = node.getValue().path("memoryMap");
      for (Map.Entry<String, JsonNode> table : json.properties(map, where + ".memoryMap")) {
        tables.put(table.getKey(), table(table.getValue(), where + "." + table.getKey()));
      }
      nodes.put(
          Integer.valueOf(node.getKey()),
          new NodeAccount(
              count(node.getValue(), where),
              tables,
              set(node.getValue().path("cells"), where + ".cells")));
    }
    return nodes;
  }

  private int count(JsonNode account, String where) {
    long count = json.number(account, "numberOfAssignments", where);
    if (count > Integer.MAX_VALUE) {
      throw json.error(
          where + ".numberOfAssignments to be at most " + Integer.MAX_VALUE, String.valueOf(count));
    }
    return (int) count;
  }

  private MemoryTable table(JsonNode table, String where) {
    only(table, where, TABLE);
    return new MemoryTable(
        json.number(table, "total", where),
        json.number(table, "systemReserved", where),
        json.number(table, "allocatable", where),
        json.number(table, "reserved", where),
        json.number(table, "free", where));
  }

  private SortedMap<String, SortedMap<String, List<MemoryBlock>>> entries(JsonNode entries) {
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> byPod = new TreeMap<>();
    for (Map.Entry<String, JsonNode> pod : json.properties(entries, "entries")) {
      String where = "entries." + pod.getKey();
      SortedMap<String, List<MemoryBlock>> containers = new TreeMap<>();
      for (Map.Entry<String, JsonNode> container : json.properties(pod.getValue(), where)) {
        String name = container.getKey();
        containers.put(name, blocks(container.getValue(), where + "." + name));
      }
      byPod.put(pod.getKey(), containers);
    }
    return byPod;
  }

  private SortedMap<String, List<MemoryBlock>> budgets(JsonNode entries) {
    SortedMap<String, List<MemoryBlock>> budgets = new TreeMap<>();
    for (Map.Entry<String, JsonNode> pod : json.properties(entries, "podEntries")) {
      only(pod.getValue(), "podEntries." + pod.getKey(), Set.of("memoryBlocks"));
      String where = "podEntries." + pod.getKey() + ".memoryBlocks";
      budgets.put(pod.getKey(), blocks(pod.getValue().path("memoryBlocks"), where));
    }
    return budgets;
  }

  private List<MemoryBlock> blocks(JsonNode list, String where) {
    List<MemoryBlock> blocks = new ArrayList<>();
    if (list.isNull() || list.isMissingNode()) {
      return blocks;
    }
    if (!list.isArray()) {
      throw json.error(where + " to be a list", Json.write(list));
    }
    for (JsonNode block : list) {
      only(block, where, BLOCK);
      blocks.add(
          new MemoryBlock(
              set(block.path("numaAffinity"), where + ".numaAffinity"),
              json.text(block, "type", where + ".type"),
              json.number(block, "size", where)));
    }
    return blocks;
  }

  private NodeSet set(JsonNode list, String where) {
    if (!list.isArray()) {
      throw json.error(
          where + " to be a list", list.isMissingNode() ? "nothing" : Json.write(list));
    }
    int[] ids = new int[list.size()];
    for (int i = 0; i < ids.length; i++) {
      JsonNode id = list.get(i);
      if (!id.isIntegralNumber() || !id.canConvertToInt() || id.intValue() < 0) {
        throw json.error(where + " to hold node ids", Json.write(id));
      }
      ids[i] = id.intValue();
    }
    try {
      return NodeSet.of(ids);
    } catch (InvalidInputException e) {
      throw new InvalidInputException(json.source() + ": " + where + ": " + e.line(), e);
    }
  }

  /** What is not known would be lost when the file is written again. */
  private void only(JsonNode node, String where, Set<String> fields) {
    for (Map.Entry<String, JsonNode> field : json.properties(node, where)) {
      if (!fields.contains(field.getKey())) {
        throw json.error(
            where + " to have fields among " + String.join(", ", new TreeSet<>(fields)),
            '"' + field.getKey() + '"');
      }
    }
  }
}
