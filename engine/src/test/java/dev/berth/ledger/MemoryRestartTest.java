package dev.berth.ledger;

import static dev.berth.ledger.MemoryTrial.GIB;
import static dev.berth.ledger.MemoryTrial.admit;
import static dev.berth.ledger.MemoryTrial.aligned;
import static dev.berth.ledger.MemoryTrial.app;
import static dev.berth.ledger.MemoryTrial.init;
import static dev.berth.ledger.MemoryTrial.machine;
import static dev.berth.ledger.MemoryTrial.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.MemoryAssignments.NodeAccount;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Starting where another left off: what is accepted, and what is told of what is not. */
class MemoryRestartTest {
  private final Machine machine = machine(4, Map.of(2048L, 512L), 9, 9, 9);
  private final Configuration configuration = aligned(machine, Policy.BEST_EFFORT, Scope.CONTAINER);
  private final Node node = Node.start(machine, configuration);
  private final Pod wide = Pod.of("wide", List.of(app("app", "cpu 5, memory 10Gi")));
  private final Pod reusing =
      Pod.of(
          "reusing",
          List.of(
              init("i", "cpu 2, memory 2Gi"), app("app", "cpu 2, memory 1Gi, hugepages-2Mi 2Mi")));

  private Node again(MemoryAssignments memory) {
    return Node.start(machine, configuration, node.assignments(), memory);
  }

  private MemoryAssignments now() {
    return node.memoryAssignments().orElseThrow();
  }

  private void fill() {
    assertThat(admit(node, wide)).isEqualTo("app: memory 10240 on 0-1");
    assertThat(admit(node, reusing))
        .isEqualTo("app: memory 1024 on 2, hugepages-2Mi 2 on 2; i: memory 1024 on 2");
  }

  @Test
  void aRestartChangesNothing() {
    fill();
    Node next = again(now());
    assertThat(next.memoryAssignments()).contains(now());
    for (Pod pod : List.of(wide, reusing)) {
      assertThat(next.admit(pod)).isInstanceOf(Decision.Granted.class);
    }
    assertThat(next.memoryAssignments()).contains(now());
    next.remove("wide");
    next.remove("reusing");
    assertThat(next.memoryAssignments())
        .isEqualTo(Node.start(machine, configuration).memoryAssignments());
  }

  /** In the order of their names, the block of both nodes would leave no room for the other. */
  @Test
  void blocksOfOneNodeAreGivenTheirsBeforeThoseOfSeveral() {
    Node there = MemoryTrial.usedAloneWithinAGroup("a", "b", "7Gi");
    MemoryAssignments memory = there.memoryAssignments().orElseThrow();
    Node next = Node.start(there.machine(), there.configuration(), there.assignments(), memory);
    assertThat(next.memoryAssignments()).contains(memory);
    next.remove("a");
    assertThat(MemoryTrial.free(next, "memory")).containsExactly(1024L, 8 * 1024L);
  }

  private void refuses(MemoryAssignments tampered, String line) {
    assertThatThrownBy(() -> again(tampered))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("memory assignments: " + line);
  }

  private MemoryAssignments with(int id, UnaryOperator<NodeAccount> change) {
    SortedMap<Integer, NodeAccount> nodes = new TreeMap<>(now().nodes());
    nodes.computeIfPresent(id, (same, account) -> change.apply(account));
    return new MemoryAssignments(nodes, now().blocks(), now().budgets());
  }

  private MemoryAssignments withTable(int id, UnaryOperator<MemoryTable> change) {
    return with(
        id,
        account -> {
          SortedMap<String, MemoryTable> tables = new TreeMap<>(account.tables());
          tables.computeIfPresent("memory", (type, table) -> change.apply(table));
          return new NodeAccount(account.assignments(), tables, account.group());
        });
  }

  @Test
  void accountsThatDoNotAddUpAreNamedByNodeAndColumn() {
    fill();
    long left = 7 * GIB;
    refuses(
        withTable(2, t -> new MemoryTable(t.total() + 1, GIB, left, t.reserved(), t.free())),
        "node 2: memory total: expected 9663676416, found 9663676417");
    refuses(
        withTable(2, t -> new MemoryTable(t.total(), 0, left, t.reserved(), t.free())),
        "node 2: memory systemReserved: expected 1073741824, found 0");
    refuses(
        withTable(2, t -> new MemoryTable(t.total(), GIB, 0, t.reserved(), t.free())),
        "node 2: memory allocatable: expected 7516192768, found 0");
    refuses(
        withTable(2, t -> new MemoryTable(t.total(), GIB, left, 5, t.free())),
        "node 2: memory reserved: expected 2147483648, found 5");
    refuses(
        withTable(2, t -> new MemoryTable(t.total(), GIB, left, t.reserved(), 0)),
        "node 2: memory free: expected 5368709120, found 0");
    refuses(
        withTable(1, t -> new MemoryTable(t.total(), GIB, left, 0, left)),
        "node 0: memory reserved of nodes 0-1 together: expected 10737418240, found 7516192768");
  }

  @Test
  void countsGroupsAndKindsThatDoNotFitAreNamedToo() {
    fill();
    refuses(
        with(0, a -> new NodeAccount(7, a.tables(), a.group())),
        "node 0: blocks: expected 1, found 7");
    refuses(
        with(0, a -> new NodeAccount(1, a.tables(), NodeSet.of(0, 2))),
        "node 0: cells: expected 0-1, found 0,2");
    refuses(
        with(2, a -> new NodeAccount(3, new TreeMap<>(), a.group())),
        "node 2: kinds of memory: expected [hugepages-2Mi, memory], found []");
    SortedMap<Integer, NodeAccount> fewer = new TreeMap<>(now().nodes());
    fewer.remove(2);
    refuses(
        new MemoryAssignments(fewer, now().blocks(), now().budgets()),
        "expected NUMA nodes [0, 1, 2], found [0, 1]");
  }

  private static MemoryAssignments holding(MemoryAssignments before, MemoryBlock block) {
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> blocks = new TreeMap<>();
    blocks.put("p", new TreeMap<>(Map.of("app", List.of(block))));
    return new MemoryAssignments(before.nodes(), blocks, before.budgets());
  }

  @Test
  void blocksThatTheMachineCannotHoldAreNamedByPod() {
    refuses(
        holding(now(), new MemoryBlock(NodeSet.of(7), "memory", 1)),
        "pod p: expected a block on nodes among 0-2, found one on 7");
    refuses(
        holding(now(), new MemoryBlock(NodeSet.EMPTY, "memory", 1)),
        "pod p: expected a block on nodes among 0-2, found one on none");
    refuses(
        holding(now(), new MemoryBlock(NodeSet.of(1), "memory", 8 * GIB)),
        "pod p: node 1: expected at most 7516192768 bytes of memory to be left for it, found"
            + " 8589934592");
    refuses(
        holding(now(), new MemoryBlock(NodeSet.of(0, 1), "hugepages-1Gi", GIB)),
        "pod p: nodes 0-1: expected at most 0 bytes of hugepages-1Gi to be left for it, found"
            + " 1073741824");
  }

  /** What is missing is asked for; what is there stays. */
  @Test
  void aPodThatIsNotInTheAccountsIsAdmittedAnew() {
    fill();
    node.remove("reusing");
    Node next = again(now());
    assertThat(admit(next, reusing))
        .isEqualTo("app: memory 1024 on 2, hugepages-2Mi 2 on 2; i: memory 1024 on 2");
    assertThat(admit(next, pod("small", "1Gi"))).isEqualTo("app: memory 1024 on 2");
  }
}
