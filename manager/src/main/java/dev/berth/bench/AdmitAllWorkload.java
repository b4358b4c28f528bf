package dev.berth.bench;

import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Device;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Node;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.topology.Machine;
import dev.berth.topology.NodeMemory;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts on an empty machine of so many NUMA nodes and admits one pod that asks for CPUs, memory,
 * hugepages and a device: all that a node aligns.
 */
final class AdmitAllWorkload {
  private static final long GIB = 1L << 30;
  private static final String CARD = "vendor.example/card";

  private AdmitAllWorkload() {}

  static Workload<Decision> of(String name, int nodes) {
    Machine machine = RegularMachine.with(2, nodes / 2, 1, 8, 2, AdmitAllWorkload::memory);
    Map<Integer, Map<String, Long>> reserved = new HashMap<>();
    List<Device> cards = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      reserved.put(node, Map.of("memory", GIB));
      cards.add(Device.of(CARD, "card-" + node, node));
    }
    Configuration configuration =
        Workloads.with(Policy.BEST_EFFORT)
            .with(new MemorySettings(MemorySettings.Policy.STATIC, reserved));
    return new Workload<>(
        name,
        () -> Node.builder(machine, configuration).devices(cards).start().admit(pod()),
        Workloads::cpus);
  }

  private static NodeMemory memory() {
    return NodeMemory.of(32 * GIB, Map.of(2048L, 1024L));
  }

  private static Pod pod() {
    Map<String, Quantity> amounts =
        Map.of(
            Resources.CPU,
            Quantity.of(8),
            Resources.MEMORY,
            Quantity.of(GIB),
            "hugepages-2Mi",
            Quantity.of(GIB / 4),
            CARD,
            Quantity.of(1));
    return Pod.of(
        "p", List.of(new Container("c", Container.Role.APP, Resources.guaranteed(amounts))));
  }
}
