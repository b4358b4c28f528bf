package dev.berth.kubelet;

import dev.berth.cpu.CpuSet;
import dev.berth.kubelet.CpuCheckpoint.Format;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * Reads {@code cpu_manager_state} in any of its formats, strictly: a field too many or too few, a
 * name that comes twice or a wrong checksum is an error with its place.
 *
 * <p>The file does not name its format. Entries by container id make it v1, pod entries v3; between
 * v2 and v3 without pod entries the checksum decides. A checksum of 0 is from before there were any
 * and is believed, as upstream does, in v1 and v2.
 */
final class CpuCheckpointReader {
  private static final Set<String> FIELDS =
      Set.of("policyName", "defaultCpuSet", "entries", "podEntries", "checksum");

  private final CheckpointJson json;

  CpuCheckpointReader(String source) {
    json = new CheckpointJson(source);
  }

  CpuCheckpoint read(String text) {
    JsonNode root = json.parse(text, FIELDS);
    String policy = json.text(root, "policyName", "policyName");
    CpuSet shared = json.cpus(root, "defaultCpuSet", "defaultCpuSet");
    long checksum = json.checksum(root);
    JsonNode entries = root.path("entries");
    SortedMap<String, CpuSet> podEntries = podEntries(root.path("podEntries"));
    if (isByContainerId(entries)) {
      if (!podEntries.isEmpty()) {
        throw json.error("podEntries only beside entries by pod", "entries by container id");
      }
      SortedMap<String, SortedMap<String, CpuSet>> byId = new TreeMap<>();
      byId.put(CpuCheckpoint.NO_POD, containers(entries, "entries"));
      return check(checksum, new CpuCheckpoint(Format.V1, policy, shared, byId, podEntries));
    }
    SortedMap<String, SortedMap<String, CpuSet>> byPod = byPod(entries);
    CpuCheckpoint newest = new CpuCheckpoint(Format.V3, policy, shared, byPod, podEntries);
    if (!podEntries.isEmpty()) {
      return check(checksum, newest);
    }
    CpuCheckpoint older = new CpuCheckpoint(Format.V2, policy, shared, byPod, podEntries);
    if (checksum == 0 || checksum == older.checksum()) {
      return older;
    }
    if (checksum == newest.checksum()) {
      return newest;
    }
    throw json.error(
        "checksum " + older.checksum() + " for its contents, or " + newest.checksum() + " in v3",
        String.valueOf(checksum));
  }

  private CpuCheckpoint check(long found, CpuCheckpoint checkpoint) {
    boolean unchecked = found == 0 && checkpoint.format() == Format.V1;
    if (!unchecked && found != checkpoint.checksum()) {
      throw json.error(
          "checksum " + checkpoint.checksum() + " for its contents", String.valueOf(found));
    }
    return checkpoint;
  }

  private static boolean isByContainerId(JsonNode entries) {
    return entries.isObject() && !entries.isEmpty() && entries.iterator().next().isString();
  }

  private SortedMap<String, SortedMap<String, CpuSet>> byPod(JsonNode entries) {
    SortedMap<String, SortedMap<String, CpuSet>> byPod = new TreeMap<>();
    for (Map.Entry<String, JsonNode> pod : json.properties(entries, "entries")) {
      byPod.put(pod.getKey(), containers(pod.getValue(), "entries." + pod.getKey()));
    }
    return byPod;
  }

  private SortedMap<String, CpuSet> containers(JsonNode node, String where) {
    SortedMap<String, CpuSet> containers = new TreeMap<>();
    for (Map.Entry<String, JsonNode> container : json.properties(node, where)) {
      String name = container.getKey();
      containers.put(name, json.cpus(node, name, where + "." + name));
    }
    return containers;
  }

  private SortedMap<String, CpuSet> podEntries(JsonNode node) {
    SortedMap<String, CpuSet> pods = new TreeMap<>();
    for (Map.Entry<String, JsonNode> pod : json.properties(node, "podEntries")) {
      String where = "podEntries." + pod.getKey();
      for (Map.Entry<String, JsonNode> field : json.properties(pod.getValue(), where)) {
        if (!field.getKey().equals("cpuSet")) {
          throw json.error(where + " to have cpuSet alone", "\"" + field.getKey() + "\"");
        }
      }
      pods.put(
          pod.getKey(),
          pod.getValue().isEmpty()
              ? CpuSet.EMPTY
              : json.cpus(pod.getValue(), "cpuSet", where + ".cpuSet"));
    }
    return pods;
  }
}
