package dev.berth.cli.watch;

import dev.berth.cpu.CpuSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * A pod as a line of the list.
 *
 * @param uid whom the agent knows
 * @param title name, with its namespace where that is not the usual
 * @param qos its class
 * @param own CPUs that it has to itself
 * @param allowed all CPUs that it may run on; none where it is over
 * @param processes the first process of each container with CPUs of its own that runs
 * @param nodes their NUMA nodes
 * @param state how it is, in a word or two
 * @param isTroubled whether somebody should look
 */
record PodLine(
    String uid,
    String title,
    String qos,
    CpuSet own,
    CpuSet allowed,
    List<Long> processes,
    String nodes,
    String state,
    boolean isTroubled) {
  PodLine {
    processes = List.copyOf(processes);
  }

  static PodLine of(JsonNode pod) {
    CpuSet own = CpuSet.EMPTY;
    CpuSet allowed = CpuSet.EMPTY;
    TreeSet<Integer> nodes = new TreeSet<>();
    List<Long> processes = new ArrayList<>();
    int starts = 0;
    for (JsonNode container : pod.path("containers")) {
      CpuSet cpus = CpuSet.parse(container.path("cpus").asString(""));
      allowed = allowed.union(cpus);
      if (container.path("exclusive").asBoolean(false)) {
        own = own.union(cpus);
        if (container.has("pid")) {
          processes.add(container.path("pid").asLong());
        }
      }
      container.path("nodes").forEach(node -> nodes.add(node.asInt()));
      starts = Math.max(starts, container.path("starts").asInt(0));
    }
    String namespace = pod.path("namespace").asString("");
    String name = pod.path("name").asString("");
    boolean isDisplaced = pod.has("displaced");
    return new PodLine(
        pod.path("uid").asString(""),
        namespace.equals("default") ? name : namespace + "/" + name,
        pod.path("qos").asString(""),
        own,
        allowed,
        processes,
        nodes.isEmpty() ? "-" : CpuSet.of(ints(nodes)).toString(),
        isDisplaced ? "displaced" : state(pod, starts),
        isDisplaced || pod.path("phase").asString("").equals("Failed"));
  }

  private static int[] ints(TreeSet<Integer> nodes) {
    return nodes.stream().mapToInt(Integer::intValue).toArray();
  }

  private static String state(JsonNode pod, int starts) {
    String phase = pod.path("phase").asString("").toLowerCase(Locale.ROOT);
    String reason = pod.path("reason").asString("").replaceAll(":.*", "");
    if (phase.equals("failed") && !reason.isEmpty()) {
      return phase + ": " + reason;
    }
    return phase + (starts > 1 ? ", start " + starts : "");
  }

  /** What a person may type to find it. */
  boolean matches(String words) {
    String wanted = words.toLowerCase(Locale.ROOT);
    return (title + " " + qos + " " + state).toLowerCase(Locale.ROOT).contains(wanted);
  }
}
