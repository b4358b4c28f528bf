package dev.berth.ledger;

import static dev.berth.ledger.DevicePods.GPU;
import static dev.berth.ledger.DevicePods.NIC;
import static dev.berth.ledger.DevicePods.TWO_NODES;
import static dev.berth.ledger.DevicePods.app;
import static dev.berth.ledger.DevicePods.gpus;
import static dev.berth.ledger.DevicePods.gpusOf;
import static dev.berth.ledger.DevicePods.init;
import static dev.berth.ledger.DevicePods.pod;
import static dev.berth.ledger.DevicePods.sidecar;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.Hint;
import dev.berth.hints.Reason;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.workload.Pod;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Devices: which are given, kept, used again and refused. */
class DevicesTest {
  /** KEP-693's eight GPUs, of which some pairs have a link between them. */
  private static final List<List<String>> LINKED =
      List.of(
          List.of("gpu-0", "gpu-3"),
          List.of("gpu-1", "gpu-2"),
          List.of("gpu-4", "gpu-7"),
          List.of("gpu-5", "gpu-6"));

  private static Node plain(List<Device> devices) {
    return DevicePods.node(TWO_NODES, Policy.NONE, Scope.CONTAINER, devices);
  }

  private static Node bestEffort(List<Device> devices) {
    return DevicePods.node(TWO_NODES, Policy.BEST_EFFORT, Scope.CONTAINER, devices);
  }

  private static String refusal(Node node, Pod pod) {
    Decision decision = node.admit(pod);
    assertThat(decision).isInstanceOf(Decision.Refused.class);
    Decision.Refused refused = (Decision.Refused) decision;
    assertThat(refused.reason()).isEqualTo(Reason.UNEXPECTED);
    return refused.message();
  }

  private static void admit(Node node, Pod pod) {
    assertThat(node.admit(pod)).isInstanceOf(Decision.Granted.class);
  }

  @Test
  void takesTheLowestIdsAndCountsNumbersAsNumbers() {
    Node node =
        plain(IntStream.of(10, 9, 2, 11).mapToObj(i -> Device.of(GPU, "gpu-" + i)).toList());
    admit(node, pod("a", app("x", GPU + "=3")));
    assertThat(gpusOf(node, "a", "x")).containsExactly("gpu-2", "gpu-9", "gpu-10");
    List<String> ids = new ArrayList<>(List.of("b1", "a", "a10b", "a2", "a02", "A", "", "a2x"));
    ids.sort(DeviceOrder.BY_ID);
    assertThat(ids).containsExactly("", "A", "a", "a02", "a2", "a2x", "a10b", "b1");
  }

  @Test
  void refusesInUpstreamsWords() {
    Node node = plain(gpus(2, 0));
    admit(node, pod("a", app("x", GPU + "=1")));
    assertThat(refusal(node, pod("b", app("x", GPU + "=2"))))
        .isEqualTo(
            "Allocate failed due to requested number of devices unavailable for"
                + " vendor.example/gpu. Requested: 2, Available: 1, which is unexpected");
    node.devices(GPU, List.of());
    assertThat(refusal(node, pod("b", app("x", GPU + "=1"))))
        .contains("no healthy devices present; cannot allocate unhealthy devices " + GPU);
  }

  @Test
  void aRefusalTellsWhoseLeavingWouldHelp() {
    Node node = plain(gpus(3, 0));
    admit(node, pod("a", app("x", GPU + "=2")));
    admit(node, pod("b", app("x", "cpu=1", "memory=1Gi")));
    assertThat(node.admit(pod("c", app("x", GPU + "=3"))).why().lines())
        .contains(
            "  vendor.example/gpu: free 1 of 3 (gpu-2)",
            "  pod a holds 2: gpu-0, gpu-1",
            "  fits if pod a leaves",
            "  fits with 1 vendor.example/gpu instead of 3");
    assertThat(node.admit(pod("c", app("x", GPU + "=4"))).why().lines())
        .contains("  it would not fit on this machine even if it were empty");
  }

  @Test
  void aRefusalTellsHowManyDevicesEachContainerCouldHave() {
    Node node = plain(gpus(4, 0));
    admit(node, pod("a", app("x", GPU + "=1")));
    assertThat(node.admit(pod("b", app("x", GPU + "=1"), app("y", GPU + "=3"))).why().lines())
        .as("x could only do with none")
        .contains("  fits with 2 vendor.example/gpu for container y instead of 3")
        .noneMatch(line -> line.contains("for container x"));
  }

  @Test
  void anAmountOfNothingAndAnUnknownResourceAreNotAskedFor() {
    Node node = plain(gpus(1, 0));
    admit(node, pod("a", app("x", GPU + "=0", "other.example/thing=4")));
    assertThat(node.deviceAssignments()).isEqualTo(DeviceAssignments.NONE);
  }

  @Test
  void neverGivesAnUnhealthyDevice() {
    List<Device> devices = new ArrayList<>(gpus(2, 0));
    devices.set(0, devices.get(0).withHealth(false));
    Node node = plain(devices);
    admit(node, pod("a", app("x", GPU + "=1")));
    assertThat(gpusOf(node, "a", "x")).containsExactly("gpu-1");
    assertThat(refusal(node, pod("b", app("x", GPU + "=1"))))
        .contains("Requested: 1, Available: 0");
  }

  @Test
  void devicesInUseStayWithTheirPodWhateverBecomesOfThem() {
    Node node = plain(gpus(2, 0));
    Pod first = pod("a", app("x", GPU + "=1"));
    admit(node, first);
    node.devices(GPU, List.of(Device.of(GPU, "gpu-0", 0).withHealth(false)));
    admit(node, first);
    assertThat(gpusOf(node, "a", "x")).containsExactly("gpu-0");
    node.devices(GPU, List.of(Device.of(GPU, "gpu-5", 1)));
    admit(node, first);
    assertThat(gpusOf(node, "a", "x")).containsExactly("gpu-0");
    node.devices(GPU, gpus(2, 0));
    admit(node, pod("b", app("x", GPU + "=1")));
    assertThat(gpusOf(node, "b", "x")).containsExactly("gpu-1");
    node.remove("a");
    admit(node, pod("c", app("x", GPU + "=1")));
    assertThat(gpusOf(node, "c", "x")).containsExactly("gpu-0");
  }

  @Test
  void anInitContainersDevicesAreUsedAgainAndASidecarsAreNot() {
    Node node = plain(gpus(3, 0));
    admit(
        node,
        pod("a", init("first", GPU + "=2"), sidecar("beside", GPU + "=1"), app("x", GPU + "=2")));
    assertThat(gpusOf(node, "a", "first")).containsExactly("gpu-0", "gpu-1");
    assertThat(gpusOf(node, "a", "beside")).containsExactly("gpu-0");
    assertThat(gpusOf(node, "a", "x")).containsExactly("gpu-1", "gpu-2");
    node.remove("a");
    assertThat(refusal(node, pod("b", sidecar("beside", GPU + "=2"), app("x", GPU + "=2"))))
        .contains("Requested: 2, Available: 1");
    assertThat(node.deviceAssignments()).isEqualTo(DeviceAssignments.NONE);
  }

  @Test
  void takesNearDevicesFirstThenOthersThenThoseWithoutAPlace() {
    List<Device> devices =
        List.of(
            Device.of(GPU, "a-nowhere"),
            Device.of(GPU, "b-far", 0),
            Device.of(GPU, "c-near", 1),
            Device.of(GPU, "d-between", 0, 1));
    Node node = bestEffort(devices);
    admit(node, pod("hog", app("x", "cpu=7", "memory=1Gi"))); // leaves node 0 without CPUs
    admit(node, pod("a", app("x", "cpu=2", "memory=1Gi", GPU + "=2")));
    assertThat(node.placesOf("a").get("x")).isEqualTo(new Hint(Affinity.to(NodeSet.of(1)), true));
    assertThat(gpusOf(node, "a", "x")).containsExactly("c-near", "d-between");
    admit(node, pod("b", app("x", GPU + "=1")));
    assertThat(gpusOf(node, "b", "x")).containsExactly("b-far");
    admit(node, pod("c", app("x", GPU + "=1")));
    assertThat(gpusOf(node, "c", "x")).containsExactly("a-nowhere");
  }

  @Test
  void devicesWithoutAPlaceHaveNoPreference() {
    Node node = DevicePods.node(TWO_NODES, Policy.RESTRICTED, Scope.CONTAINER, List.of());
    node.devices(List.of(Device.of(NIC, "nic-0"), Device.of(NIC, "nic-1")));
    admit(node, pod("hog", app("x", "cpu=7", "memory=1Gi")));
    admit(node, pod("a", app("x", "cpu=4", "memory=1Gi", NIC + "=2")));
    assertThat(node.placesOf("a").get("x")).isEqualTo(new Hint(Affinity.to(NodeSet.of(1)), true));
  }

  @Test
  void nodesThatTheMachineDoesNotHaveAreIgnoredAndNoted() {
    Node node = bestEffort(List.of(Device.of(GPU, "gpu-0", 1, 7)));
    admit(node, pod("a", app("x", GPU + "=1")));
    assertThat(node.placesOf("a").get("x")).isEqualTo(new Hint(Affinity.to(NodeSet.of(1)), true));
    assertThat(node.notes())
        .contains(
            "devices of vendor.example/gpu: NUMA nodes 7 are not this machine's and are ignored");
  }

  @Test
  void linkedPairsAreKeptTogether() {
    Node node = bestEffort(gpus(4, 0, 1));
    node.prefer(GPU, DevicesTest::linkedPair);
    List<List<String>> given = new ArrayList<>();
    for (String uid : List.of("a", "b", "c", "d")) {
      admit(node, pod(uid, app("x", GPU + "=2")));
      given.add(gpusOf(node, uid, "x"));
    }
    assertThat(given).containsExactlyElementsOf(LINKED);
    node.remove("b");
    admit(node, pod("e", app("x", GPU + "=2")));
    assertThat(gpusOf(node, "e", "x")).containsExactly("gpu-1", "gpu-2");
  }

  @Test
  void withoutAdviceTheLowestPairIsTaken() {
    Node node = bestEffort(gpus(4, 0, 1));
    admit(node, pod("a", app("x", GPU + "=2")));
    assertThat(gpusOf(node, "a", "x")).containsExactly("gpu-0", "gpu-1");
  }

  @Test
  void adviceIsAskedOnceAndCannotLeaveWhatIsAvailable() {
    List<String> asked = new ArrayList<>();
    Node node = bestEffort(gpus(4, 0, 1));
    node.prefer(
        GPU,
        (available, included, size) -> {
          asked.add(available.size() + "/" + included.size() + "/" + size);
          return List.of("gpu-9", "gpu-7", "gpu-3");
        });
    Decision decision = node.admit(pod("a", init("i", GPU + "=1"), app("x", GPU + "=3")));
    assertThat(decision.why().lines()).contains("  x gets vendor.example/gpu: gpu-0, gpu-1, gpu-3");
    assertThat(gpusOf(node, "a", "i")).containsExactly("gpu-3");
    assertThat(gpusOf(node, "a", "x")).containsExactly("gpu-0", "gpu-1", "gpu-3");
    assertThat(asked).containsExactly("4/0/1", "4/1/3");
  }

  @Test
  void adviceThatFailsHasThePodRefused() {
    Node node = bestEffort(gpus(4, 0, 1));
    node.prefer(
        GPU,
        (available, included, size) -> {
          throw new IllegalStateException("link\ndown");
        });
    assertThat(refusal(node, pod("a", app("x", GPU + "=1"))))
        .isEqualTo(
            "Allocate failed due to device plugin GetPreferredAllocation rpc failed with err:"
                + " IllegalStateException: link?down, which is unexpected");
    assertThat(node.deviceAssignments()).isEqualTo(DeviceAssignments.NONE);
  }

  private static List<String> linkedPair(List<Device> available, List<Device> included, int size) {
    List<String> ids = available.stream().map(Device::id).toList();
    Optional<List<String>> pair = LINKED.stream().filter(ids::containsAll).findFirst();
    return size == 2 && included.isEmpty() ? pair.orElse(List.of()) : List.of();
  }

  @Test
  void startsWhereAnotherLeftOffEvenBeforeItsDevicesAreBack() {
    Node before = plain(gpus(2, 0));
    Pod running = pod("a", app("x", "cpu=1", "memory=1Gi", GPU + "=1"));
    admit(before, running);
    Node after =
        Node.builder(TWO_NODES, before.configuration())
            .assignments(before.assignments())
            .deviceAssignments(before.deviceAssignments())
            .start();
    admit(after, running);
    assertThat(after.deviceAssignments()).isEqualTo(before.deviceAssignments());
    assertThat(refusal(after, pod("b", app("x", GPU + "=1"))))
        .contains("cannot allocate unregistered device " + GPU);
    after.devices(gpus(2, 0));
    admit(after, pod("b", app("x", GPU + "=1")));
    assertThat(gpusOf(after, "b", "x")).containsExactly("gpu-1");
  }

  @Test
  void aContainerThatHoldsItsDevicesKeepsThemThoughItsCpusAreGone() {
    Node before = bestEffort(gpus(2, 0, 1));
    Pod running = pod("a", app("x", "cpu=2", "memory=1Gi", GPU + "=1"));
    admit(before, running);
    Node after =
        Node.builder(TWO_NODES, before.configuration())
            .deviceAssignments(before.deviceAssignments())
            .devices(gpus(2, 0, 1))
            .start();
    admit(after, running);
    assertThat(after.deviceAssignments()).isEqualTo(before.deviceAssignments());
    assertThat(after.assignments()).isEqualTo(before.assignments());
    assertThat(refusal(after, pod("a", app("x", "cpu=2", "memory=1Gi", GPU + "=2"))))
        .contains(
            "pod \"a\" container \"x\" changed request for resource \"" + GPU + "\" from 1 to 2");
  }

  @Test
  void aDeviceWithTwoPodsIsNoStart() {
    Map<String, Map<String, Map<String, List<String>>>> twice =
        Map.of(
            "a", Map.of("x", Map.of(GPU, List.of("gpu-0"))),
            "b", Map.of("y", Map.of(GPU, List.of("gpu-0"))));
    NodeBuilder builder =
        Node.builder(TWO_NODES, Configuration.DEFAULTS)
            .deviceAssignments(DeviceAssignments.of(twice));
    assertThatThrownBy(builder::start)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("vendor.example/gpu gpu-0 is with pods a and b");
  }

  @Test
  void aPodWithABudgetGetsItsDevicesContainerByContainer() {
    Configuration configuration =
        DevicePods.configuration(Policy.RESTRICTED, Scope.POD)
            .with(FeatureGates.DEFAULTS.with(Gate.POD_LEVEL_RESOURCE_MANAGERS, true));
    Node node = Node.start(TWO_NODES, configuration);
    node.devices(gpus(2, 1));
    Resources budget = Resources.guaranteed(DevicePods.amounts("cpu=4", "memory=2Gi"));
    Pod pod =
        Pod.of(
            "a",
            List.of(app("x", "cpu=2", "memory=1Gi", GPU + "=1"), app("y", GPU + "=1")),
            Optional.of(budget));
    admit(node, pod);
    assertThat(gpusOf(node, "a", "x")).containsExactly("gpu-0");
    assertThat(gpusOf(node, "a", "y")).containsExactly("gpu-1");
    assertThat(node.assignments().of("a").isSubsetOf(CpuSet.range(8, 15))).isTrue();
  }

  @Test
  void refusesDevicesThatMakeNoSense() {
    Node node = plain(List.of());
    assertThatThrownBy(() -> Device.of("cpu", "0"))
        .hasMessage("device: expected a resource such as vendor.example/gpu, found \"cpu\"");
    assertThatThrownBy(() -> Device.of(GPU, ""))
        .hasMessage("device of vendor.example/gpu: expected an id, found none");
    assertThatThrownBy(() -> node.devices(GPU, List.of(Device.of(NIC, "nic-0"))))
        .hasMessageContaining("expected no other, found one of vendor.example/nic");
    Device same = Device.of(GPU, "gpu-0");
    assertThatThrownBy(() -> node.devices(List.of(same, same)))
        .hasMessageContaining("expected every id once, found gpu-0 again");
  }
}
