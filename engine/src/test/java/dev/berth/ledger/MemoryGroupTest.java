package dev.berth.ledger;

import static dev.berth.ledger.MemoryTrial.GIB;
import static dev.berth.ledger.MemoryTrial.aligned;
import static dev.berth.ledger.MemoryTrial.app;
import static dev.berth.ledger.MemoryTrial.machine;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.MemoryAssignments.NodeAccount;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machine;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The group of a NUMA node follows from the blocks that are held, and from nothing else. */
class MemoryGroupTest {
  private final Machine machine = machine(4, Map.of(2048L, 512L), 9, 9, 9);
  private final Configuration configuration = aligned(machine, Policy.BEST_EFFORT, Scope.CONTAINER);
  private final Node node = Node.start(machine, configuration);

  @BeforeEach
  void fill() {
    assertThat(admit("p0", app("app", "cpu 3, memory 11Gi"))).isEqualTo("app: memory 11264 on 0-1");
    assertThat(admit("p1", app("app", "cpu 3, memory 5Gi, hugepages-2Mi 320Mi")))
        .isEqualTo("app: memory 5120 on 2, hugepages-2Mi 320 on 2");
    assertThat(groups(node)).isEqualTo("0-1 0-1 2");
  }

  private String admit(String uid, Container... containers) {
    return MemoryTrial.admit(node, Pod.of(uid, List.of(containers)));
  }

  private static String groups(Node node) {
    return String.join(
        " ",
        node.memoryAssignments().orElseThrow().nodes().values().stream()
            .map(account -> account.group().toString())
            .toList());
  }

  private MemoryAssignments now() {
    return node.memoryAssignments().orElseThrow();
  }

  @Test
  void removingAPodGivesANodeItsGroupBack() {
    MemoryAssignments before = now();
    assertThat(admit("p2", app("app", "cpu 2, memory 1Gi"))).isEqualTo("app: memory 1024 on 1");
    assertThat(groups(node)).isEqualTo("0-1 0-1 2");
    node.remove("p2");
    assertThat(now()).isEqualTo(before);
  }

  @Test
  void refusingAPodGivesANodeItsGroupBack() {
    MemoryAssignments before = now();
    assertThat(admit("p2", app("one", "cpu 2, memory 1Gi"), app("other", "cpu 2, memory 100Gi")))
        .startsWith("UnexpectedAdmissionError");
    assertThat(now()).isEqualTo(before);
  }

  @Test
  void aNodeThatIsUsedAloneTooStaysInItsGroup() {
    admit("p2", app("app", "cpu 2, memory 1Gi"));
    node.remove("p0");
    assertThat(groups(node)).isEqualTo("0 1 2");
    node.remove("p2");
    assertThat(groups(node)).isEqualTo("0 1 2");
  }

  /** Both blocks are one pod's, and the later one names node 1 alone. */
  @Test
  void insideOnePodTheGroupFollowsFromTheBlocksToo() {
    node.remove("p0");
    assertThat(admit("p0", app("wide", "cpu 3, memory 11Gi"), app("narrow", "cpu 2, memory 1Gi")))
        .isEqualTo("narrow: memory 1024 on 1; wide: memory 11264 on 0-1");
    assertThat(groups(node)).isEqualTo("0-1 0-1 2");
  }

  /** As Kubernetes writes it, and Berth wrote it before: the group of the last block. */
  @Test
  void aGroupThatWasWrittenDownOtherwiseIsPutRightAtAStart() {
    admit("p2", app("app", "cpu 2, memory 1Gi"));
    SortedMap<Integer, NodeAccount> nodes = new TreeMap<>(now().nodes());
    nodes.computeIfPresent(
        1, (id, a) -> new NodeAccount(a.assignments(), a.tables(), NodeSet.of(1)));
    Node next =
        Node.start(
            machine,
            configuration,
            node.assignments(),
            new MemoryAssignments(nodes, now().blocks(), now().budgets()));
    assertThat(next.memoryAssignments()).contains(now());
  }

  @Test
  void groupsThatOverlapAreNotTakenOver() {
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> blocks = new TreeMap<>(now().blocks());
    blocks.put(
        "p2",
        new TreeMap<>(Map.of("app", List.of(new MemoryBlock(NodeSet.of(1, 2), "memory", GIB)))));
    assertThatThrownBy(() ->
            Node.start(
                machine,
                configuration,
                node.assignments(),
                new MemoryAssignments(now().nodes(), blocks, now().budgets())))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "memory assignments: pod p2: expected blocks of several nodes on the same nodes or on"
                + " none of them, found one on 1-2 and one on 0-1");
  }
}
