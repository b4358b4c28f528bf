package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.testing.Regular;
import dev.berth.testing.Trial;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Golden text. The machine: one socket, two caches of four cores with two threads. */
class ExplanationTest {
  private final Node node =
      Node.start(
          Regular.machine(1, 1, 2, 4, 2),
          Configuration.staticPolicy(Quantity.of(2))
              .withOption("prefer-align-cpus-by-uncorecache", "true"));

  @Test
  void aGrantTellsWhatWasLookedAtTakenAndPassedOver() {
    assertThat(Trial.admit(node, 4)).containsExactly("1-2,9-10");
    assertThat(node.admit(Pod.guaranteed("b", 5)).why())
        .hasToString(
            """
            container app asks for 5 CPUs; assignable are 10: 3-7,11-15
              whole NUMA nodes: 5 CPUs are needed
                looked at NUMA node (free/all) 0 (10/16)
                passed over NUMA node 0 (10 of 16 free): larger than what is needed
              whole sockets: 5 CPUs are needed
                looked at socket (free/all) 0 (10/16)
                passed over socket 0 (10 of 16 free): larger than what is needed
              L3 caches, first fit: 5 CPUs are needed
                looked at L3 cache (free/all) 0 (2/8), 1 (8/8)
                passed over L3 cache 0 (2 of 8 free): its cores do not give just what is needed
                took 4-6,12-13 of L3 cache 1; that is all\
            """);
  }

  @Test
  void aRefusalTellsWhoHoldsWhatAndWhatWouldFit() {
    assertThat(Trial.admit(node, 4, 5)).containsExactly("1-2,9-10", "4-6,12-13");
    assertThat(node.admit(Pod.guaranteed("late", 9)).why())
        .hasToString(
            """
            container app asks for 9 CPUs; assignable are 5: 3,7,11,14-15
            refused: UnexpectedAdmissionError: Allocate failed due to not enough cpus available to \
            satisfy request: requested=9, available=5, which is unexpected
              assignable 5 (3,7,11,14-15), reserved 2 (0,8)
              pod pod-2 holds 5: 4-6,12-13
              pod pod-1 holds 4: 1-2,9-10
              assignable by L3 cache: 3 of 8 on 1, 2 of 8 on 0
              fits if pod pod-1 or pod-2 leaves
              fits with 5 CPUs instead of 9\
            """);
  }

  @Test
  void whereNoCpuCanBeGivenThatIsSaidPlainly() {
    Node reserved =
        Node.start(Regular.machine(1, 1, 1, 2, 1), Configuration.staticPolicy(CpuSet.of(0, 1)));
    assertThat(reserved.admit(Pod.guaranteed("late", 1)).why().lines())
        .startsWith("container app asks for 1 CPU; no CPU is assignable")
        .contains("  no CPU is assignable: all 2 are reserved")
        .noneMatch(line -> line.contains("assignable are") || line.contains("assignable by"));

    assertThat(Trial.admit(node, 14)).hasSize(1);
    assertThat(node.admit(Pod.guaranteed("late", 1)).why().lines())
        .startsWith("container app asks for 1 CPU; no CPU is assignable")
        .contains(
            "  no CPU is assignable: the others are held; reserved 2 (0,8)",
            "  pod pod-1 holds 14: 1-7,9-15");
  }

  @Test
  void sharedContainersAreToldWhy() {
    var part = Map.of("cpu", Quantity.parse("0.5"), "memory", Quantity.of(1));
    var app = new Container("app", Role.APP, Resources.guaranteed(part));
    assertThat(node.admit(Pod.of("p", List.of(app))).why().lines())
        .containsExactly(
            "container app runs on the shared pool: its CPU request is not a whole number");
    var nothing = new Container("app", Role.APP, Resources.NONE);
    assertThat(node.admit(Pod.of("q", List.of(nothing))).why().lines())
        .containsExactly("container app runs on the shared pool: its pod is BestEffort");
  }

  @Test
  void whatIsUsedAgainAndWhatIsKeptIsTold() {
    var amounts = Map.of("cpu", Quantity.of(14), "memory", Quantity.of(1));
    var init = new Container("init", Role.INIT, Resources.guaranteed(amounts));
    var app = new Container("app", Role.APP, Resources.guaranteed(amounts));
    Pod pod = Pod.of("p", List.of(init, app));
    assertThat(node.admit(pod).why().lines())
        .contains(
            "container app asks for 14 CPUs; assignable are 14: 1-7,9-15, 1-7,9-15 of them again"
                + " after init containers");
    assertThat(node.admit(pod).why().lines())
        .containsExactly("pod p is in already and keeps what it has");
  }

  @Test
  void policyNoneSaysSo() {
    assertThat(
            Node.start(Regular.machine(1, 1, 1, 1, 1), Configuration.DEFAULTS)
                .admit(Pod.guaranteed("p", 2))
                .why()
                .lines())
        .containsExactly("policy none: every container runs where the kernel likes");
  }

  /** An explanation is the decision taken once more, as things were then. */
  @Test
  void staysTrueWhateverHappensLater() {
    Decision decision = node.admit(Pod.guaranteed("p", 4));
    String before = decision.why().toString();
    assertThat(Trial.admit(node, 2, 2)).hasSize(2);
    node.remove("p");
    assertThat(decision.why()).hasToString(before);
    assertThat(before).contains("took 1-2,9-10 of L3 cache 0; that is all");
    assertThat(node.cpusOf("p", "app")).isEmpty();
    assertThat(node.exclusive()).isNotEqualTo(CpuSet.EMPTY);
  }
}
