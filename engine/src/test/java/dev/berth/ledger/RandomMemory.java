package dev.berth.ledger;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;
import dev.berth.topology.NodeMemory;
import dev.berth.topology.NumaNode;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * Machines with memory, configurations and pods made at random: up to six nodes of uneven size,
 * some without CPUs, some with hugepages; requests from a sliver of a node to several nodes.
 */
public final class RandomMemory {
  private static final long MIB = 1L << 20;
  private static final List<String> HUGEPAGES = List.of("hugepages-2Mi", "hugepages-1Gi");

  private final Random random;
  private int made;

  /** Makes them with these dice. */
  public RandomMemory(Random random) {
    this.random = random;
  }

  private boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  /** A machine. */
  public Machine machine() {
    MachineBuilder builder = Machine.builder("random memory");
    int nodes = 1 + random.nextInt(6);
    int step = oneIn(5) ? 3 : 1;
    int threads = 1 + random.nextInt(2);
    boolean even = oneIn(2);
    int cores = 1 + random.nextInt(6);
    int gib = 2 + random.nextInt(12);
    int cpu = 0;
    for (int node = 0; node < nodes; node++) {
      int here = node > 0 && oneIn(8) ? 0 : even ? cores : 1 + random.nextInt(6);
      for (int core = 0; core < here; core++) {
        for (int thread = 0, first = cpu; thread < threads; thread++) {
          builder.cpu(cpu++, first, node / 2, node * step, node);
        }
      }
      builder.memory(node * step, memory(even ? gib : 2 + random.nextInt(12)));
    }
    if (cpu == 1) {
      builder.cpu(1, 1, 0, 0, 0);
    }
    return builder.build();
  }

  private NodeMemory memory(int gib) {
    Map<Long, Long> hugepages = new HashMap<>();
    if (oneIn(2)) {
      hugepages.put(2048L, (long) random.nextInt(400));
    }
    if (oneIn(4)) {
      hugepages.put(1048576L, 1L);
    }
    return NodeMemory.of(gib * 1024L * MIB + (oneIn(3) ? random.nextInt(1000) : 0), hugepages);
  }

  /** A configuration for it. */
  public Configuration configuration(Machine machine) {
    Map<Integer, Map<String, Long>> reserved = new HashMap<>();
    for (NumaNode node : machine.nodes()) {
      if (reserved.isEmpty() || oneIn(2)) {
        reserved.put(node.id(), Map.of(Resources.MEMORY, 1 + random.nextInt(200) * MIB));
      }
    }
    TopologySettings.Policy[] policies = TopologySettings.Policy.values();
    Configuration configuration =
        Configuration.DEFAULTS
            .with(new MemorySettings(MemorySettings.Policy.STATIC, reserved))
            .with(
                FeatureGates.DEFAULTS
                    .with(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS, true)
                    .with(Gate.POD_LEVEL_RESOURCE_MANAGERS, random.nextBoolean()))
            .with(
                new TopologySettings(
                    policies[random.nextInt(policies.length)],
                    random.nextBoolean()
                        ? TopologySettings.Scope.POD
                        : TopologySettings.Scope.CONTAINER,
                    oneIn(3) ? Map.of("prefer-closest-numa-nodes", "true") : Map.of()));
    if (oneIn(6)) {
      return configuration;
    }
    configuration =
        configuration.with(CpuPolicy.STATIC).with(new Reservation.Amount(Quantity.of(1)));
    return oneIn(5) ? configuration.withOption("full-pcpus-only", "true") : configuration;
  }

  /** A pod with a name of its own. */
  public Pod pod() {
    List<Container> containers = new ArrayList<>();
    int kind = random.nextInt(10);
    int scale = 1 << random.nextInt(6);
    if (oneIn(3)) {
      for (int i = random.nextInt(3); i >= 0; i--) {
        Role role = oneIn(3) ? Role.SIDECAR : Role.INIT;
        containers.add(new Container("init-" + i, role, resources(kind, scale)));
      }
    }
    for (int i = oneIn(2) ? random.nextInt(3) : 0; i >= 0; i--) {
      containers.add(new Container("app-" + i, Role.APP, resources(kind, scale)));
    }
    return oneIn(4) ? budgeted(containers) : Pod.of("pod-" + made++, containers);
  }

  /** Sometimes just what the containers ask for, sometimes more, rarely less. */
  private Pod budgeted(List<Container> containers) {
    Map<String, Quantity> sums = new TreeMap<>();
    for (Container container : containers) {
      container
          .resources()
          .requests()
          .forEach((name, amount) -> {
            if (!name.startsWith("hugepages") || oneIn(2)) {
              sums.merge(name, amount, Quantity::plus);
            }
          });
    }
    int more = random.nextInt(4);
    sums.merge(Resources.CPU, Quantity.of(more), Quantity::plus);
    sums.merge(Resources.MEMORY, Quantity.of(more * 512L * MIB), Quantity::plus);
    List<Container> parts = new ArrayList<>();
    for (Container container : containers) {
      Resources own = oneIn(3) ? Resources.NONE : container.resources();
      parts.add(new Container(container.name(), container.role(), own));
    }
    return Pod.of("pod-" + made++, parts, Optional.of(Resources.guaranteed(sums)));
  }

  private Resources resources(int kind, int scale) {
    Map<String, Quantity> amounts = new TreeMap<>();
    amounts.put(
        Resources.CPU, oneIn(6) ? Quantity.parse("500m") : Quantity.of(1 + random.nextInt(4)));
    amounts.put(Resources.MEMORY, Quantity.of(64 * MIB * scale * (1 + random.nextInt(4))));
    if (oneIn(4)) {
      amounts.put(HUGEPAGES.get(0), Quantity.of(2 * MIB * random.nextInt(200)));
    }
    if (oneIn(10)) {
      amounts.put(HUGEPAGES.get(1), Quantity.of(1024 * MIB));
    }
    return kind == 0 ? new Resources(amounts, Map.of()) : Resources.guaranteed(amounts);
  }
}
