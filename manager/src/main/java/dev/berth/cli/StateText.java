package dev.berth.cli;

import dev.berth.cpu.CpuSet;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.MemoryCheckpoint;
import dev.berth.ledger.MemoryBlock;
import dev.berth.terminal.TextTable;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Checkpoints as tables.
 *
 * @param machine where to look up NUMA nodes and caches; none where nobody named one
 * @param width beyond which a line is cut
 */
record StateText(Optional<Machine> machine, int width) {
  /** In the place of a container's name, for what is the pod's as a whole. */
  private static final String WHOLE_POD = "(pod)";

  String render(StateFiles files) {
    List<String> parts = new ArrayList<>();
    files.cpus().ifPresent(cpus -> parts.add(cpus(cpus)));
    files.memory().ifPresent(memory -> parts.add(memory(memory)));
    return String.join("\n", parts);
  }

  private String cpus(CpuCheckpoint checkpoint) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(row("pod", "container", "cpus", "count"));
    machine.ifPresent(_ -> rows.getFirst().addAll(List.of("nodes", "L3")));
    rows.add(cpuRow("-", "(shared pool)", checkpoint.shared()));
    checkpoint.podEntries().forEach((pod, cpus) -> rows.add(cpuRow(pod, WHOLE_POD, cpus)));
    checkpoint
        .entries()
        .forEach((pod, containers) ->
            containers.forEach((name, cpus) ->
                rows.add(cpuRow(pod.equals(CpuCheckpoint.NO_POD) ? "-" : pod, name, cpus))));
    return head(StateFiles.CPU, checkpoint.format().name(), checkpoint.policyName())
        + table(rows, 0, 1, 2);
  }

  private List<String> cpuRow(String pod, String container, CpuSet cpus) {
    List<String> row =
        row(pod, container, cpus.isEmpty() ? "-" : cpus.toString(), String.valueOf(cpus.size()));
    machine.ifPresent(there -> {
      row.add(Places.text(there, Level.NODE, cpus));
      row.add(Places.text(there, Level.CACHE, cpus));
    });
    return row;
  }

  private String memory(MemoryCheckpoint checkpoint) {
    List<List<String>> nodes = new ArrayList<>();
    nodes.add(row("node", "type", "allocatable", "given", "free", "used with"));
    checkpoint
        .assignments()
        .nodes()
        .forEach((node, account) ->
            account
                .tables()
                .forEach((type, table) ->
                    nodes.add(
                        row(
                            String.valueOf(node),
                            type,
                            String.valueOf(table.allocatable()),
                            String.valueOf(table.reserved()),
                            String.valueOf(table.free()),
                            account.group().toString()))));
    List<List<String>> blocks = new ArrayList<>();
    blocks.add(row("pod", "container", "type", "bytes", "nodes"));
    checkpoint
        .assignments()
        .budgets()
        .forEach((pod, list) -> list.forEach(block -> blocks.add(blockRow(pod, WHOLE_POD, block))));
    checkpoint
        .assignments()
        .blocks()
        .forEach((pod, containers) ->
            containers.forEach(
                (name, list) -> list.forEach(block -> blocks.add(blockRow(pod, name, block)))));
    return head(StateFiles.MEMORY, checkpoint.format().name(), checkpoint.policyName())
        + table(nodes, 1)
        + (blocks.size() == 1 ? "" : table(blocks, 0, 1, 2));
  }

  private String table(List<List<String>> rows, int... givingWay) {
    return TextTable.shortened(rows, width - 2, givingWay).indented();
  }

  private static List<String> blockRow(String pod, String container, MemoryBlock block) {
    return row(
        pod, container, block.type(), String.valueOf(block.size()), block.nodes().toString());
  }

  private String head(String file, String format, String policy) {
    String words = file + ": format " + format.toLowerCase(Locale.ROOT) + ", policy " + policy;
    return Paragraph.of(words, 0, width);
  }

  private static List<String> row(String... cells) {
    return new ArrayList<>(List.of(cells));
  }
}
