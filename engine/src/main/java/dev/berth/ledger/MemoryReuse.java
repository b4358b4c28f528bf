package dev.berth.ledger;

import dev.berth.cpu.NodeSet;
import dev.berth.workload.Container.Role;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What init containers of one pod have left behind, by the nodes and kind that it lies on. */
final class MemoryReuse {
  private final Map<NodeSet, Map<String, Long>> left = new HashMap<>();

  /** What can be used again on just these nodes. */
  long of(NodeSet nodes, String type) {
    return left.getOrDefault(nodes, Map.of()).getOrDefault(type, 0L);
  }

  /** Counts what a container got: an init container leaves it, any other uses up what was left. */
  void count(Role role, List<MemoryBlock> blocks) {
    for (MemoryBlock block : blocks) {
      Map<String, Long> here = left.computeIfAbsent(block.nodes(), nodes -> new HashMap<>());
      if (role == Role.INIT) {
        here.merge(block.type(), block.size(), Math::max);
      } else {
        here.merge(block.type(), 0L, (before, zero) -> Math.max(before - block.size(), 0));
      }
    }
  }
}
