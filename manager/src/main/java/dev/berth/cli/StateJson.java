package dev.berth.cli;

import dev.berth.cpu.CpuSet;
import dev.berth.json.Json;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.MemoryCheckpoint;
import dev.berth.ledger.MemoryAssignments.NodeAccount;
import dev.berth.ledger.MemoryBlock;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checkpoints as JSON, in words of our own rather than in the files'.
 *
 * @param machine where to look up NUMA nodes and caches; none where nobody named one
 */
record StateJson(Optional<Machine> machine) {
  String render(StateFiles files) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    files.cpus().ifPresent(cpus -> cpus(root.putObject("cpus"), cpus));
    files.memory().ifPresent(memory -> memory(root.putObject("memory"), memory));
    return Json.write(root);
  }

  private void cpus(ObjectNode json, CpuCheckpoint checkpoint) {
    json.put("format", checkpoint.format().name().toLowerCase(Locale.ROOT));
    json.put("policy", checkpoint.policyName());
    set(json.putObject("shared"), checkpoint.shared());
    ArrayNode containers = json.putArray("containers");
    checkpoint
        .entries()
        .forEach((pod, byName) ->
            byName.forEach((name, cpus) -> set(container(containers, pod, name), cpus)));
    ArrayNode pods = json.putArray("pods");
    checkpoint.podEntries().forEach((pod, cpus) -> set(pods.addObject().put("pod", pod), cpus));
  }

  private static ObjectNode container(ArrayNode list, String pod, String name) {
    return list.addObject().put("pod", pod).put("container", name);
  }

  private void set(ObjectNode json, CpuSet cpus) {
    json.put("cpus", cpus.toString());
    machine.ifPresent(there -> {
      Places.of(there, Level.NODE, cpus).forEach(json.putArray("nodes")::add);
      Places.of(there, Level.CACHE, cpus).forEach(json.putArray("caches")::add);
    });
  }

  private static void memory(ObjectNode json, MemoryCheckpoint checkpoint) {
    json.put("format", checkpoint.format().name().toLowerCase(Locale.ROOT));
    json.put("policy", checkpoint.policyName());
    ArrayNode nodes = json.putArray("nodes");
    checkpoint
        .assignments()
        .nodes()
        .forEach((id, account) -> account(nodes.addObject().put("node", id), account));
    ArrayNode containers = json.putArray("containers");
    checkpoint
        .assignments()
        .blocks()
        .forEach((pod, byName) ->
            byName.forEach((name, list) -> blocks(container(containers, pod, name), list)));
    ArrayNode pods = json.putArray("pods");
    checkpoint
        .assignments()
        .budgets()
        .forEach((pod, list) -> blocks(pods.addObject().put("pod", pod), list));
  }

  private static void account(ObjectNode json, NodeAccount account) {
    account.group().forEach(json.putArray("usedWith")::add);
    ObjectNode types = json.putObject("types");
    account
        .tables()
        .forEach((type, table) ->
            types
                .putObject(type)
                .put("total", table.total())
                .put("reserved", table.systemReserved())
                .put("allocatable", table.allocatable())
                .put("given", table.reserved())
                .put("free", table.free()));
  }

  private static void blocks(ObjectNode json, List<MemoryBlock> blocks) {
    ArrayNode list = json.putArray("blocks");
    for (MemoryBlock block : blocks) {
      ObjectNode entry = list.addObject().put("type", block.type()).put("bytes", block.size());
      block.nodes().forEach(entry.putArray("nodes")::add);
    }
  }
}
