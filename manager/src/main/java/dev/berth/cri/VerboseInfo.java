package dev.berth.cri;

import dev.berth.cpu.InvalidInputException;
import dev.berth.json.Json;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * What runtimes add to a status when asked to be verbose: JSON under the key "info". It is not part
 * of the interface; containerd and CRI-O agree on the parts that are read here. Where one leaves
 * them out, nothing is known.
 */
final class VerboseInfo {
  private static final int SHOWN = 40;

  private final JsonNode root;

  private VerboseInfo(JsonNode root) {
    this.root = root;
  }

  static VerboseInfo of(Map<String, String> info) {
    String text = info.getOrDefault("info", "{}");
    try {
      return new VerboseInfo(Json.read(text));
    } catch (JacksonException e) {
      throw new InvalidInputException(
          "verbose status: expected JSON, found \"" + CriFault.line(text, SHOWN) + "\"", e);
    }
  }

  Optional<String> sandbox() {
    return text(root.path("sandboxID"));
  }

  /** Runtimes say 0 where nothing runs. */
  OptionalLong pid() {
    long pid = root.path("pid").asLong(0);
    return pid > 0 ? OptionalLong.of(pid) : OptionalLong.empty();
  }

  private Optional<String> cgroup() {
    return text(root.at("/runtimeSpec/linux/cgroupsPath"));
  }

  Optional<CriResources> resources() {
    JsonNode resources = root.at("/runtimeSpec/linux/resources");
    if (!resources.isObject()) {
      return Optional.empty();
    }
    JsonNode cpu = resources.path("cpu");
    return Optional.of(
        CriResources.of(
            cpu.path("period").asLong(0),
            cpu.path("quota").asLong(0),
            cpu.path("shares").asLong(0),
            resources.at("/memory/limit").asLong(0),
            hugepages(resources),
            cpu.path("cpus").asString(""),
            cpu.path("mems").asString("")));
  }

  private static SortedMap<String, Long> hugepages(JsonNode resources) {
    SortedMap<String, Long> hugepages = new TreeMap<>();
    for (JsonNode limit : resources.path("hugepageLimits")) {
      hugepages.put(limit.path("pageSize").asString(""), limit.path("limit").asLong(0));
    }
    return hugepages;
  }

  /** As the sandbox was asked for; else what is above the group it has. */
  Optional<String> cgroupParent() {
    return text(root.at("/config/linux/cgroup_parent")).or(() -> cgroup().map(VerboseInfo::above));
  }

  private static String above(String cgroup) {
    int end = cgroup.startsWith("/") ? cgroup.lastIndexOf('/') : cgroup.indexOf(':');
    return end <= 0 ? cgroup : cgroup.substring(0, end);
  }

  private static Optional<String> text(JsonNode node) {
    return Optional.of(node.asString("")).filter(text -> !text.isEmpty());
  }
}
