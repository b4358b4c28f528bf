package dev.berth.ledger;

import dev.berth.allocation.Step;
import dev.berth.allocation.Trace;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.MemoryAssignments.NodeAccount;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Tells where memory is left of the kinds that a refused pod asked for, and who holds the rest. */
final class MemoryHolders {
  private static final int LISTED = 8;

  private MemoryHolders() {}

  static void tell(Trace trace, MemoryAssignments others, MemoryNeeds needs) {
    for (String type : needs.kinds()) {
      trace.add(new Step.Noted("free " + type + " by NUMA node: " + free(others, type)));
      tellHolders(trace, others, type);
    }
  }

  private static void tellHolders(Trace trace, MemoryAssignments others, String type) {
    List<String> pods =
        pods(others).stream()
            .filter(pod -> size(others, pod, type) > 0)
            .sorted(
                Comparator.comparingLong((String pod) -> -size(others, pod, type))
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    for (String pod : pods.subList(0, Math.min(LISTED, pods.size()))) {
      trace.add(
          new Step.Noted(
              "pod "
                  + pod
                  + " holds "
                  + Bytes.shown(size(others, pod, type))
                  + " of "
                  + type
                  + " on "
                  + nodes(others, pod, type)));
    }
    if (pods.size() > LISTED) {
      trace.add(new Step.Noted("and " + (pods.size() - LISTED) + " pods more hold " + type));
    }
  }

  /** The most first, then the lowest id; with whom a node is used together, if it is. */
  private static String free(MemoryAssignments others, String type) {
    List<Map.Entry<Integer, NodeAccount>> nodes =
        others.nodes().entrySet().stream()
            .filter(node -> node.getValue().tables().containsKey(type))
            .sorted(
                Comparator.comparingLong(
                        (Map.Entry<Integer, NodeAccount> node) -> -table(node, type).free())
                    .thenComparing(Map.Entry::getKey))
            .toList();
    String listed =
        nodes.stream()
            .limit(LISTED)
            .map(node ->
                Bytes.shown(table(node, type).free())
                    + " of "
                    + Bytes.shown(table(node, type).allocatable())
                    + " on "
                    + node.getKey()
                    + (node.getValue().group().size() > 1
                        ? " (used as " + node.getValue().group() + ")"
                        : ""))
            .collect(Collectors.joining(", "));
    if (nodes.isEmpty()) {
      return "no node has any";
    }
    return nodes.size() > LISTED
        ? listed + ", no more on any of " + (nodes.size() - LISTED) + " others"
        : listed;
  }

  private static MemoryTable table(Map.Entry<Integer, NodeAccount> node, String type) {
    return node.getValue().tables().getOrDefault(type, new MemoryTable(0, 0, 0, 0, 0));
  }

  private static Set<String> pods(MemoryAssignments others) {
    Set<String> pods = new TreeSet<>(others.blocks().keySet());
    pods.addAll(others.budgets().keySet());
    return pods;
  }

  private static long size(MemoryAssignments others, String pod, String type) {
    return others.counted(pod).stream()
        .filter(block -> block.type().equals(type))
        .mapToLong(MemoryBlock::size)
        .sum();
  }

  private static NodeSet nodes(MemoryAssignments others, String pod, String type) {
    return others.counted(pod).stream()
        .filter(block -> block.type().equals(type) && block.size() > 0)
        .map(MemoryBlock::nodes)
        .reduce(NodeSet.EMPTY, NodeSet::union);
  }
}
