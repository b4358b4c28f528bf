package dev.berth.ledger;

import static dev.berth.ledger.MemoryTrial.admit;
import static dev.berth.ledger.MemoryTrial.aligned;
import static dev.berth.ledger.MemoryTrial.app;
import static dev.berth.ledger.MemoryTrial.budgeted;
import static dev.berth.ledger.MemoryTrial.free;
import static dev.berth.ledger.MemoryTrial.init;
import static dev.berth.ledger.MemoryTrial.machine;
import static dev.berth.ledger.MemoryTrial.shown;
import static dev.berth.ledger.MemoryTrial.sidecar;
import static dev.berth.ledger.MemoryTrial.withBudgets;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machine;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** KEP-5526: pods with a budget of their own, placed as a whole and split among containers. */
class BudgetTest {
  private static final Container SHARING = new Container("sharing", Role.APP, Resources.NONE);

  private final Machine machine = machine(8, Map.of(2048L, 512L), 9, 9);
  private final Configuration configuration =
      withBudgets(aligned(machine, Policy.BEST_EFFORT, Scope.POD));
  private final Node node = Node.start(machine, configuration);

  private String budgetOf(String pod) {
    return shown(node.memoryAssignments().orElseThrow().budgets().getOrDefault(pod, List.of()));
  }

  @Test
  void whatContainersDoNotAskForByThemselvesIsShared() {
    Pod pod =
        budgeted(
            "p",
            "cpu 6, memory 6Gi",
            init("first", "cpu 6, memory 6Gi"),
            sidecar("side", "cpu 1, memory 1Gi"),
            app("own", "cpu 2, memory 2Gi"),
            SHARING,
            new Container("other", Role.APP, Resources.NONE));
    assertThat(admit(node, pod))
        .isEqualTo(
            "first: memory 6144 on 0; other: memory 3072 on 0; own: memory 2048 on 0; sharing:"
                + " memory 3072 on 0; side: memory 1024 on 0");
    assertThat(budgetOf("p")).isEqualTo("memory 6144 on 0");
    assertThat(free(node, "memory")).containsExactly(1024L, 7 * 1024L);
    assertThat(node.assignments().budgets()).hasToString("{p=1-6}");
    assertThat(node.assignments().exclusive())
        .hasToString("{p={first=1-6, other=4-6, own=2-3, sharing=4-6, side=1}}");
    node.remove("p");
    assertThat(node.memoryAssignments())
        .isEqualTo(Node.start(machine, configuration).memoryAssignments());
  }

  @Test
  void withoutTheGateTheyGetNothingOfTheirOwn() {
    Node plain = Node.start(machine, aligned(machine, Policy.BEST_EFFORT, Scope.POD));
    assertThat(admit(plain, budgeted("p", "cpu 6, memory 6Gi", SHARING))).isEmpty();
    assertThat(free(plain, "memory")).containsExactly(7 * 1024L, 7 * 1024L);
    assertThat(plain.assignments().exclusive()).isEmpty();
  }

  /** Upstream writes such pages down and counts them nowhere, so it promises them to everybody. */
  @Test
  void hugepagesBeyondABudgetAreNotPromisedTwice() {
    String own = "cpu 1, memory 512Mi, hugepages-2Mi 768Mi";
    Pod first = budgeted("p", "cpu 2, memory 1Gi", app("own", own));
    Pod second = budgeted("q", "cpu 2, memory 1Gi", app("own", own));
    assertThat(admit(node, first)).isEqualTo("own: memory 512 on 0, hugepages-2Mi 768 on 0");
    MemoryAssignments one = node.memoryAssignments().orElseThrow();
    String refusal =
        "UnexpectedAdmissionError: Allocate failed due to [memorymanager] not enough hugepages-2Mi"
            + " beyond the pod's budget, which is unexpected";
    assertThat(admit(node, second)).isEqualTo(refusal);
    assertThat(node.memoryAssignments()).hasValue(one);
    Node restarted = Node.start(machine, configuration, node.assignments(), one);
    assertThat(admit(restarted, second)).isEqualTo(refusal);
    node.remove("p");
    assertThat(admit(node, second)).isEqualTo("own: memory 512 on 0, hugepages-2Mi 768 on 0");
  }

  @Test
  void noCpusLeftToShareIsRefused() {
    Pod pod = budgeted("p", "cpu 6, memory 6Gi", app("own", "cpu 6, memory 2Gi"), SHARING);
    assertThat(admit(node, pod))
        .isEqualTo(
            "EmptyPodSharedPoolError: pod rejected, sum of exclusive container cpu requests"
                + " equals pod budget, leaving no cpus for shared containers");
    nothingIsKept();
  }

  @Test
  void noMemoryLeftToShareIsRefused() {
    Pod pod = budgeted("p", "cpu 6, memory 6Gi", app("own", "cpu 2, memory 6Gi"), SHARING);
    assertThat(admit(node, pod))
        .isEqualTo(
            "EmptyPodSharedPoolError: pod rejected, sum of exclusive container memory requests"
                + " equals pod budget, leaving no memory for shared containers");
    nothingIsKept();
  }

  @Test
  void nothingLeftForAnInitContainerThatSharesIsRefused() {
    Container late = new Container("late", Role.INIT, Resources.NONE);
    assertThat(
            admit(
                node,
                budgeted(
                    "p",
                    "cpu 6, memory 6Gi",
                    sidecar("side", "cpu 6, memory 2Gi"),
                    late,
                    app("own", "cpu 1, memory 1Gi"))))
        .isEqualTo(
            "EmptyPodSharedPoolError: pod rejected, pod has shared init containers but no cpus"
                + " available for them");
    assertThat(
            admit(
                node,
                budgeted(
                    "q",
                    "cpu 6, memory 6Gi",
                    sidecar("side", "cpu 1, memory 6Gi"),
                    late,
                    app("own", "cpu 1, memory 1Gi"))))
        .isEqualTo(
            "EmptyPodSharedPoolError: pod rejected, pod has shared init containers but no memory"
                + " available for them");
    nothingIsKept();
  }

  /** Before anything is split: the offers say that it cannot be given. */
  @Test
  void aPolicyThatRefusesRefusesAnEmptySharedPartFirst() {
    Node strict = Node.start(machine, withBudgets(aligned(machine, Policy.RESTRICTED, Scope.POD)));
    Pod pod = budgeted("p", "cpu 6, memory 6Gi", app("own", "cpu 6, memory 2Gi"), SHARING);
    assertThat(admit(strict, pod))
        .isEqualTo(
            "TopologyAffinityError: Pod Scope pod with pod-level resources failed admission under"
                + " pod-scope topology manager");
  }

  private void nothingIsKept() {
    Node empty = Node.start(machine, configuration);
    assertThat(node.memoryAssignments()).isEqualTo(empty.memoryAssignments());
    assertThat(node.assignments()).isEqualTo(empty.assignments());
  }

  /**
   * A deviation: when running pods are admitted again after a restart, Kubernetes counts the memory
   * of such a pod a second time.
   */
  @Test
  void afterARestartTheBudgetIsCountedOnce() {
    Pod pod = budgeted("p", "cpu 6, memory 5Gi", app("own", "cpu 2, memory 2Gi"), SHARING);
    admit(node, pod);
    MemoryAssignments memory = node.memoryAssignments().orElseThrow();
    Node next = Node.start(machine, configuration, node.assignments(), memory);
    for (int i = 0; i < 3; i++) {
      assertThat(next.admit(pod)).isInstanceOf(Decision.Granted.class);
      assertThat(next.memoryAssignments()).contains(memory);
      assertThat(next.assignments()).isEqualTo(node.assignments());
    }
    next.remove("p");
    assertThat(free(next, "memory")).containsExactly(7 * 1024L, 7 * 1024L);
  }

  /**
   * A deviation: Kubernetes subtracts the hugepages that one container asks for from a budget that
   * has none, and what the others share then has a size just below 2^64. Here the container's own
   * part is the same, what is shared has no hugepages, and the accounts know the budget alone.
   */
  @Test
  void hugepagesThatTheBudgetDoesNotHaveNeverGoBelowNothing() {
    Pod pod =
        budgeted(
            "p", "cpu 6, memory 6Gi", app("own", "cpu 2, memory 2Gi, hugepages-2Mi 64Mi"), SHARING);
    assertThat(admit(node, pod))
        .isEqualTo("own: memory 2048 on 0, hugepages-2Mi 64 on 0; sharing: memory 4096 on 0");
    assertThat(budgetOf("p")).isEqualTo("memory 6144 on 0");
    assertThat(free(node, "hugepages-2Mi")).containsExactly(1024L, 1024L);
    MemoryAssignments memory = node.memoryAssignments().orElseThrow();
    Node next = Node.start(machine, configuration, node.assignments(), memory);
    assertThat(next.memoryAssignments()).contains(memory);
    next.remove("p");
    assertThat(free(next, "memory")).containsExactly(7 * 1024L, 7 * 1024L);
  }

  /** Where containers are placed one by one, a budget has no meaning; those that ask get theirs. */
  @Test
  void inContainerScopeOnlyWhatContainersAskForCounts() {
    Node single =
        Node.start(machine, withBudgets(aligned(machine, Policy.BEST_EFFORT, Scope.CONTAINER)));
    Pod pod = budgeted("p", "cpu 6, memory 6Gi", app("own", "cpu 2, memory 2Gi"));
    assertThat(admit(single, pod)).isEqualTo("own: memory 2048 on 0");
    assertThat(single.memoryAssignments().orElseThrow().budgets()).isEmpty();
  }
}
