package dev.berth.ledger;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.hints.HintProvider;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what a {@link Node} is to be started with: what another left, devices, providers.
 *
 * {@snippet :
 * Node node =
 *     Node.builder(machine, configuration)
 *         .devices(List.of(Device.of("vendor.example/gpu", "gpu-0", 0)))
 *         .providers(HintProviders.load(machine, configuration))
 *         .start();
 * }
 */
public final class NodeBuilder {
  private final Machine machine;
  private final Configuration configuration;
  private final List<Device> devices = new ArrayList<>();
  private final Map<String, PreferredAllocation> preferences = new LinkedHashMap<>();
  private final List<HintProvider> providers = new ArrayList<>();
  private @Nullable Assignments cpus;
  private @Nullable MemoryAssignments memory;
  private DeviceAssignments held = DeviceAssignments.NONE;

  NodeBuilder(Machine machine, Configuration configuration) {
    this.machine = machine;
    this.configuration = configuration;
  }

  /** Who had which CPUs. */
  public NodeBuilder assignments(Assignments before) {
    cpus = before;
    return this;
  }

  /** Who had which memory. */
  public NodeBuilder memoryAssignments(MemoryAssignments before) {
    memory = before;
    return this;
  }

  /** Who had which devices; they need not be known yet. */
  public NodeBuilder deviceAssignments(DeviceAssignments before) {
    held = before;
    return this;
  }

  /** More devices, of any resources. */
  public NodeBuilder devices(List<Device> more) {
    devices.addAll(more);
    return this;
  }

  /** Has someone be asked which devices of a resource belong together. */
  public NodeBuilder prefer(String resource, PreferredAllocation preference) {
    preferences.put(resource, preference);
    return this;
  }

  /** More providers of resources that are not ours, asked after our own and in this order. */
  public NodeBuilder providers(List<? extends HintProvider> more) {
    providers.addAll(more);
    return this;
  }

  /**
   * Starts the node.
   *
   * @throws InvalidInputException where the configuration cannot work on this machine, or what
   *     another left breaks a rule on it
   */
  public Node start() {
    Node node = startCpusAndMemory();
    node.restore(Map.of(), held);
    node.devices(devices);
    preferences.forEach(node::prefer);
    providers.forEach(node::join);
    return node;
  }

  private Node startCpusAndMemory() {
    if (cpus == null && memory == null) {
      return Node.start(machine, configuration);
    }
    Assignments before =
        cpus == null ? Assignments.of(configuration.cpuPolicy(), CpuSet.EMPTY, Map.of()) : cpus;
    return memory == null
        ? Node.start(machine, configuration, before)
        : Node.start(machine, configuration, before, memory);
  }
}
