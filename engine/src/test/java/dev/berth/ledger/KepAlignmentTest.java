package dev.berth.ledger;

import static dev.berth.ledger.DevicePods.FOUR_NODES;
import static dev.berth.ledger.DevicePods.GPU;
import static dev.berth.ledger.DevicePods.TWO_NODES;
import static dev.berth.ledger.DevicePods.app;
import static dev.berth.ledger.DevicePods.gpus;
import static dev.berth.ledger.DevicePods.gpusOf;
import static dev.berth.ledger.DevicePods.init;
import static dev.berth.ledger.DevicePods.node;
import static dev.berth.ledger.DevicePods.pod;
import static dev.berth.ledger.DevicePods.sidecar;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.allocation.FeatureGates;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.Hint;
import dev.berth.hints.Reason;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.QosClass;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** KEP-693 by its own examples: what a pod asks for, and CPUs and devices from the same nodes. */
class KepAlignmentTest {
  private static final Pod EXAMPLE =
      pod(
          "example",
          init("initContainer1", "cpu=2", "memory=1G", GPU + "=1"),
          init("initContainer2", "cpu=2", "memory=3G", GPU + "=1"),
          app("appContainer1", "cpu=2", "memory=1G", GPU + "=2"),
          app("appContainer2", "cpu=1", "memory=1G", GPU + "=1"));

  private static Hint preferred(int... nodes) {
    return new Hint(Affinity.to(NodeSet.of(nodes)), true);
  }

  private static Decision.Refused refused(Decision decision) {
    assertThat(decision).isInstanceOf(Decision.Refused.class);
    return (Decision.Refused) decision;
  }

  private static void admit(Node node, Pod pod) {
    assertThat(node.admit(pod)).isInstanceOf(Decision.Granted.class);
  }

  @Test
  void aPodAsksForTheLargerOfItsInitContainersAndTheSumOfTheOthers() {
    FeatureGates gates = FeatureGates.DEFAULTS;
    assertThat(new CpuNeeds(EXAMPLE, gates).ofPod()).isEqualTo(3);
    assertThat(new MemoryNeeds(EXAMPLE, gates).ofPod()).isEqualTo(Map.of("memory", 3_000_000_000L));
    assertThat(new DeviceNeeds(EXAMPLE, GPU::equals).ofPod()).isEqualTo(Map.of(GPU, 3));
  }

  @Test
  void aSidecarCountsBesideAllThatStartAfterIt() {
    Pod pod =
        pod("a", init("i", GPU + "=4"), sidecar("s", GPU + "=1"), init("j", GPU + "=4"), app("x"));
    assertThat(new DeviceNeeds(pod, GPU::equals).ofPod()).isEqualTo(Map.of(GPU, 5));
  }

  @Test
  void ephemeralContainersAlterNoNeed() {
    Pod debugged = EXAMPLE.withEphemeral("debugger");
    assertThat(new DeviceNeeds(debugged, GPU::equals).ofPod()).isEqualTo(Map.of(GPU, 3));
    Node node = node(TWO_NODES, Policy.RESTRICTED, Scope.POD, gpus(3, 1));
    admit(node, EXAMPLE);
    DeviceAssignments before = node.deviceAssignments();
    admit(node, debugged);
    assertThat(node.deviceAssignments()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(Policy.class)
  void whereAllFitsOneNodeEveryPolicyAlignsOrLeavesAlone(Policy policy) {
    Node node = node(TWO_NODES, policy, Scope.CONTAINER, gpus(2, 1));
    admit(node, pod("a", app("x", "cpu=4", "memory=1Gi", GPU + "=1")));
    CpuSet cpus = node.cpusOf("a", "x").orElseThrow();
    switch (policy) {
      case NONE -> assertThat(cpus.isSubsetOf(CpuSet.range(0, 7))).isTrue();
      case BEST_EFFORT, RESTRICTED, SINGLE_NUMA_NODE -> {
        assertThat(node.placesOf("a").get("x")).isEqualTo(preferred(1));
        assertThat(cpus.isSubsetOf(CpuSet.range(8, 15))).isTrue();
      }
    }
    assertThat(gpusOf(node, "a", "x")).containsExactly("gpu-0");
  }

  @ParameterizedTest
  @EnumSource(Policy.class)
  void whereCpusAndDevicesAreApartStrictPoliciesRefuse(Policy policy) {
    Node node = node(TWO_NODES, policy, Scope.CONTAINER, gpus(2, 0));
    admit(node, pod("hog", app("x", "cpu=7", "memory=1Gi")));
    Pod pod = pod("a", app("x", "cpu=4", "memory=1Gi", GPU + "=1"));
    switch (policy) {
      case NONE, BEST_EFFORT -> {
        admit(node, pod);
        assertThat(gpusOf(node, "a", "x")).containsExactly("gpu-0");
      }
      case RESTRICTED, SINGLE_NUMA_NODE -> {
        Assignments before = node.assignments();
        Decision.Refused refused = refused(node.admit(pod));
        assertThat(refused.reason()).isEqualTo(Reason.TOPOLOGY_AFFINITY);
        assertThat(refused.message())
            .isEqualTo("Resources cannot be allocated with Topology locality");
        assertThat(node.assignments()).isEqualTo(before);
        assertThat(node.deviceAssignments()).isEqualTo(DeviceAssignments.NONE);
      }
    }
  }

  @Test
  void restrictedTakesTwoOfFourNodesWhereOneIsNotEnough() {
    Node node = node(FOUR_NODES, Policy.RESTRICTED, Scope.CONTAINER, gpus(2, 2, 3));
    admit(node, pod("a", app("x", "cpu=12", "memory=1Gi", GPU + "=4")));
    assertThat(node.placesOf("a").get("x")).isEqualTo(preferred(2, 3));
    assertThat(node.cpusOf("a", "x").orElseThrow().isSubsetOf(CpuSet.range(16, 31))).isTrue();
    assertThat(gpusOf(node, "a", "x")).hasSize(4);
  }

  @Test
  void singleNumaNodeRefusesWhatNeedsTwo() {
    Node node = node(FOUR_NODES, Policy.SINGLE_NUMA_NODE, Scope.CONTAINER, gpus(2, 2, 3));
    assertThat(refused(node.admit(pod("a", app("x", "cpu=2", "memory=1Gi", GPU + "=3")))).reason())
        .isEqualTo(Reason.TOPOLOGY_AFFINITY);
  }

  @Test
  void thePodScopePutsContainersTogetherWhereTheContainerScopeDoesNot() {
    Pod pod =
        pod(
            "a",
            app("x", "cpu=4", "memory=1Gi", GPU + "=1"),
            app("y", "cpu=4", "memory=1Gi", GPU + "=1"));
    Node together = node(FOUR_NODES, Policy.SINGLE_NUMA_NODE, Scope.POD, gpus(2, 0, 1));
    admit(together, pod);
    assertThat(together.placesOf("a")).isEqualTo(Map.of("x", preferred(1), "y", preferred(1)));
    assertThat(together.deviceAssignments().ofPod("a", GPU)).containsExactly("gpu-2", "gpu-3");
    Node apart = node(FOUR_NODES, Policy.SINGLE_NUMA_NODE, Scope.CONTAINER, gpus(2, 0, 1));
    admit(apart, pod);
    assertThat(apart.placesOf("a")).isEqualTo(Map.of("x", preferred(0), "y", preferred(1)));
    Node tight = node(FOUR_NODES, Policy.SINGLE_NUMA_NODE, Scope.POD, gpus(1, 0, 1));
    assertThat(refused(tight.admit(pod)).reason()).isEqualTo(Reason.TOPOLOGY_AFFINITY);
  }

  @Test
  void devicesOfBurstableAndBestEffortPodsAreAlignedToo() {
    Pod bestEffort = pod("a", app("x", GPU + "=2"));
    assertThat(bestEffort.qosClass()).isEqualTo(QosClass.BEST_EFFORT);
    Resources some =
        new Resources(
            DevicePods.amounts("cpu=1", GPU + "=2"), DevicePods.amounts("cpu=2", GPU + "=2"));
    Pod burstable = pod("b", new Container("x", Role.APP, some));
    assertThat(burstable.qosClass()).isEqualTo(QosClass.BURSTABLE);
    Node node = node(FOUR_NODES, Policy.SINGLE_NUMA_NODE, Scope.CONTAINER, gpus(3, 1, 3));
    admit(node, bestEffort);
    admit(node, burstable);
    assertThat(node.placesOf("a").get("x")).isEqualTo(preferred(1));
    assertThat(node.placesOf("b").get("x")).isEqualTo(preferred(3));
    assertThat(gpusOf(node, "a", "x")).containsExactly("gpu-0", "gpu-1");
    assertThat(gpusOf(node, "b", "x")).containsExactly("gpu-3", "gpu-4");
    assertThat(refused(node.admit(pod("c", app("x", GPU + "=2")))).reason())
        .isEqualTo(Reason.TOPOLOGY_AFFINITY);
  }

  @Test
  void unhealthyDevicesAreNotOfferedButCountForWhatCouldBe() {
    List<Device> devices =
        List.of(
            Device.of(GPU, "gpu-0", 0),
            Device.of(GPU, "gpu-1", 0).withHealth(false),
            Device.of(GPU, "gpu-2", 1));
    Node node = node(TWO_NODES, Policy.RESTRICTED, Scope.CONTAINER, devices);
    // Two would fit on node 0 if both were well: one node is as good as it gets, two are not.
    assertThat(refused(node.admit(pod("a", app("x", GPU + "=2")))).reason())
        .isEqualTo(Reason.TOPOLOGY_AFFINITY);
    node.devices(devices.stream().map(device -> device.withHealth(true)).toList());
    admit(node, pod("a", app("x", GPU + "=2")));
    assertThat(gpusOf(node, "a", "x")).containsExactly("gpu-0", "gpu-1");
  }

  @Test
  void anAppGoesWhereItsInitContainersDevicesAre() {
    Node node = node(TWO_NODES, Policy.SINGLE_NUMA_NODE, Scope.CONTAINER, gpus(2, 0, 1));
    admit(node, pod("hog", app("x", "cpu=7", "memory=1Gi")));
    admit(
        node,
        pod(
            "a",
            init("i", "cpu=2", "memory=1Gi", GPU + "=1"),
            app("x", "cpu=1", "memory=1Gi", GPU + "=2")));
    assertThat(node.placesOf("a").get("x")).isEqualTo(preferred(1));
    assertThat(gpusOf(node, "a", "x")).containsExactly("gpu-2", "gpu-3");
  }
}
