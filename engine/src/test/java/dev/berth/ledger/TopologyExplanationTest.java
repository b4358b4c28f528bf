package dev.berth.ledger;

import static dev.berth.ledger.MemoryTrial.admit;
import static dev.berth.ledger.MemoryTrial.aligned;
import static dev.berth.ledger.MemoryTrial.app;
import static dev.berth.ledger.MemoryTrial.machine;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hints.Reason;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machine;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Golden text: what is told of a pod that the topology manager refused. */
class TopologyExplanationTest {
  /** Nodes of 4 CPUs and 9 GiB, of which 8 can be given; CPU 0 is reserved. */
  private static Node node(int nodes, Policy policy, Scope scope) {
    int[] gib = new int[nodes];
    Arrays.fill(gib, 9);
    Machine machine = machine(4, gib);
    return Node.start(machine, aligned(machine, policy, scope));
  }

  private static Pod pod(String uid, String... asks) {
    List<Container> containers = new ArrayList<>();
    for (String one : asks) {
      containers.add(app("app-" + containers.size(), one));
    }
    return Pod.of(uid, containers);
  }

  /** On every pair of nodes, CPUs are left on the first and memory on the second. */
  private static Node crossed(int nodes, Policy policy) {
    Node node = node(nodes, policy, Scope.CONTAINER);
    for (int i = 0; i < nodes; i += 2) {
      admit(node, pod("memory-" + i, "cpu 1, memory 7Gi"));
      admit(node, pod("cpus-" + i, "cpu 4, memory 1Gi"));
    }
    return node;
  }

  private static Explanation refused(Node node, Pod pod) {
    Decision decision = node.admit(pod);
    assertThat(decision)
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.TOPOLOGY_AFFINITY));
    return decision.why();
  }

  /** What would help comes last. */
  private static List<String> hypotheses(Explanation why) {
    return why.lines().stream()
        .filter(line ->
            line.startsWith("  fits ")
                || line.startsWith("  it would ")
                || line.startsWith("  no single"))
        .toList();
  }

  @Test
  void devicesThatNeverMeetAreNotComparedWithAnEmptyMachineOnOne() {
    Machine machine = machine(4, 9, 9);
    Node node =
        Node.builder(machine, aligned(machine, Policy.RESTRICTED, Scope.CONTAINER))
            .devices(
                List.of(
                    Device.of("vendor.example/gpu", "gpu-0", 0),
                    Device.of("vendor.example/nic", "nic-0", 1)))
            .start();
    assertThat(
            refused(
                node,
                pod("first", "cpu 1, memory 1Gi, vendor.example/gpu 1, vendor.example/nic 1")))
        .asString()
        .contains("not the best for every resource: the policy refuses that")
        .doesNotContain("empty machine");
  }

  @Test
  void cpusAndMemoryThatDoNotMeetOnTwoNodesUnderRestricted() {
    assertThat(refused(crossed(2, Policy.RESTRICTED), pod("late", "cpu 2, memory 4Gi")))
        .hasToString(
            """
            container app-0: where its resources meet
              cpu: fits on node 0
              memory: fits on node 1
              these do not meet: cpu on 0, memory on 1
              NUMA node 1, not the best for every resource: the policy refuses that
            refused: TopologyAffinityError: Resources cannot be allocated with Topology locality
              assignable 2 (2-3), reserved 1 (0)
              pod cpus-0 holds 4: 4-7
              pod memory-0 holds 1: 1
              assignable by NUMA node: 2 of 4 on 0, 0 of 4 on 1
              assignable by L3 cache: 2 of 4 on 0, 0 of 4 on 1
              free memory by NUMA node: 7Gi of 8Gi on 1, 1Gi of 8Gi on 0
              pod memory-0 holds 7Gi of memory on 0
              pod cpus-0 holds 1Gi of memory on 1
              fits if pod cpus-0 or memory-0 leaves
              fits with topology policy best-effort
              fits with 1Gi of memory instead of 4Gi\
            """);
  }

  @Test
  void cpusAndMemoryThatDoNotMeetOnTwoNodesUnderSingleNumaNode() {
    assertThat(refused(crossed(2, Policy.SINGLE_NUMA_NODE), pod("late", "cpu 2, memory 4Gi")))
        .hasToString(
            """
            container app-0: where its resources meet
              cpu: fits on node 0
              memory: fits on node 1
              these do not meet: cpu on 0, memory on 1
              any NUMA node, not the best for every resource: the policy refuses that
            refused: TopologyAffinityError: Resources cannot be allocated with Topology locality
              assignable 2 (2-3), reserved 1 (0)
              pod cpus-0 holds 4: 4-7
              pod memory-0 holds 1: 1
              assignable by NUMA node: 2 of 4 on 0, 0 of 4 on 1
              assignable by L3 cache: 2 of 4 on 0, 0 of 4 on 1
              free memory by NUMA node: 7Gi of 8Gi on 1, 1Gi of 8Gi on 0
              pod memory-0 holds 7Gi of memory on 0
              pod cpus-0 holds 1Gi of memory on 1
              fits if pod cpus-0 or memory-0 leaves
              fits with topology policy best-effort
              fits with 1Gi of memory instead of 4Gi\
            """);
  }

  @Test
  void cpusAndMemoryThatDoNotMeetOnFourNodesUnderRestricted() {
    assertThat(refused(crossed(4, Policy.RESTRICTED), pod("late", "cpu 2, memory 4Gi")))
        .hasToString(
            """
            container app-0: where its resources meet
              cpu: fits on one of the nodes 0,2
              memory: fits on one of the nodes 1,3
              these do not meet: cpu on 0,2, memory on 1,3
              NUMA node 1, not the best for every resource: the policy refuses that
            refused: TopologyAffinityError: Resources cannot be allocated with Topology locality
              assignable 5 (2-3,9-11), reserved 1 (0)
              pod cpus-0 holds 4: 4-7
              pod cpus-2 holds 4: 12-15
              pod memory-0 holds 1: 1
              pod memory-2 holds 1: 8
              assignable by NUMA node: 3 of 4 on 2, 2 of 4 on 0, 0 of 4 on 1, 0 of 4 on 3
              assignable by L3 cache: 3 of 4 on 2, 2 of 4 on 0, 0 of 4 on 1, 0 of 4 on 3
              free memory by NUMA node: 7Gi of 8Gi on 1, 7Gi of 8Gi on 3, 1Gi of 8Gi on 0, \
            1Gi of 8Gi on 2
              pod memory-0 holds 7Gi of memory on 0
              pod memory-2 holds 7Gi of memory on 2
              pod cpus-0 holds 1Gi of memory on 1
              pod cpus-2 holds 1Gi of memory on 3
              fits if pod cpus-0 or cpus-2 or memory-0 or memory-2 leaves
              fits with topology policy best-effort
              fits with 1Gi of memory instead of 4Gi\
            """);
  }

  @Test
  void cpusAndMemoryThatDoNotMeetOnFourNodesUnderSingleNumaNode() {
    assertThat(refused(crossed(4, Policy.SINGLE_NUMA_NODE), pod("late", "cpu 2, memory 4Gi")))
        .hasToString(
            """
            container app-0: where its resources meet
              cpu: fits on one of the nodes 0,2
              memory: fits on one of the nodes 1,3
              these do not meet: cpu on 0,2, memory on 1,3
              any NUMA node, not the best for every resource: the policy refuses that
            refused: TopologyAffinityError: Resources cannot be allocated with Topology locality
              assignable 5 (2-3,9-11), reserved 1 (0)
              pod cpus-0 holds 4: 4-7
              pod cpus-2 holds 4: 12-15
              pod memory-0 holds 1: 1
              pod memory-2 holds 1: 8
              assignable by NUMA node: 3 of 4 on 2, 2 of 4 on 0, 0 of 4 on 1, 0 of 4 on 3
              assignable by L3 cache: 3 of 4 on 2, 2 of 4 on 0, 0 of 4 on 1, 0 of 4 on 3
              free memory by NUMA node: 7Gi of 8Gi on 1, 7Gi of 8Gi on 3, 1Gi of 8Gi on 0, \
            1Gi of 8Gi on 2
              pod memory-0 holds 7Gi of memory on 0
              pod memory-2 holds 7Gi of memory on 2
              pod cpus-0 holds 1Gi of memory on 1
              pod cpus-2 holds 1Gi of memory on 3
              fits if pod cpus-0 or cpus-2 or memory-0 or memory-2 leaves
              fits with topology policy best-effort
              fits with 1Gi of memory instead of 4Gi\
            """);
  }

  /** One node for six CPUs there is not; one for each three there is. */
  @Test
  void scopeContainerWouldDo() {
    Node node = node(2, Policy.SINGLE_NUMA_NODE, Scope.POD);
    assertThat(hypotheses(refused(node, pod("p", "cpu 3, memory 1Gi", "cpu 3, memory 1Gi"))))
        .containsExactly(
            "  it would not fit on this machine even if it were empty",
            "  fits with scope container",
            "  fits with topology policy best-effort",
            "  fits with 1 CPU for container app-0 instead of 3",
            "  fits with 1 CPU for container app-1 instead of 3");
  }

  /** Three CPUs are free on each node: enough for six, but not for two, two and two. */
  @Test
  void scopePodWouldDo() {
    Machine machine = machine(4, 9, 9);
    Configuration noMemory =
        aligned(machine, Policy.RESTRICTED, Scope.CONTAINER).with(MemorySettings.NONE);
    Node node = Node.start(machine, noMemory);
    node.admit(pod("first", "cpu 3, memory 1Gi"));
    node.admit(pod("one", "cpu 1, memory 1Gi"));
    node.remove("first");
    Pod pod = pod("p", "cpu 2, memory 1Gi", "cpu 2, memory 1Gi", "cpu 2, memory 1Gi");
    assertThat(hypotheses(refused(node, pod)))
        .containsExactly(
            "  fits if pod one leaves",
            "  fits with scope pod",
            "  fits with topology policy best-effort",
            "  fits with 1 CPU for container app-0 instead of 2",
            "  fits with 1 CPU for container app-1 instead of 2",
            "  fits with 1 CPU for container app-2 instead of 2");
  }

  @Test
  void fewerCpusWouldDo() {
    Node node = node(2, Policy.SINGLE_NUMA_NODE, Scope.CONTAINER);
    admit(node, pod("a", "cpu 2, memory 1Gi"));
    admit(node, pod("b", "cpu 1, memory 1Gi"));
    admit(node, pod("c", "cpu 1, memory 1Gi"));
    assertThat(hypotheses(refused(node, pod("p", "cpu 4, memory 1Gi"))))
        .containsExactly("  fits if pod c leaves", "  fits with 3 CPUs instead of 4");
  }

  /** Each container is made smaller by itself; one that is larger than a node gets it alone. */
  @Test
  void fewerCpusForOneOfSeveralContainersWouldDo() {
    Node node = node(2, Policy.SINGLE_NUMA_NODE, Scope.CONTAINER);
    Pod pod = pod("p", "cpu 6, memory 1Gi", "cpu 2, memory 1Gi");
    assertThat(hypotheses(refused(node, pod)))
        .containsExactly(
            "  it would not fit on this machine even if it were empty",
            "  fits with 4 CPUs for container app-0 instead of 6");
  }

  @Test
  void nothingWouldDoOnThisMachine() {
    Node node = node(2, Policy.RESTRICTED, Scope.CONTAINER);
    assertThat(refused(node, pod("p", "cpu 9, memory 1Gi")))
        .hasToString(
            """
            container app-0: where its resources meet
              cpu: cannot be given on any nodes
              memory: fits on one of the nodes 0-1
              NUMA node 0, not the best for every resource: the policy refuses that
            refused: TopologyAffinityError: Resources cannot be allocated with Topology locality
              assignable 7 (1-7), reserved 1 (0)
              assignable by NUMA node: 4 of 4 on 1, 3 of 4 on 0
              assignable by L3 cache: 4 of 4 on 1, 3 of 4 on 0
              free memory by NUMA node: 8Gi of 8Gi on 0, 8Gi of 8Gi on 1
              it would not fit on this machine even if it were empty
              fits with 4 CPUs instead of 9\
            """);
    assertThat(hypotheses(refused(node, pod("q", "cpu 9, memory 99Gi"))))
        .containsExactly("  it would not fit on this machine even if it were empty");
  }

  @Test
  void nothingThatIsTriedWouldDo() {
    Node node = node(2, Policy.RESTRICTED, Scope.CONTAINER);
    for (int i = 0; i < 7; i++) {
      admit(node, pod("p-" + i, "cpu 1, memory 1Gi"));
    }
    Pod pod = pod("p", "cpu 1, memory 1Gi", "cpu 1, memory 1Gi");
    assertThat(hypotheses(refused(node, pod)))
        .containsExactly(
            "  no single pod's leaving, no other scope, policy, option or amount makes room for"
                + " it");
  }
}
