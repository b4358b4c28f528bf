package dev.berth.kubelet;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.CpuCheckpoint.Format;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads {@code cpu_manager_state} in any of its formats, strictly: a field too many or too few, a
 * name that comes twice or a wrong checksum is an error with its place.
 *
 * <p>The file does not name its format. Entries by container id make it v1, pod entries v3; between
 * v2 and v3 without pod entries the checksum decides. A checksum of 0 is from before there were any
 * and is believed, as upstream does, in v1 and v2.
 */
final class CpuCheckpointReader {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final Set<String> FIELDS =
      Set.of("policyName", "defaultCpuSet", "entries", "podEntries", "checksum");

  private final String source;

  CpuCheckpointReader(String source) {
    this.source = source;
  }

  CpuCheckpoint read(String text) {
    JsonNode root = parse(text);
    root.propertyNames().stream()
        .filter(name -> !FIELDS.contains(name))
        .findFirst()
        .ifPresent(name -> {
          throw error(
              "fields among policyName, defaultCpuSet, entries, podEntries and checksum",
              "\"" + name + "\"");
        });
    String policy = text(root, "policyName", "policyName");
    CpuSet shared = cpus(root, "defaultCpuSet", "defaultCpuSet");
    long checksum = checksum(root);
    JsonNode entries = root.path("entries");
    SortedMap<String, CpuSet> podEntries = podEntries(root.path("podEntries"));
    if (isByContainerId(entries)) {
      SortedMap<String, SortedMap<String, CpuSet>> byId = new TreeMap<>();
      byId.put(CpuCheckpoint.NO_POD, containers(entries, "entries"));
      return check(checksum, new CpuCheckpoint(Format.V1, policy, shared, byId, podEntries));
    }
    SortedMap<String, SortedMap<String, CpuSet>> byPod = byPod(entries);
    if (podEntries.isEmpty()) {
      CpuCheckpoint older = new CpuCheckpoint(Format.V2, policy, shared, byPod, podEntries);
      if (checksum == 0 || checksum == older.checksum()) {
        return older;
      }
    }
    return check(checksum, new CpuCheckpoint(Format.V3, policy, shared, byPod, podEntries));
  }

  private JsonNode parse(String text) {
    try {
      JsonNode root = JSON.readTree(text);
      if (!root.isObject()) {
        throw error("a JSON object", text.isBlank() ? "an empty file" : "something else");
      }
      return root;
    } catch (JacksonException e) {
      var at = e.getLocation();
      throw new InvalidInputException(
          source
              + ": expected JSON, found a fault at line "
              + at.getLineNr()
              + ", column "
              + at.getColumnNr()
              + ": "
              + e.getOriginalMessage().lines().findFirst().orElse(""),
          e);
    }
  }

  private CpuCheckpoint check(long found, CpuCheckpoint checkpoint) {
    boolean unchecked = found == 0 && checkpoint.format() == Format.V1;
    if (!unchecked && found != checkpoint.checksum()) {
      throw error("checksum " + checkpoint.checksum() + " for its contents", String.valueOf(found));
    }
    return checkpoint;
  }

  private static boolean isByContainerId(JsonNode entries) {
    return entries.isObject() && !entries.isEmpty() && entries.iterator().next().isString();
  }

  private SortedMap<String, SortedMap<String, CpuSet>> byPod(JsonNode entries) {
    SortedMap<String, SortedMap<String, CpuSet>> byPod = new TreeMap<>();
    for (Map.Entry<String, JsonNode> pod : properties(entries, "entries")) {
      byPod.put(pod.getKey(), containers(pod.getValue(), "entries." + pod.getKey()));
    }
    return byPod;
  }

  private SortedMap<String, CpuSet> containers(JsonNode node, String where) {
    SortedMap<String, CpuSet> containers = new TreeMap<>();
    for (Map.Entry<String, JsonNode> container : properties(node, where)) {
      String name = container.getKey();
      containers.put(name, cpus(node, name, where + "." + name));
    }
    return containers;
  }

  private SortedMap<String, CpuSet> podEntries(JsonNode node) {
    SortedMap<String, CpuSet> pods = new TreeMap<>();
    for (Map.Entry<String, JsonNode> pod : properties(node, "podEntries")) {
      String where = "podEntries." + pod.getKey();
      properties(pod.getValue(), where);
      pods.put(
          pod.getKey(),
          pod.getValue().isEmpty()
              ? CpuSet.EMPTY
              : cpus(pod.getValue(), "cpuSet", where + ".cpuSet"));
    }
    return pods;
  }

  private Set<Map.Entry<String, JsonNode>> properties(JsonNode node, String where) {
    if (node.isMissingNode()) {
      return Set.of();
    }
    if (!node.isObject()) {
      throw error(where + " to be an object", node.toString());
    }
    return node.properties();
  }

  private String text(JsonNode node, String field, String where) {
    JsonNode value = node.path(field);
    if (!value.isString()) {
      throw error(where + " to be text", value.isMissingNode() ? "nothing" : value.toString());
    }
    return value.stringValue();
  }

  private CpuSet cpus(JsonNode node, String field, String where) {
    String list = text(node, field, where);
    try {
      return CpuSet.parse(list);
    } catch (InvalidInputException e) {
      throw new InvalidInputException(source + ": " + where + ": " + e.line(), e);
    }
  }

  private long checksum(JsonNode root) {
    JsonNode value = root.path("checksum");
    if (!value.canConvertToLong() || value.longValue() < 0 || value.longValue() > 0xffffffffL) {
      throw error(
          "checksum to be a 32-bit number", value.isMissingNode() ? "nothing" : value.toString());
    }
    return value.longValue();
  }

  private InvalidInputException error(String expected, String found) {
    String shown = found.length() <= 60 ? found : found.substring(0, 57) + "...";
    return new InvalidInputException(source + ": expected " + expected + ", found " + shown);
  }
}
