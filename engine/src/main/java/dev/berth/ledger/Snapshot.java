package dev.berth.ledger;

import dev.berth.topology.Machine;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * All that a node's own providers have written down at one moment, to start others from.
 *
 * @param cpus who had which CPUs
 * @param memory who had which memory, where it was counted
 */
record Snapshot(Assignments cpus, Optional<MemoryAssignments> memory) {
  /** A node as it was then, but on this machine and configuration. */
  Node start(Machine machine, Configuration configuration) {
    return memory.isPresent()
        ? Node.start(machine, configuration, cpus, memory.get())
        : Node.start(machine, configuration, cpus);
  }

  /** The pods that had something. */
  Set<String> pods() {
    Set<String> pods = new TreeSet<>(cpus.exclusive().keySet());
    pods.addAll(cpus.budgets().keySet());
    memory.ifPresent(blocks -> pods.addAll(blocks.blocks().keySet()));
    return pods;
  }
}
