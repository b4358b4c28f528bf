package dev.berth.podresources;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.Device;
import dev.berth.ledger.DeviceAssignments;
import dev.berth.ledger.MemoryAssignments;
import dev.berth.ledger.MemoryBlock;
import dev.berth.ledger.Node;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Who has what at one moment.
 *
 * @param pods in the order in which they are told
 * @param allocatable what pods can be given at all, used or not
 */
public record ResourcesSnapshot(List<PodShare> pods, Allocatable allocatable) {
  /**
   * A pod that runs here, with the name it has outside.
   *
   * @param pod what the ledger knows it by
   */
  public record NamedPod(String namespace, String name, Pod pod) {}

  /** What a pod has. */
  public record PodShare(String namespace, String name, List<ContainerShare> containers) {
    /** Takes an unmodifiable copy. */
    public PodShare {
      containers = List.copyOf(containers);
    }
  }

  /**
   * What a container has.
   *
   * @param cpus those that are written down as its own; none for one on the shared pool
   * @param memory what the memory manager gave it
   * @param devices with the nodes that they are near
   */
  public record ContainerShare(
      String name, CpuSet cpus, List<MemoryBlock> memory, List<Device> devices) {
    /** Takes unmodifiable copies. */
    public ContainerShare {
      memory = List.copyOf(memory);
      devices = List.copyOf(devices);
    }
  }

  /**
   * What pods can be given.
   *
   * @param cpus all but the reserved ones; none where CPUs are not given away
   * @param memory by NUMA node and kind
   * @param devices the healthy ones
   */
  public record Allocatable(CpuSet cpus, List<MemoryBlock> memory, List<Device> devices) {
    /** Takes unmodifiable copies. */
    public Allocatable {
      memory = List.copyOf(memory);
      devices = List.copyOf(devices);
    }
  }

  /** Takes an unmodifiable copy. */
  public ResourcesSnapshot {
    pods = List.copyOf(pods);
  }

  /** What a ledger says, for these pods. Init containers that run to their end are left out. */
  public static ResourcesSnapshot of(Node node, List<NamedPod> pods) {
    List<Device> inventory = node.devices();
    Map<String, Map<String, Device>> known =
        inventory.stream()
            .collect(
                Collectors.groupingBy(
                    Device::resource, Collectors.toMap(Device::id, Function.identity())));
    Optional<MemoryAssignments> memory = node.memoryAssignments();
    DeviceAssignments devices = node.deviceAssignments();
    List<PodShare> shares =
        pods.stream()
            .map(pod ->
                share(
                    pod,
                    (uid, name) ->
                        new ContainerShare(
                            name,
                            node.cpusOf(uid, name).orElse(CpuSet.EMPTY),
                            blocks(memory, uid, name),
                            held(devices.of(uid, name), known))))
            .toList();
    return new ResourcesSnapshot(
        shares,
        new Allocatable(
            allocatableCpus(node),
            memory.map(ResourcesSnapshot::allocatableMemory).orElse(List.of()),
            inventory.stream().filter(Device::healthy).toList()));
  }

  private static PodShare share(
      NamedPod named, BiFunction<String, String, ContainerShare> containers) {
    return new PodShare(
        named.namespace(),
        named.name(),
        named.pod().containers().stream()
            .filter(container -> container.role() != Container.Role.INIT)
            .map(container -> containers.apply(named.pod().uid(), container.name()))
            .toList());
  }

  private static List<MemoryBlock> blocks(
      Optional<MemoryAssignments> memory, String pod, String container) {
    return memory
        .map(all -> all.blocks().getOrDefault(pod, Collections.emptySortedMap()))
        .map(containers -> MemoryBlock.sorted(containers.getOrDefault(container, List.of())))
        .orElse(List.of());
  }

  /** A device that its plugin no longer lists is still somebody's: near nobody knows what. */
  private static List<Device> held(
      Map<String, List<String>> ids, Map<String, Map<String, Device>> known) {
    List<Device> held = new ArrayList<>();
    ids.forEach((resource, list) ->
        list.forEach(id ->
            held.add(
                known
                    .getOrDefault(resource, Map.of())
                    .getOrDefault(id, new Device(resource, id, NodeSet.EMPTY, false)))));
    return held;
  }

  private static CpuSet allocatableCpus(Node node) {
    return switch (node.configuration().cpuPolicy()) {
      case NONE -> CpuSet.EMPTY;
      case STATIC -> node.machine().cpus().difference(node.reserved());
    };
  }

  private static List<MemoryBlock> allocatableMemory(MemoryAssignments memory) {
    List<MemoryBlock> blocks = new ArrayList<>();
    memory
        .nodes()
        .forEach((node, account) -> {
          List<MemoryBlock> kinds = new ArrayList<>();
          account
              .tables()
              .forEach((type, table) -> {
                if (table.allocatable() > 0) {
                  kinds.add(new MemoryBlock(NodeSet.of(node), type, table.allocatable()));
                }
              });
          blocks.addAll(MemoryBlock.sorted(kinds));
        });
    return blocks;
  }
}
