package dev.berth.podresources;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Device;
import dev.berth.ledger.MemoryBlock;
import dev.berth.podresources.ResourcesSnapshot.Allocatable;
import dev.berth.podresources.ResourcesSnapshot.ContainerShare;
import dev.berth.podresources.ResourcesSnapshot.PodShare;
import dev.berth.protocols.podresources.AllocatableResourcesResponse;
import dev.berth.protocols.podresources.ContainerDevices;
import dev.berth.protocols.podresources.ContainerMemory;
import dev.berth.protocols.podresources.ContainerResources;
import dev.berth.protocols.podresources.NUMANode;
import dev.berth.protocols.podresources.PodResources;
import dev.berth.protocols.podresources.TopologyInfo;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A snapshot in the words of the protocol: pure. */
final class Messages {
  private Messages() {}

  static PodResources pod(PodShare pod) {
    return PodResources.newBuilder()
        .setName(pod.name())
        .setNamespace(pod.namespace())
        .addAllContainers(pod.containers().stream().map(Messages::container).toList())
        .build();
  }

  private static ContainerResources container(ContainerShare container) {
    return ContainerResources.newBuilder()
        .setName(container.name())
        .addAllCpuIds(ids(container.cpus()))
        .addAllMemory(container.memory().stream().map(Messages::memory).toList())
        .addAllDevices(devices(container.devices()))
        .build();
  }

  static AllocatableResourcesResponse allocatable(Allocatable allocatable) {
    return AllocatableResourcesResponse.newBuilder()
        .addAllCpuIds(ids(allocatable.cpus()))
        .addAllMemory(allocatable.memory().stream().map(Messages::memory).toList())
        .addAllDevices(devices(allocatable.devices()))
        .build();
  }

  private static List<Long> ids(CpuSet cpus) {
    return cpus.stream().asLongStream().boxed().toList();
  }

  private static ContainerMemory memory(MemoryBlock block) {
    return ContainerMemory.newBuilder()
        .setMemoryType(block.type())
        .setSize(block.size())
        .setTopology(topology(block.nodes().stream()))
        .build();
  }

  /** As in the kubelet: one entry for each device and each node that it is near. */
  private static List<ContainerDevices> devices(List<Device> devices) {
    return devices.stream().flatMap(Messages::entries).toList();
  }

  private static Stream<ContainerDevices> entries(Device device) {
    ContainerDevices plain =
        ContainerDevices.newBuilder()
            .setResourceName(device.resource())
            .addDeviceIds(device.id())
            .build();
    return device.nodes().isEmpty()
        ? Stream.of(plain)
        : device.nodes().stream()
            .mapToObj(node -> plain.toBuilder().setTopology(topology(IntStream.of(node))).build());
  }

  private static TopologyInfo topology(IntStream nodes) {
    LongStream ids = nodes.asLongStream();
    return TopologyInfo.newBuilder()
        .addAllNodes(ids.mapToObj(id -> NUMANode.newBuilder().setID(id).build()).toList())
        .build();
  }
}
