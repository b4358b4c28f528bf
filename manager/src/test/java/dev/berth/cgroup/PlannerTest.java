package dev.berth.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import java.util.EnumSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final Settings OUTSIDE =
      Settings.NONE.withCpus(CpuSet.range(0, 7)).withMems(NodeSet.of(0, 1));
  private static final GroupPath A = GroupPath.of("a");
  private static final GroupPath B = GroupPath.of("b");

  private final SortedMap<GroupPath, Present> current = new TreeMap<>();
  private final SortedMap<GroupPath, Settings> wanted = new TreeMap<>();

  private void has(GroupPath group, String cpus) {
    current.put(
        group,
        new Present(
            EnumSet.of(Controller.CPUSET),
            Settings.NONE.withCpus(CpuSet.parse(cpus)).withMems(NodeSet.of(0, 1))));
  }

  private void wants(GroupPath group, String cpus) {
    wanted.put(group, Settings.NONE.withCpus(CpuSet.parse(cpus)).withExclusive());
  }

  private void shares(GroupPath group, String cpus) {
    wanted.put(group, Settings.NONE.withCpus(CpuSet.parse(cpus)));
  }

  private List<String> plan() {
    return Planner.plan(new Shape(current, wanted, OUTSIDE, Settings.NONE)).stream()
        .map(PlannerTest::shown)
        .toList();
  }

  private static String shown(Step step) {
    return switch (step) {
      case Step.Make make -> "make " + make.group();
      case Step.Write write when write.value() instanceof Setting.Cpus(CpuSet cpus) ->
          write.group() + " " + cpus;
      case Step.Write write -> write.group() + " " + write.value();
      case Step.Refuse refuse -> "refuse " + refuse.group();
    };
  }

  @Test
  void nothingIsDoneWhereNothingDiffers() {
    has(GroupPath.OWN, "0-7");
    has(A, "1-2");
    wants(A, "1-2");
    assertThat(plan()).isEmpty();
  }

  @Test
  void aCpuIsTakenBeforeItIsGiven() {
    has(GroupPath.OWN, "0-7");
    has(A, "1");
    has(B, "2-3");
    wants(A, "1-2");
    wants(B, "3");
    assertThat(plan()).containsExactly("b 3", "a 1-2");
  }

  @Test
  void aNewGroupIsMadeAfterOthersGaveUpAndHasItsParentsNodes() {
    has(GroupPath.OWN, "0-7");
    has(B, "2-3");
    wants(A, "2");
    wants(B, "3");
    assertThat(plan()).containsExactly("b 3", "make a", "a 2", "a Mems[mems=0-1]");
  }

  @Test
  void nestedGroupsShrinkFromTheLeavesUpAndGrowFromTheTopDown() {
    GroupPath leaf = A.child("x");
    has(GroupPath.OWN, "0-7");
    has(A, "1-4");
    has(leaf, "1-4");
    wants(A, "1-2");
    wants(leaf, "1-2");
    assertThat(plan()).containsExactly("a/x 1-2", "a 1-2");
    wants(A, "1-6");
    wants(leaf, "1-6");
    assertThat(plan()).containsExactly("a 1-6", "a/x 1-6");
  }

  @Test
  void aSetThatMovesTakesItsAncestorsAlong() {
    GroupPath leaf = A.child("x");
    has(GroupPath.OWN, "0-7");
    has(A, "1-2");
    has(leaf, "1-2");
    wants(A, "3-4");
    wants(leaf, "3-4");
    assertThat(plan()).containsExactly("a 1-4", "a/x 3-4", "a 3-4");
  }

  @Test
  void groupsThatTradeCpusUseAFreeOneInBetween() {
    has(GroupPath.OWN, "0-7");
    has(A, "1");
    has(B, "2");
    wants(A, "2");
    wants(B, "1");
    assertThat(plan()).containsExactly("a 0", "b 1", "a 2");
  }

  @Test
  void aChainOfMovesIsDoneFromItsFreeEnd() {
    has(GroupPath.OWN, "0-7");
    has(A, "1");
    has(B, "2");
    wants(A, "2");
    wants(B, "3");
    assertThat(plan()).containsExactly("b 3", "a 2");
  }

  @Test
  void withoutCpusOrNodesNoCpusetIsTouched() {
    has(GroupPath.OWN, "0-7");
    wanted.put(A, Settings.NONE.withWeight(5));
    assertThat(plan()).containsExactly("make .", "make a", "a Weight[shares=5]");
  }

  @Test
  void aPartitionWhoseCpusMovedIsEnteredAgain() {
    Settings isolated = Settings.NONE.withPartition(Partition.ISOLATED);
    has(GroupPath.OWN, "0-7");
    has(A, "1-2");
    current.computeIfPresent(
        A, (group, present) -> present.with(new Setting.Parted(Partition.ISOLATED)));
    has(B, "0,3-7");
    wanted.put(A, isolated.withCpus(CpuSet.parse("1,3")));
    wants(B, "0,2,4-7");
    assertThat(plan())
        .containsExactly("a 1", "b 0,4-7", "a 1,3", "b 0,2,4-7", "a Parted[partition=ISOLATED]");
    wanted.put(A, isolated.withCpus(CpuSet.parse("1-2")));
    wants(B, "0,3-7");
    assertThat(plan()).isEmpty();
  }

  @Test
  void moreThanTheParentIsToHaveIsRefusedBeforeAnythingIsDone() {
    wants(A, "1-2");
    wants(A.child("x"), "2-3");
    assertThatThrownBy(this::plan)
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("cgroup a/x: expected a part of its parent's 1-2, found 2-3");
  }

  @Test
  void aRingThroughWhatIsReservedIsResolvedThere() {
    has(GroupPath.OWN, "0-1");
    has(A, "0");
    has(B, "1");
    shares(A, "1");
    wants(B, "0");
    assertThat(plan()).containsExactly("b 0", "a 1");
  }

  @Test
  void aRingOfExclusiveOwnersOnAFullMachineGoesThroughTheSharedPool() {
    GroupPath pool = GroupPath.of("pool");
    has(GroupPath.OWN, "0-2");
    has(A, "1");
    has(B, "2");
    has(pool, "0");
    wants(A, "2");
    wants(B, "1");
    shares(pool, "0");
    assertThat(plan()).containsExactly("a 0", "b 1", "a 2");
  }

  @Test
  void oneOfARingGivesUpWhatOthersWaitForBeforeItStepsAside() {
    has(GroupPath.OWN, "0-3");
    has(A, "0-1");
    has(B, "2-3");
    wants(A, "2");
    wants(B, "1");
    assertThat(plan()).containsExactly("a 0", "b 1", "a 2");
  }

  @Test
  void aRingStaysWhereEveryCpuIsExclusive() {
    has(GroupPath.OWN, "0-1");
    has(A, "0");
    has(B, "1");
    wants(A, "1");
    wants(B, "0");
    assertThat(plan()).containsExactly("refuse a", "refuse b");
  }
}
