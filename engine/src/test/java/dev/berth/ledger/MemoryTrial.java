package dev.berth.ledger;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.CpuSet;
import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;
import dev.berth.topology.NodeMemory;
import dev.berth.topology.NumaNode;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Small machines with memory, pods that ask for it, and what they got, in MiB. */
final class MemoryTrial {
  static final long MIB = 1L << 20;
  static final long GIB = 1L << 30;

  private MemoryTrial() {}

  /** A machine whose nodes, from 0, have so many CPUs and GiB of memory each; no hugepages. */
  static Machine machine(int cpus, int... gib) {
    return machine(cpus, Map.of(), gib);
  }

  /** The same with so many hugepages on every node, by their size in KiB. */
  static Machine machine(int cpus, Map<Long, Long> hugepages, int... gib) {
    MachineBuilder builder = Machine.builder("memory");
    for (int node = 0; node < gib.length; node++) {
      for (int cpu = node * cpus; cpu < (node + 1) * cpus; cpu++) {
        builder.cpu(cpu, cpu, node, node, node);
      }
      builder.memory(node, NodeMemory.of(gib[node] * GIB, hugepages));
    }
    return builder.build();
  }

  /**
   * A node that is used alone although others use it together with its neighbour. Node 1 has no
   * CPUs, so pods are placed on node 0 and get memory from both where it is too small; {@code
   * group} has 3 GiB of both, all on node 1, and {@code single} some of node 0.
   */
  static Node usedAloneWithinAGroup(String group, String single, String memory) {
    Machine machine =
        Machine.builder("far")
            .cpu(0, 0, 0, 0, 0)
            .cpu(1, 1, 0, 0, 0)
            .cpu(2, 2, 0, 0, 0)
            .cpu(3, 3, 0, 0, 0)
            .memory(0, NodeMemory.of(9 * GIB, Map.of()))
            .memory(1, NodeMemory.of(9 * GIB, Map.of()))
            .build();
    Node node =
        Node.start(
            machine,
            aligned(
                machine, TopologySettings.Policy.BEST_EFFORT, TopologySettings.Scope.CONTAINER));
    admit(node, pod("first", "9Gi"));
    admit(node, pod(group, "3Gi"));
    node.remove("first");
    admit(node, pod(single, memory));
    return node;
  }

  /** Memory is static with 1 GiB of each node reserved, CPUs are not looked at. */
  static Configuration memoryAlone(Machine machine) {
    Map<Integer, Map<String, Long>> reserved = new HashMap<>();
    for (NumaNode node : machine.nodes()) {
      reserved.put(node.id(), Map.of(Resources.MEMORY, GIB));
    }
    return Configuration.DEFAULTS.with(new MemorySettings(MemorySettings.Policy.STATIC, reserved));
  }

  /** The same with the static CPU policy, CPU 0 reserved, and a topology policy. */
  static Configuration aligned(
      Machine machine, TopologySettings.Policy policy, TopologySettings.Scope scope) {
    return memoryAlone(machine)
        .with(CpuPolicy.STATIC)
        .with(new Reservation.These(CpuSet.of(0)))
        .with(new TopologySettings(policy, scope, Map.of()));
  }

  /** Pods' own budgets are placed. */
  static Configuration withBudgets(Configuration configuration) {
    return configuration.with(FeatureGates.DEFAULTS.with(Gate.POD_LEVEL_RESOURCE_MANAGERS, true));
  }

  /** What {@code cpu 2, memory 3Gi} asks for, guaranteed. */
  static Resources asking(String list) {
    Map<String, Quantity> amounts = new TreeMap<>();
    for (String one : list.split(", ", -1)) {
      String[] words = one.split(" ", -1);
      amounts.put(words[0], Quantity.parse(words[1]));
    }
    return Resources.guaranteed(amounts);
  }

  static Container app(String name, String list) {
    return new Container(name, Role.APP, asking(list));
  }

  static Container init(String name, String list) {
    return new Container(name, Role.INIT, asking(list));
  }

  static Container sidecar(String name, String list) {
    return new Container(name, Role.SIDECAR, asking(list));
  }

  /** A guaranteed pod of one container with a CPU and this much memory. */
  static Pod pod(String uid, String memory) {
    return Pod.of(uid, List.of(app("app", "cpu 1, memory " + memory)));
  }

  static Pod budgeted(String uid, String budget, Container... containers) {
    return Pod.of(uid, List.of(containers), Optional.of(asking(budget)));
  }

  /** What a pod's containers have, such as {@code app: memory 1024 on 0}; or why it is not in. */
  static String admit(Node node, Pod pod) {
    return switch (node.admit(pod)) {
      case Decision.Granted granted -> held(node, pod.uid());
      case Decision.Refused refused -> refused.reason().kubernetesName() + ": " + refused.message();
    };
  }

  static String held(Node node, String uid) {
    return node
        .memoryAssignments()
        .orElseThrow()
        .blocks()
        .getOrDefault(uid, new TreeMap<>())
        .entrySet()
        .stream()
        .map(entry -> entry.getKey() + ": " + shown(entry.getValue()))
        .collect(Collectors.joining("; "));
  }

  static String shown(List<MemoryBlock> blocks) {
    return blocks.stream()
        .map(block -> block.type() + " " + block.size() / MIB + " on " + block.nodes())
        .collect(Collectors.joining(", "));
  }

  /** Free memory of a kind by node, in MiB. */
  static List<Long> free(Node node, String type) {
    return node.memoryAssignments().orElseThrow().nodes().values().stream()
        .map(account -> account.tables().get(type))
        .map(table -> table == null ? 0 : table.free() / MIB)
        .toList();
  }

  /** The sentence of a refusal by the memory manager. */
  static String refusal(String why) {
    return "UnexpectedAdmissionError: Allocate failed due to [memorymanager] "
        + why
        + ", which is unexpected";
  }
}
