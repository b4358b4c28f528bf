package dev.berth.ledger;

import dev.berth.allocation.Step;
import dev.berth.allocation.Trace;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.MemoryAssignments.NodeAccount;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Tells who holds the CPUs and the memory that a refused pod did not get. */
final class Holders {
  private static final int LISTED = 8;

  private Holders() {}

  static void tell(Trace trace, StaticPolicy policy, Assignments others) {
    CpuSet assignable = others.shared().difference(policy.reserved);
    trace.add(
        new Step.Noted(
            "assignable "
                + assignable.size()
                + " ("
                + assignable
                + "), reserved "
                + policy.reserved.size()
                + " ("
                + policy.reserved
                + ")"));
    List<String> pods =
        others.exclusive().keySet().stream()
            .sorted(
                Comparator.comparingInt((String pod) -> -others.of(pod).size())
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    for (String pod : pods.subList(0, Math.min(LISTED, pods.size()))) {
      trace.add(
          new Step.Noted("pod " + pod + " holds " + others.of(pod).size() + ": " + others.of(pod)));
    }
    if (pods.size() > LISTED) {
      trace.add(new Step.Noted("and " + (pods.size() - LISTED) + " pods more hold CPUs"));
    }
    tellFree(trace, policy, assignable, Level.NODE);
    tellFree(trace, policy, assignable, Level.CACHE);
  }

  /**
   * Where the assignable CPUs are, the most first, then the lowest id; nothing for a single place.
   */
  private static void tellFree(Trace trace, StaticPolicy policy, CpuSet assignable, Level level) {
    List<Domain> places = policy.machine.domains(level);
    if (places.size() == 1) {
      return;
    }
    String listed =
        places.stream()
            .sorted(
                Comparator.comparingInt((Domain place) -> -place.cpus().sharedWith(assignable))
                    .thenComparingInt(Domain::id))
            .limit(LISTED)
            .map(place ->
                place.cpus().sharedWith(assignable) + " of " + place.size() + " on " + place.id())
            .collect(Collectors.joining(", "));
    String rest =
        places.size() > LISTED ? ", no more on any of " + (places.size() - LISTED) + " others" : "";
    trace.add(new Step.Noted("assignable by " + level.noun() + ": " + listed + rest));
  }

  /** Free memory by kind, and who holds the most of it. */
  static void tellMemory(Trace trace, MemoryAssignments others) {
    Set<String> types = new TreeSet<>(MemoryNeeds::memoryFirst);
    others.nodes().values().forEach(account -> types.addAll(account.tables().keySet()));
    for (String type : types) {
      trace.add(new Step.Noted("free " + type + " by NUMA node: " + free(others, type)));
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
