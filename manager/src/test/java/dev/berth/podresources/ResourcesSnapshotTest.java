package dev.berth.podresources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Device;
import dev.berth.ledger.MemoryBlock;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Node;
import dev.berth.podresources.ResourcesSnapshot.ContainerShare;
import dev.berth.podresources.ResourcesSnapshot.NamedPod;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResourcesSnapshotTest {
  private static final String GPU = "vendor.example/gpu";
  private static final Machine MACHINE = Machines.parse("pack:1 node:2(memory=4GiB) core:4 pu:1");

  private static Container container(String name, Container.Role role, int cpus, int gpus) {
    return new Container(
        name,
        role,
        Resources.guaranteed(
            Map.of(
                Resources.CPU,
                Quantity.of(cpus),
                Resources.MEMORY,
                Quantity.of(1L << 30),
                GPU,
                Quantity.of(gpus))));
  }

  private static NamedPod named(Pod pod) {
    return new NamedPod("default", "web", pod);
  }

  private static Node gpuNode(Configuration configuration) {
    Node node = Node.start(MACHINE, configuration);
    node.devices(
        GPU,
        List.of(
            Device.of(GPU, "gpu-0", 0),
            Device.of(GPU, "gpu-1", 1),
            Device.of(GPU, "gpu-2", 1).withHealth(false)));
    return node;
  }

  @Test
  void exclusiveCpusAndDevicesAreTheContainersOwn() {
    Node node = gpuNode(Configuration.staticPolicy(CpuSet.of(0)));
    Pod pod =
        Pod.of(
            "uid",
            List.of(
                container("setup", Container.Role.INIT, 1, 1),
                container("mesh", Container.Role.SIDECAR, 1, 0),
                container("app", Container.Role.APP, 2, 1)));
    assertThat(node.admit(pod)).isInstanceOf(Decision.Granted.class);
    ResourcesSnapshot snapshot = ResourcesSnapshot.of(node, List.of(named(pod)));
    assertThat(snapshot.pods().getFirst().containers())
        .containsExactly(
            new ContainerShare(
                "mesh", node.cpusOf("uid", "mesh").orElseThrow(), List.of(), List.of()),
            new ContainerShare(
                "app",
                node.cpusOf("uid", "app").orElseThrow(),
                List.of(),
                List.of(Device.of(GPU, "gpu-0", 0))));
    assertThat(snapshot.pods().getFirst().containers().getLast().cpus().size()).isEqualTo(2);
  }

  @Test
  void whatCanBeGivenAwayIsAllButReservedCpusAndIllDevices() {
    Node node = gpuNode(Configuration.staticPolicy(CpuSet.of(0)));
    var before = ResourcesSnapshot.of(node, List.of()).allocatable();
    assertThat(before.cpus()).isEqualTo(CpuSet.range(1, 7));
    assertThat(before.devices())
        .containsExactly(Device.of(GPU, "gpu-0", 0), Device.of(GPU, "gpu-1", 1));
    assertThat(node.admit(Pod.guaranteed("uid", 4))).isInstanceOf(Decision.Granted.class);
    assertThat(ResourcesSnapshot.of(node, List.of()).allocatable()).isEqualTo(before);
  }

  @Test
  void underPolicyNoneNobodyHasCpusOfItsOwn() {
    Node node = gpuNode(Configuration.DEFAULTS);
    Pod pod = Pod.guaranteed("uid", 4);
    assertThat(node.admit(pod)).isInstanceOf(Decision.Granted.class);
    ResourcesSnapshot snapshot = ResourcesSnapshot.of(node, List.of(named(pod)));
    assertThat(snapshot.allocatable().cpus()).isEqualTo(CpuSet.EMPTY);
    assertThat(snapshot.allocatable().memory()).isEmpty();
    assertThat(snapshot.pods().getFirst().containers())
        .containsExactly(new ContainerShare("app", CpuSet.EMPTY, List.of(), List.of()));
  }

  @Test
  void memoryIsToldByNodeAndKind() {
    Map<Integer, Map<String, Long>> reserved = Map.of(0, Map.of("memory", 1L << 30));
    Node node =
        gpuNode(
            Configuration.staticPolicy(CpuSet.of(0))
                .with(new MemorySettings(MemorySettings.Policy.STATIC, reserved)));
    Pod pod = Pod.guaranteed("uid", 2);
    assertThat(node.admit(pod)).isInstanceOf(Decision.Granted.class);
    ResourcesSnapshot snapshot = ResourcesSnapshot.of(node, List.of(named(pod)));
    assertThat(snapshot.pods().getFirst().containers().getFirst().memory())
        .containsExactly(new MemoryBlock(NodeSet.of(0), "memory", 1L << 30));
    assertThat(snapshot.allocatable().memory())
        .containsExactly(
            new MemoryBlock(NodeSet.of(0), "memory", 3L << 30),
            new MemoryBlock(NodeSet.of(1), "memory", 4L << 30));
  }

  @Test
  void aDeviceThatIsNoLongerListedIsStillItsPods() {
    Node node = gpuNode(Configuration.staticPolicy(CpuSet.of(0)));
    Pod pod = Pod.of("uid", List.of(container("app", Container.Role.APP, 1, 1)));
    assertThat(node.admit(pod)).isInstanceOf(Decision.Granted.class);
    node.devices(GPU, List.of());
    ResourcesSnapshot snapshot = ResourcesSnapshot.of(node, List.of(named(pod)));
    assertThat(snapshot.pods().getFirst().containers().getFirst().devices())
        .containsExactly(new Device(GPU, "gpu-0", NodeSet.EMPTY, false));
    assertThat(snapshot.allocatable().devices()).isEmpty();
  }
}
