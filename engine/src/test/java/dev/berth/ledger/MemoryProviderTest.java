package dev.berth.ledger;

import static dev.berth.ledger.MemoryTrial.GIB;
import static dev.berth.ledger.MemoryTrial.admit;
import static dev.berth.ledger.MemoryTrial.aligned;
import static dev.berth.ledger.MemoryTrial.app;
import static dev.berth.ledger.MemoryTrial.free;
import static dev.berth.ledger.MemoryTrial.held;
import static dev.berth.ledger.MemoryTrial.init;
import static dev.berth.ledger.MemoryTrial.machine;
import static dev.berth.ledger.MemoryTrial.memoryAlone;
import static dev.berth.ledger.MemoryTrial.pod;
import static dev.berth.ledger.MemoryTrial.refusal;
import static dev.berth.ledger.MemoryTrial.sidecar;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.Hint;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machine;
import dev.berth.topology.NodeMemory;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The static memory policy: from which nodes memory and hugepages come. */
class MemoryProviderTest {
  /** Two nodes that have 8 GiB each to give. */
  private final Machine pair = machine(4, 9, 9);

  private final Node node = Node.start(pair, memoryAlone(pair));

  private static void startRefused(
      Machine machine, Map<Integer, Map<String, Long>> reserved, String line) {
    Configuration configuration =
        Configuration.DEFAULTS.with(new MemorySettings(MemorySettings.Policy.STATIC, reserved));
    assertThatThrownBy(() -> Node.start(machine, configuration))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(line);
  }

  @Test
  void startsOnlyWithSomeMemoryReserved() {
    String line =
        "reservedMemory: the Static policy expected some memory to be reserved, found none";
    startRefused(pair, Map.of(), line);
    startRefused(pair, Map.of(0, Map.of("memory", 0L), 1, Map.of("hugepages-2Mi", GIB)), line);
  }

  @Test
  void startsOnlyIfTheNodesHaveWhatIsReserved() {
    startRefused(
        pair,
        Map.of(1, Map.of("memory", 9 * GIB + 1)),
        "reservedMemory: node 1: memory: expected at most 9663676416, found 9663676417");
    Machine huge = machine(4, Map.of(2048L, 512L), 9);
    startRefused(
        huge,
        Map.of(0, Map.of("memory", 8 * GIB + 1)),
        "reservedMemory: node 0: memory: expected at most 8589934592, found 8589934593");
    startRefused(
        huge,
        Map.of(0, Map.of("memory", GIB, "hugepages-2Mi", 2 * GIB)),
        "reservedMemory: node 0: hugepages-2Mi: expected at most 1073741824, found 2147483648");
  }

  @Test
  void refusesAReservationBelowNothing() {
    assertThatThrownBy(() ->
            new MemorySettings(
                MemorySettings.Policy.STATIC, Map.of(1, Map.of("hugepages-1Gi", -1L))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("reservedMemory: node 1: hugepages-1Gi: expected 0 or more, found -1");
  }

  @Test
  void hugepagesComeOffOrdinaryMemory() {
    Machine huge = machine(4, Map.of(2048L, 512L, 1048576L, 2L), 9);
    Node there = Node.start(huge, memoryAlone(huge));
    assertThat(free(there, "memory")).containsExactly(5 * 1024L);
    assertThat(free(there, "hugepages-2Mi")).containsExactly(1024L);
    assertThat(free(there, "hugepages-1Gi")).containsExactly(2048L);
    Pod pod =
        Pod.of(
            "p", List.of(app("app", "cpu 1, memory 1Gi, hugepages-2Mi 512Mi, hugepages-1Gi 1Gi")));
    assertThat(admit(there, pod))
        .isEqualTo("app: memory 1024 on 0, hugepages-1Gi 1024 on 0, hugepages-2Mi 512 on 0");
    assertThat(free(there, "memory")).containsExactly(4 * 1024L);
    assertThat(free(there, "hugepages-2Mi")).containsExactly(512L);
  }

  @Test
  void oneNodeIsEnoughForWhatFitsOnOne() {
    assertThat(admit(node, pod("a", "5Gi"))).isEqualTo("app: memory 5120 on 0");
    assertThat(admit(node, pod("b", "5Gi"))).isEqualTo("app: memory 5120 on 1");
    assertThat(admit(node, pod("c", "3Gi"))).isEqualTo("app: memory 3072 on 0");
    assertThat(free(node, "memory")).containsExactly(0L, 3 * 1024L);
  }

  @Test
  void severalNodesTogetherGiveWhatNoneHasAlone() {
    assertThat(admit(node, pod("a", "10Gi"))).isEqualTo("app: memory 10240 on 0-1");
    assertThat(free(node, "memory")).containsExactly(0L, 6 * 1024L);
    assertThat(node.memoryAssignments().orElseThrow().nodes().values())
        .allSatisfy(account -> assertThat(account.group()).hasToString("0-1"));
  }

  /** 8 GiB are free on one and 7 on the other, but the other is used by itself. */
  @Test
  void aNodeUsedAloneIsNotJoinedToAGroup() {
    assertThat(admit(node, pod("a", "1Gi"))).isEqualTo("app: memory 1024 on 0");
    assertThat(admit(node, pod("b", "10Gi")))
        .isEqualTo(
            refusal(
                "failed to get the default NUMA affinity, no NUMA nodes with enough memory is"
                    + " available"));
    node.remove("a");
    assertThat(admit(node, pod("b", "10Gi"))).isEqualTo("app: memory 10240 on 0-1");
  }

  /** Where memory decides by itself; nobody else names a single node here. */
  @Test
  void aGroupIsUsedOnlyAsThatGroup() {
    Machine four = machine(4, 9, 9, 9, 9);
    Node there = Node.start(four, memoryAlone(four));
    assertThat(admit(there, pod("a", "10Gi"))).isEqualTo("app: memory 10240 on 0-1");
    assertThat(admit(there, pod("b", "10Gi"))).isEqualTo("app: memory 10240 on 2-3");
    assertThat(admit(there, pod("c", "4Gi"))).isEqualTo("app: memory 4096 on 0-1");
    there.remove("b");
    assertThat(admit(there, pod("d", "4Gi"))).isEqualTo("app: memory 4096 on 2");
    assertThat(admit(there, pod("e", "10Gi"))).startsWith("UnexpectedAdmissionError");
  }

  /**
   * Preferred is what an empty machine would need, so a used group of two is second to one node.
   */
  @Test
  void aSetAsNarrowAsOnAnEmptyMachineComesFirst() {
    Machine three = machine(4, 9, 9, 9);
    Node there = Node.start(three, memoryAlone(three));
    assertThat(admit(there, pod("a", "10Gi"))).isEqualTo("app: memory 10240 on 0-1");
    assertThat(admit(there, pod("b", "2Gi"))).isEqualTo("app: memory 2048 on 2");
    assertThat(admit(there, pod("c", "6Gi"))).isEqualTo("app: memory 6144 on 2");
    assertThat(admit(there, pod("d", "6Gi"))).isEqualTo("app: memory 6144 on 0-1");
  }

  @Test
  void restrictedRefusesASetThatIsWiderThanNeeded() {
    Machine three = machine(4, 9, 9, 9);
    Node there = Node.start(three, aligned(three, Policy.RESTRICTED, Scope.CONTAINER));
    assertThat(admit(there, pod("a", "10Gi"))).startsWith("TopologyAffinityError");
    Pod wide = Pod.of("wide", List.of(app("app", "cpu 5, memory 10Gi")));
    assertThat(admit(there, wide)).isEqualTo("app: memory 10240 on 0-1");
    assertThat(admit(there, pod("b", "8Gi"))).isEqualTo("app: memory 8192 on 2");
    assertThat(admit(there, pod("c", "1Gi"))).startsWith("TopologyAffinityError");
  }

  /** Node 1 has no CPUs, so CPUs and memory meet on node 0, which has too little by itself. */
  @Test
  void aPlaceThatIsTooSmallIsExtended() {
    Machine far =
        Machine.builder("far")
            .cpu(0, 0, 0, 0, 0)
            .cpu(1, 1, 0, 0, 0)
            .memory(0, NodeMemory.of(3 * GIB, Map.of()))
            .memory(1, NodeMemory.of(9 * GIB, Map.of()))
            .memory(2, NodeMemory.of(9 * GIB, Map.of()))
            .build();
    Node there = Node.start(far, aligned(far, Policy.BEST_EFFORT, Scope.CONTAINER));
    assertThat(admit(there, pod("p", "9Gi"))).isEqualTo("app: memory 9216 on 0-1");
    assertThat(there.placesOf("p"))
        .containsEntry("app", new Hint(Affinity.to(NodeSet.of(0)), false));
  }

  @Test
  void onlyGuaranteedPodsAreGivenMemory() {
    var asks = new Resources(MemoryTrial.asking("cpu 1, memory 1Gi").requests(), Map.of());
    Pod burstable = Pod.of("b", List.of(new Container("app", Role.APP, asks)));
    assertThat(admit(node, burstable)).isEmpty();
    assertThat(free(node, "memory")).containsExactly(8 * 1024L, 8 * 1024L);
  }

  @Test
  void initContainersMemoryIsUsedAgainAndTheirBlocksShrinkToNothing() {
    Pod pod =
        Pod.of(
            "p",
            List.of(
                init("first", "cpu 1, memory 3Gi"),
                init("second", "cpu 1, memory 4Gi"),
                app("x", "cpu 1, memory 3Gi"),
                app("y", "cpu 1, memory 2Gi")));
    assertThat(admit(node, pod))
        .isEqualTo(
            "first: memory 0 on 0; second: memory 0 on 0; x: memory 3072 on 0; y: memory 2048 on"
                + " 0");
    assertThat(free(node, "memory")).containsExactly(3 * 1024L, 8 * 1024L);
    node.remove("p");
    assertThat(free(node, "memory")).containsExactly(8 * 1024L, 8 * 1024L);
  }

  @Test
  void whatAppsDoNotUseAgainStaysWithTheInitContainer() {
    Pod pod = Pod.of("p", List.of(init("i", "cpu 1, memory 5Gi"), app("x", "cpu 1, memory 2Gi")));
    assertThat(admit(node, pod)).isEqualTo("i: memory 3072 on 0; x: memory 2048 on 0");
    assertThat(free(node, "memory")).containsExactly(3 * 1024L, 8 * 1024L);
  }

  @Test
  void sidecarsKeepTheirMemory() {
    Pod pod =
        Pod.of(
            "p",
            List.of(
                init("i", "cpu 1, memory 2Gi"),
                sidecar("s", "cpu 1, memory 1Gi"),
                app("x", "cpu 1, memory 2Gi")));
    assertThat(admit(node, pod))
        .isEqualTo("i: memory 0 on 0; s: memory 1024 on 0; x: memory 2048 on 0");
    assertThat(free(node, "memory")).containsExactly(5 * 1024L, 8 * 1024L);
  }

  @Test
  void removingGivesBack() {
    MemoryAssignments before = node.memoryAssignments().orElseThrow();
    assertThat(admit(node, pod("a", "10Gi"))).isEqualTo("app: memory 10240 on 0-1");
    node.remove("a");
    assertThat(node.memoryAssignments()).contains(before);
    node.remove("stranger");
    assertThat(node.memoryAssignments()).contains(before);
  }

  /** The first container fits, the second does not. */
  @Test
  void aRefusedPodGivesBackWhatItsFirstContainersHad() {
    assertThat(admit(node, pod("a", "2Gi"))).isEqualTo("app: memory 2048 on 0");
    MemoryAssignments before = node.memoryAssignments().orElseThrow();
    Pod pod = Pod.of("p", List.of(app("x", "cpu 1, memory 5Gi"), app("y", "cpu 1, memory 9Gi")));
    assertThat(admit(node, pod)).startsWith("UnexpectedAdmissionError");
    assertThat(node.memoryAssignments()).contains(before);
  }

  /**
   * Given back from the lowest node on, the block of both nodes would take what the other has
   * there, and that would be lost for good.
   */
  @Test
  void aNodeUsedAloneWithinAGroupKeepsItsMemory() {
    Node there = MemoryTrial.usedAloneWithinAGroup("group", "single", "1Gi");
    assertThat(held(there, "group")).isEqualTo("app: memory 3072 on 0-1");
    assertThat(held(there, "single")).isEqualTo("app: memory 1024 on 0");
    assertThat(free(there, "memory")).containsExactly(7 * 1024L, 5 * 1024L);
    there.remove("group");
    assertThat(free(there, "memory")).containsExactly(7 * 1024L, 8 * 1024L);
    there.remove("single");
    assertThat(free(there, "memory")).containsExactly(8 * 1024L, 8 * 1024L);
  }
}
