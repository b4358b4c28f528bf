package dev.berth.ledger;

import dev.berth.topology.Machine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * All that a node's own providers have written down at one moment, to start others from.
 *
 * @param cpus who had which CPUs
 * @param memory who had which memory, where it was counted
 * @param stocks which devices there were, by resource
 * @param devices who had which of them
 * @param others copies of the providers that are not ours, of those that can be copied
 */
record Snapshot(
    Assignments cpus,
    Optional<MemoryAssignments> memory,
    Map<String, DeviceStock> stocks,
    DeviceAssignments devices,
    List<GuardedProvider> others) {
  /** A node as it was then, but on this machine and configuration. */
  Node start(Machine machine, Configuration configuration) {
    Node node =
        memory.isPresent()
            ? Node.start(machine, configuration, cpus, memory.get())
            : Node.start(machine, configuration, cpus);
    node.restore(stocks, devices);
    others.forEach(other -> other.copy().ifPresent(node::joinGuarded));
    return node;
  }

  /** The same without anybody on it. */
  Node startEmpty(Machine machine, Configuration configuration) {
    Node node = Node.start(machine, configuration);
    node.restore(stocks, DeviceAssignments.NONE);
    for (GuardedProvider other : others) {
      other
          .copy()
          .ifPresent(empty -> {
            empty.holdings().keySet().forEach(empty::remove);
            node.joinGuarded(empty);
          });
    }
    return node;
  }

  /** The pods that had something. */
  Set<String> pods() {
    Set<String> pods = new TreeSet<>(cpus.exclusive().keySet());
    pods.addAll(cpus.budgets().keySet());
    memory.ifPresent(blocks -> pods.addAll(blocks.blocks().keySet()));
    pods.addAll(devices.ids().keySet());
    others.forEach(other -> pods.addAll(other.holdings().keySet()));
    return pods;
  }
}
