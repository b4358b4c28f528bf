package dev.berth.render;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.IdSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.json.Json;
import dev.berth.topology.CoreKind;
import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;
import dev.berth.topology.NodeMemory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what {@link MachineJson} writes, and the machines of recorded cases, strictly. */
final class MachineJsonReader {
  private static final List<String> ROW = List.of("cpu", "core", "socket", "numa", "uncore");

  /** Recorded cases have devices in their machines, which are not the machine's own. */
  private static final Set<String> FIELDS =
      Set.of(
          "name",
          "cpus",
          "nodes",
          "distances",
          "memory",
          "memoryAssumed",
          "offline",
          "isolated",
          "dies",
          "clusters",
          "kinds",
          "notes",
          "devices");

  private final JsonNode machine;
  private final SortedMap<Integer, Integer> lowest = new TreeMap<>();
  private final TreeSet<Integer> nodes = new TreeSet<>();

  MachineJsonReader(JsonNode machine) {
    this.machine = machine;
  }

  Machine read() {
    if (!machine.isObject()) {
      throw wrong("", "an object", machine);
    }
    checkFields();
    JsonNode name = machine.get("name");
    MachineBuilder builder = Machine.builder(name == null ? "machine" : text("name", name));
    cpus(builder);
    extraNodes(builder);
    memory(builder);
    if (machine.path("memoryAssumed").asBoolean(false)) {
      builder.assumedMemory();
    }
    distances(builder);
    builder.offline(set("offline", machine.get("offline")));
    builder.isolated(set("isolated", machine.get("isolated")));
    groups(builder);
    array("notes").forEach(note -> builder.note(text("notes", note)));
    return builder.build();
  }

  private void checkFields() {
    for (String field : machine.propertyNames()) {
      if (!FIELDS.contains(field)) {
        throw new InvalidInputException(
            "machine json: expected one of "
                + String.join(", ", new TreeSet<>(FIELDS))
                + ", found \""
                + field
                + '"');
      }
    }
  }

  private void groups(MachineBuilder builder) {
    for (JsonNode die : array("dies")) {
      builder.die(number("dies.id", die.get("id")), set("dies.cpus", die.get("cpus")));
    }
    for (JsonNode cluster : array("clusters")) {
      builder.cluster(
          number("clusters.id", cluster.get("id")), set("clusters.cpus", cluster.get("cpus")));
    }
    for (JsonNode kind : array("kinds")) {
      builder.kind(
          new CoreKind(
              text("kinds.name", kind.get("name")),
              set("kinds.cpus", kind.get("cpus")),
              number("kinds.capacity", kind.get("capacity"))));
    }
  }

  private void cpus(MachineBuilder builder) {
    List<JsonNode> rows = array("cpus");
    if (rows.isEmpty()) {
      throw wrong("cpus", "at least one row", machine.get("cpus"));
    }
    for (int i = 0; i < rows.size(); i++) {
      int[] row = row("cpus[" + i + "]", rows.get(i));
      lowest.merge(row[1], row[0], Math::min);
      nodes.add(row[3]);
      builder.cpu(row[0], row[1], row[2], row[3], row[4]);
    }
    lowest.forEach((core, cpu) -> {
      if (!core.equals(cpu)) {
        throw new InvalidInputException(
            "machine json: cpus: expected core "
                + core
                + " to be named by its lowest CPU, "
                + cpu
                + ", found "
                + core);
      }
    });
  }

  private static int[] row(String where, JsonNode row) {
    if (!row.isArray() || row.size() != ROW.size()) {
      throw wrong(where, "[" + String.join(",", ROW) + "]", row);
    }
    int[] numbers = new int[ROW.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = number(where + " " + ROW.get(i), row.get(i));
    }
    return numbers;
  }

  private void extraNodes(MachineBuilder builder) {
    for (JsonNode node : array("nodes")) {
      nodes.add(number("nodes", node));
    }
    nodes.forEach(node -> builder.memory(node, NodeMemory.NONE));
  }

  private void memory(MachineBuilder builder) {
    List<JsonNode> entries = array("memory");
    if (entries.isEmpty()) {
      return;
    }
    checkCount("memory", entries);
    int i = 0;
    for (int node : nodes) {
      String where = "memory[" + i + "]";
      JsonNode entry = entries.get(i++);
      SortedMap<Long, Long> pages = new TreeMap<>();
      JsonNode hugepages = entry.get("hugepages");
      if (hugepages != null && !hugepages.isNull()) {
        if (!hugepages.isObject()) {
          throw wrong(where + ".hugepages", "an object", hugepages);
        }
        for (Map.Entry<String, JsonNode> size : hugepages.properties()) {
          pages.put(kibibytes(where, size.getKey()), count(where + ".hugepages", size.getValue()));
        }
      }
      builder.memory(node, new NodeMemory(count(where + ".bytes", entry.get("bytes")), pages));
    }
  }

  private static long kibibytes(String where, String size) {
    if (!size.matches("[0-9]{1,15}")) {
      throw new InvalidInputException(
          "machine json: "
              + where
              + ".hugepages: expected a page size in KiB, found \""
              + size
              + '"');
    }
    return Long.parseLong(size);
  }

  private void distances(MachineBuilder builder) {
    List<JsonNode> entries = array("distances");
    if (entries.isEmpty()) {
      return;
    }
    checkCount("distances", entries);
    int[][] rows = new int[nodes.size()][nodes.size()];
    for (int i = 0; i < rows.length; i++) {
      String where = "distances[" + i + "]";
      JsonNode entry = entries.get(i);
      if (!entry.isArray() || entry.size() <= nodes.last()) {
        throw wrong(where, (nodes.last() + 1) + " numbers, indexed by node id", entry);
      }
      int column = 0;
      for (int node : nodes) {
        rows[i][column++] = number(where + "[" + node + "]", entry.get(node));
      }
    }
    builder.distances(rows);
  }

  private void checkCount(String field, List<JsonNode> entries) {
    if (entries.size() != nodes.size()) {
      throw new InvalidInputException(
          "machine json: "
              + field
              + ": expected an entry for each of the nodes "
              + nodes
              + ", found "
              + entries.size());
    }
  }

  private List<JsonNode> array(String field) {
    JsonNode value = machine.get(field);
    if (value == null || value.isNull()) {
      return List.of();
    }
    if (!value.isArray()) {
      throw wrong(field, "an array", value);
    }
    return value.valueStream().toList();
  }

  private static int number(String where, @Nullable JsonNode value) {
    if (value == null
        || !value.isInt()
        || value.intValue() < 0
        || value.intValue() >= IdSet.ID_LIMIT) {
      throw wrong(where, "a number from 0 to " + (IdSet.ID_LIMIT - 1), value);
    }
    return value.intValue();
  }

  private static long count(String where, @Nullable JsonNode value) {
    if (value == null
        || !value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.longValue() < 0) {
      throw wrong(where, "a number from 0", value);
    }
    return value.longValue();
  }

  private static String text(String where, @Nullable JsonNode value) {
    if (value == null || !value.isString()) {
      throw wrong(where, "a string", value);
    }
    return value.stringValue();
  }

  private static CpuSet set(String where, @Nullable JsonNode value) {
    if (value == null) {
      return CpuSet.EMPTY;
    }
    try {
      return CpuSet.parse(text(where, value));
    } catch (InvalidInputException e) {
      throw new InvalidInputException("machine json: " + where + ": " + e.getMessage(), e);
    }
  }

  private static InvalidInputException wrong(
      String where, String expected, @Nullable JsonNode found) {
    String shown = found == null ? "nothing" : Json.write(found);
    return new InvalidInputException(
        "machine json: "
            + (where.isEmpty() ? "" : where + ": ")
            + "expected "
            + expected
            + ", found "
            + (shown.length() <= 60 ? shown : shown.substring(0, 57) + "..."));
  }
}
