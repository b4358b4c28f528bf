package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.CpuSet;
import dev.berth.hints.Reason;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.testing.Regular;
import dev.berth.testing.Trial;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** strict-align-cpus-by-uncorecache: the strict form that KEP-4800 left for later. */
class StrictCacheTest {
  /** Four caches of 8 cores; 0-1 reserved. */
  private static final Machine MACHINE = Regular.machine(1, 1, 4, 8, 1);

  private static final Configuration STRICT =
      Configuration.staticPolicy(CpuSet.range(0, 1))
          .withOption("strict-align-cpus-by-uncorecache", "true");

  @Test
  void whileThereIsRoomItIsAsThePreference() {
    Configuration preferred =
        Configuration.staticPolicy(CpuSet.range(0, 1))
            .withOption("prefer-align-cpus-by-uncorecache", "true");
    assertThat(Trial.admit(MACHINE, STRICT, 10, 8, 6))
        .isEqualTo(Trial.admit(MACHINE, preferred, 10, 8, 6));
  }

  /** Four pods of 5 leave 10 CPUs, but no cache more than 3 of them. */
  @Test
  void refusesRatherThanSplits() {
    Node node = Node.start(MACHINE, STRICT);
    assertThat(Trial.admit(node, 5, 5, 5, 5)).containsExactly("2-6", "8-12", "16-20", "24-28");
    Assignments before = node.assignments();
    assertThat(node.assignable().size()).isEqualTo(10);
    assertThat(node.admit(Pod.guaranteed("late", 4)))
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            refused -> {
              assertThat(refused.reason().kubernetesName()).isEqualTo("UncoreCacheAlignmentError");
              assertThat(refused.message())
                  .isEqualTo(
                      "Uncore Cache Alignment Error: requested 4 cpus would be split: the most that"
                          + " one cache has free = 3");
              assertThat(refused.why().lines())
                  .contains("refused: UncoreCacheAlignmentError: " + refused.message())
                  .contains("  fits with 3 CPUs instead of 4");
            });
    assertThat(node.assignments()).isEqualTo(before);
    assertThat(node.admit(Pod.guaranteed("small", 3))).isInstanceOf(Decision.Granted.class);
  }

  @Test
  void requestsBeyondOneCacheAreStillLetIn() {
    assertThat(Trial.admit(MACHINE, STRICT, 9, 9, 12))
        .as("none of them can be under one cache")
        .doesNotContain("UncoreCacheAlignmentError", "UnexpectedAdmissionError");
  }

  /** An odd request on two threads a core, which the preference would have split. */
  @Test
  void findsACacheThatThePreferenceWouldHaveMissed() {
    Machine machine = Regular.machine(1, 1, 2, 4, 2);
    Node node =
        Node.start(
            machine,
            Configuration.staticPolicy(CpuSet.parse("0-2,8-10"))
                .withOption("strict-align-cpus-by-uncorecache", "true"));
    assertThat(Trial.admit(node, 3, 3, 3))
        .containsExactly("4-5,12", "6,13-14", "UncoreCacheAlignmentError");
  }

  @Test
  void withOneCacheASocketItHasNoEffectAndThatIsSaid() {
    Machine machine = Regular.machine(2, 1, 1, 4, 2);
    Configuration plain = Configuration.staticPolicy(CpuSet.range(0, 1));
    assertThat(Trial.admit(machine, STRICT, 3, 3, 5, 2))
        .isEqualTo(Trial.admit(machine, plain, 3, 3, 5, 2));
    assertThat(Node.start(machine, STRICT).notes())
        .containsExactly(
            "strict-align-cpus-by-uncorecache has no effect on this machine: every socket has one"
                + " L3 cache");
  }

  /** CPUs 8 and 1 are beside reserved ones: with whole cores only, they are nobody's. */
  @Test
  void wholeCoresStayWhole() {
    Machine machine = Regular.machine(1, 1, 2, 4, 2);
    Configuration whole =
        Configuration.staticPolicy(CpuSet.of(0, 9))
            .withOption("strict-align-cpus-by-uncorecache", "true")
            .withOption("full-pcpus-only", "true");
    assertThat(Trial.admit(machine, whole, 6, 6, 4))
        .containsExactly("4-6,12-14", "UncoreCacheAlignmentError", "2-3,10-11");
  }

  private static final Machine EPYC = Machines.named("epyc-9654-2p-nps4");

  private static Configuration strictly(Policy policy, Scope scope) {
    return Configuration.staticPolicy(CpuSet.of(0))
        .withOption("strict-align-cpus-by-uncorecache", "true")
        .with(new TopologySettings(policy, scope, Map.of()));
  }

  /** Each node has three caches of 16 CPUs; after three pods of 10 none of node 0 has 8 free. */
  @ParameterizedTest
  @EnumSource(value = Policy.class, mode = Mode.EXCLUDE, names = "NONE")
  void goesToAnotherNodeWhereTheCachesOfTheLowestHaveNoRoom(Policy policy) {
    for (Scope scope : Scope.values()) {
      assertThat(Trial.admit(Node.start(EPYC, strictly(policy, scope)), 10, 10, 10, 8))
          .containsExactly("8-12,200-204", "16-20,208-212", "1-5,193-197", "24-27,216-219");
    }
  }

  /** Under each policy the reason is that caches have no room, and how much the best has. */
  @ParameterizedTest
  @EnumSource(Policy.class)
  void whereNoCacheHasRoomThatIsTheReason(Policy policy) {
    Machine machine = Regular.machine(2, 1, 2, 4, 1);
    for (Scope scope : Scope.values()) {
      Node node = Node.start(machine, strictly(policy, scope));
      assertThat(Trial.admit(node, 3, 3, 3, 3)).doesNotContain("UncoreCacheAlignmentError");
      assertThat(node.admit(Pod.guaranteed("late", 2)))
          .isInstanceOfSatisfying(
              Decision.Refused.class,
              refused ->
                  assertThat(refused.message())
                      .isEqualTo(
                          "Uncore Cache Alignment Error: requested 2 cpus would be split: the most"
                              + " that one cache has free = 1"));
    }
  }

  private static Container app(String name, int cpus) {
    return container(name, Role.APP, cpus);
  }

  private static Container container(String name, Role role, int cpus) {
    return new Container(
        name,
        role,
        Resources.guaranteed(
            Map.of(Resources.CPU, Quantity.of(cpus), Resources.MEMORY, Quantity.of(1 << 20))));
  }

  /** Two containers of 3 need two caches of one node; node 0 has one left, and 5 CPUs free. */
  @Test
  void inPodScopeEveryContainerFindsACacheOnTheAgreedNodes() {
    Machine machine = Regular.machine(2, 1, 2, 4, 1);
    Node node = Node.start(machine, strictly(Policy.SINGLE_NUMA_NODE, Scope.POD));
    assertThat(Trial.admit(node, 2)).containsExactly("1-2");
    assertThat(node.admit(Pod.of("two", List.of(app("a", 3), app("b", 3)))))
        .isInstanceOfSatisfying(
            Decision.Granted.class,
            granted ->
                assertThat(granted.cpus())
                    .containsEntry("a", CpuSet.parse("8-10"))
                    .containsEntry("b", CpuSet.parse("12-14")));
  }

  /** Each node has one cache with room for 3, and the pod needs two on one node. */
  @Test
  void aPodWhoseCachesAreOnTwoNodesIsRefusedForItsTopologyOnlyWhereOneNodeIsAsked() {
    Machine machine = Regular.machine(2, 1, 2, 4, 1);
    Pod two = Pod.of("two", List.of(app("a", 3), app("b", 3)));
    Node single = Node.start(machine, strictly(Policy.SINGLE_NUMA_NODE, Scope.POD));
    Node effort = Node.start(machine, strictly(Policy.BEST_EFFORT, Scope.POD));
    assertThat(Trial.admit(single, 4, 4)).containsExactly("4-7", "8-11");
    assertThat(Trial.admit(effort, 4, 4)).containsExactly("4-7", "8-11");
    assertThat(single.admit(two))
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.TOPOLOGY_AFFINITY));
    assertThat(effort.admit(two))
        .isInstanceOfSatisfying(
            Decision.Granted.class,
            granted ->
                assertThat(granted.cpus())
                    .containsEntry("a", CpuSet.parse("1-3"))
                    .containsEntry("b", CpuSet.parse("12-14")));
  }

  /** The init container's CPUs on node 0 must be used again, and node 0 has no cache with room. */
  @Test
  void whatAnInitContainerLeftIsOfferedTogetherWithANodeThatHasRoom() {
    Machine machine = Regular.machine(2, 1, 2, 4, 1);
    Node node = Node.start(machine, strictly(Policy.BEST_EFFORT, Scope.CONTAINER));
    assertThat(Trial.admit(node, 3)).containsExactly("1-3");
    assertThat(
            node.admit(
                Pod.of("pod", List.of(container("init", Role.INIT, 2), app("a", 3), app("b", 3)))))
        .isInstanceOf(Decision.Granted.class);
  }

  /** With a budget the pod as a whole has one cache, so each of its containers has. */
  @Test
  void aBudgetThatFitsOneCacheHasOne() {
    Machine machine = Regular.machine(1, 1, 2, 4, 1);
    Node node =
        Node.start(
            machine,
            strictly(Policy.RESTRICTED, Scope.POD)
                .with(
                    FeatureGates.DEFAULTS
                        .with(Gate.POD_LEVEL_RESOURCE_MANAGERS, true)
                        .with(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS, true)));
    assertThat(Trial.admit(node, 2)).containsExactly("1-2");
    Pod whole =
        Pod.of("whole", List.of(app("a", 2), app("b", 1)), Optional.of(app("x", 4).resources()));
    assertThat(node.admit(whole)).isInstanceOf(Decision.Granted.class);
    assertThat(node.assignments().budgets()).containsEntry("whole", CpuSet.parse("4-7"));
  }
}
