package dev.berth.ledger;

import static dev.berth.ledger.MemoryTrial.admit;
import static dev.berth.ledger.MemoryTrial.aligned;
import static dev.berth.ledger.MemoryTrial.app;
import static dev.berth.ledger.MemoryTrial.machine;
import static dev.berth.ledger.MemoryTrial.memoryAlone;
import static dev.berth.ledger.MemoryTrial.pod;
import static dev.berth.ledger.MemoryTrial.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Every sentence in which the memory manager refuses, provoked once.
 *
 * <p>Most need pod scope: where no set of nodes has what the whole pod asks for, memory says
 * nothing and the others agree on a place without it; each container then meets that place for
 * itself.
 */
class MemoryRefusalTest {
  /** One large node that is full, and two small ones that are empty. */
  private static Node uneven(Policy policy) {
    Machine machine = machine(4, 3, 3, 9);
    Node node = Node.start(machine, aligned(machine, policy, Scope.POD));
    Pod full = Pod.of("full", List.of(app("app", "cpu 1, memory 8Gi")));
    assertThat(admit(node, full)).isEqualTo("app: memory 8192 on 2");
    return node;
  }

  private static final Pod TWICE_3 =
      Pod.of("p", List.of(app("x", "cpu 1, memory 3Gi"), app("y", "cpu 1, memory 3Gi")));

  private static void refuses(Node node, Pod pod, String why) {
    MemoryAssignments memory = node.memoryAssignments().orElseThrow();
    Assignments cpus = node.assignments();
    assertThat(admit(node, pod)).isEqualTo(refusal(why));
    assertThat(node.memoryAssignments()).contains(memory);
    assertThat(node.assignments()).isEqualTo(cpus);
  }

  @Test
  void noNodesHaveEnough() {
    Machine machine = machine(4, 9, 9);
    refuses(
        Node.start(machine, memoryAlone(machine)),
        pod("p", "17Gi"),
        "failed to get the default NUMA affinity, no NUMA nodes with enough memory is available");
  }

  @Test
  void anyNodeWillDoButNoneAsGoodAsOnAnEmptyMachine() {
    refuses(
        uneven(Policy.SINGLE_NUMA_NODE),
        Pod.of("p", List.of(app("x", "cpu 500m, memory 3Gi"), app("y", "cpu 500m, memory 3Gi"))),
        "failed to find the default preferred hint");
  }

  @Test
  void thePlaceIsTooSmallAndNothingAroundItHelps() {
    Machine machine = machine(4, 9, 9);
    refuses(
        Node.start(machine, aligned(machine, Policy.BEST_EFFORT, Scope.CONTAINER)),
        pod("p", "17Gi"),
        "failed to find NUMA nodes to extend the current topology hint");
  }

  @Test
  void thePlaceIsTooSmallAndWhatHelpsIsWiderThanNeeded() {
    refuses(uneven(Policy.RESTRICTED), TWICE_3, "failed to find the extended preferred hint");
  }

  /** Five CPUs need both nodes, but one of them is used for memory by itself. */
  @Test
  void thePlaceWouldJoinANodeThatIsUsedAlone() {
    Machine machine = machine(4, 9, 9);
    Node node = Node.start(machine, aligned(machine, Policy.BEST_EFFORT, Scope.POD));
    assertThat(admit(node, pod("a", "1Gi"))).isEqualTo("app: memory 1024 on 0");
    refuses(
        node,
        Pod.of("p", List.of(app("x", "cpu 3, memory 8Gi"), app("y", "cpu 3, memory 8Gi"))),
        "preferred hint violates NUMA node allocation");
  }
}
