package dev.berth.cli.watch;

import dev.berth.cpu.CpuSet;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Who sits where, as the agent told it.
 *
 * @param machine the machine's name
 * @param policies the CPU policy and the topology policy
 * @param cpus all CPUs that are online
 * @param shared the pool of those who have none of their own
 * @param reserved the system's
 * @param pods those who are here, and those who were refused
 * @param caution what does not hold on this machine; empty where all does
 * @param differences where the kernel has containers on other CPUs than wanted, a line each
 */
record Status(
    String machine,
    String policies,
    CpuSet cpus,
    CpuSet shared,
    CpuSet reserved,
    List<PodLine> pods,
    String caution,
    List<String> differences) {

  Status {
    pods = List.copyOf(pods);
    differences = List.copyOf(differences);
  }

  /** Reads the answer to {@code GET /pods}. */
  static Status of(JsonNode json) {
    List<PodLine> pods = new ArrayList<>();
    json.path("pods").forEach(pod -> pods.add(PodLine.of(pod)));
    return new Status(
        json.path("machine").asString(""),
        json.path("policy").asString("") + ", " + json.path("topologyPolicy").asString(""),
        set(json, "cpus"),
        set(json, "shared"),
        set(json, "reserved"),
        pods,
        json.path("caution").asString(""),
        json.path("differences").valueStream().map(JsonNode::asString).toList());
  }

  private static CpuSet set(JsonNode json, String field) {
    return CpuSet.parse(json.path(field).asString(""));
  }
}
