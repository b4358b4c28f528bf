package dev.berth.kubelet;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.MemoryAssignments;
import dev.berth.ledger.MemoryAssignments.NodeAccount;
import dev.berth.ledger.MemoryBlock;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.MemoryTable;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A {@code memory_manager_state}, as Kubernetes 1.36 reads and writes it.
 *
 * @param format v2 has the memory of pods that have a budget of their own, v1 does not
 * @param policyName the policy that wrote it
 * @param assignments accounts and blocks
 */
public record MemoryCheckpoint(Format format, String policyName, MemoryAssignments assignments) {
  /** The versions of the file; they are told apart by their fields and checksum alone. */
  public enum Format {
    /** Without pods' own budgets. */
    V1,
    /** With pods' own budgets, behind the gate PodLevelResourceManagers. */
    V2
  }

  /** What a node writes down: v2 where pods' own budgets are placed, v1 otherwise. */
  public static MemoryCheckpoint of(MemoryAssignments assignments, FeatureGates gates) {
    return new MemoryCheckpoint(
        gates.isOn(Gate.POD_LEVEL_RESOURCE_MANAGERS) ? Format.V2 : Format.V1,
        MemorySettings.Policy.STATIC.kubernetesName(),
        assignments);
  }

  /**
   * Reads a file.
   *
   * @param source what it is called in an error
   * @throws dev.berth.cpu.InvalidInputException where it is torn, tampered with or something else
   */
  public static MemoryCheckpoint read(String source, String text) {
    return new MemoryCheckpointReader(source).read(text);
  }

  /**
   * The same with the blocks of each container in our order, memory first: Kubernetes leaves their
   * order to chance.
   */
  public MemoryCheckpoint inOurOrder() {
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> blocks = new TreeMap<>();
    assignments
        .blocks()
        .forEach((pod, containers) -> {
          SortedMap<String, List<MemoryBlock>> sorted = new TreeMap<>();
          containers.forEach((name, list) -> sorted.put(name, MemoryBlock.sorted(list)));
          blocks.put(pod, sorted);
        });
    SortedMap<String, List<MemoryBlock>> budgets = new TreeMap<>();
    assignments.budgets().forEach((pod, list) -> budgets.put(pod, MemoryBlock.sorted(list)));
    return new MemoryCheckpoint(
        format, policyName, new MemoryAssignments(assignments.nodes(), blocks, budgets));
  }

  /** The file, byte for byte as a kubelet would write it. */
  public String write() {
    SortedMap<String, NodeAccount> byText = new TreeMap<>();
    assignments.nodes().forEach((id, account) -> byText.put(String.valueOf(id), account));
    String text =
        "{\"policyName\":"
            + GoJson.quote(policyName)
            + ",\"machineState\":"
            + GoJson.map(byText, MemoryCheckpoint::json);
    if (!assignments.blocks().isEmpty()) {
      text +=
          ",\"entries\":"
              + GoJson.map(
                  assignments.blocks(),
                  containers -> GoJson.map(containers, MemoryCheckpoint::json));
    }
    if (!assignments.budgets().isEmpty()) {
      text +=
          ",\"podEntries\":"
              + GoJson.map(assignments.budgets(), list -> "{\"memoryBlocks\":" + json(list) + "}");
    }
    return text + ",\"checksum\":" + checksum() + "}";
  }

  private static String json(NodeAccount account) {
    return "{\"numberOfAssignments\":"
        + account.assignments()
        + ",\"memoryMap\":"
        + GoJson.map(account.tables(), MemoryCheckpoint::json)
        + ",\"cells\":"
        + list(account.group(), ",")
        + "}";
  }

  private static String json(MemoryTable table) {
    return "{\"total\":"
        + table.total()
        + ",\"systemReserved\":"
        + table.systemReserved()
        + ",\"allocatable\":"
        + table.allocatable()
        + ",\"reserved\":"
        + table.reserved()
        + ",\"free\":"
        + table.free()
        + "}";
  }

  private static String json(List<MemoryBlock> blocks) {
    return joined(
        blocks,
        ",",
        block ->
            "{\"numaAffinity\":"
                + list(block.nodes(), ",")
                + ",\"type\":"
                + GoJson.quote(block.type())
                + ",\"size\":"
                + block.size()
                + "}");
  }

  private static String list(NodeSet nodes, String separator) {
    return nodes.stream()
        .mapToObj(String::valueOf)
        .collect(Collectors.joining(separator, "[", "]"));
  }

  private static String joined(
      List<MemoryBlock> blocks, String separator, Function<MemoryBlock, String> one) {
    return blocks.stream().map(one).collect(Collectors.joining(separator, "[", "]"));
  }

  /** The checksum that belongs to the contents. */
  long checksum() {
    String nodes =
        assignments.nodes().entrySet().stream()
            .map(node -> node.getKey() + ":" + dump(node.getValue()))
            .collect(Collectors.joining(" ", "map[", "]"));
    String fields =
        "PolicyName:(string)"
            + policyName
            + " MachineState:(state.NUMANodeMap)"
            + nodes
            + " Entries:(state.ContainerMemoryAssignments)"
            + GoDump.map(
                assignments.blocks(), containers -> GoDump.map(containers, MemoryCheckpoint::dump));
    if (format == Format.V2) {
      fields +=
          " PodEntries:(state.PodMemoryAssignments)"
              + GoDump.map(
                  assignments.budgets(),
                  list -> "{MemoryBlocks:([]state.Block)" + dump(list) + "}");
    }
    return GoDump.checksum(
        "(*state.MemoryManagerCheckpoint){" + fields + " Checksum:(checksum.Checksum)0}");
  }

  private static String dump(NodeAccount account) {
    return "<*>{NumberOfAssignments:(int)"
        + account.assignments()
        + " MemoryMap:(map[v1.ResourceName]*state.MemoryTable)"
        + GoDump.map(account.tables(), MemoryCheckpoint::dump)
        + " Cells:([]int)"
        + list(account.group(), " ")
        + "}";
  }

  private static String dump(MemoryTable table) {
    return "<*>{TotalMemSize:(uint64)"
        + table.total()
        + " SystemReserved:(uint64)"
        + table.systemReserved()
        + " Allocatable:(uint64)"
        + table.allocatable()
        + " Reserved:(uint64)"
        + table.reserved()
        + " Free:(uint64)"
        + table.free()
        + "}";
  }

  private static String dump(List<MemoryBlock> blocks) {
    return joined(
        blocks,
        " ",
        block ->
            "{NUMAAffinity:([]int)"
                + list(block.nodes(), " ")
                + " Type:(v1.ResourceName)"
                + block.type()
                + " Size:(uint64)"
                + block.size()
                + "}");
  }
}
