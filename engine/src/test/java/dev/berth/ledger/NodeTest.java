package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.testing.Regular;
import dev.berth.testing.Trial;
import dev.berth.topology.Machine;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeTest {
  private static final Machine MACHINE = Regular.machine(1, 1, 2, 2, 2);
  private static final Configuration STATIC = Configuration.staticPolicy(Quantity.of(1));

  private static Assignments assignments(String shared, Map<String, CpuSet> containers) {
    return Assignments.of(CpuPolicy.STATIC, CpuSet.parse(shared), Map.of("p", containers));
  }

  @Test
  void startsWhereAnotherLeftOff() {
    Node node = Node.start(MACHINE, STATIC);
    assertThat(Trial.admit(node, 2, 3)).containsExactly("1,5", "2,4,6");
    Node again = Node.start(MACHINE, STATIC, node.assignments());
    assertThat(again.assignments()).isEqualTo(node.assignments());
    assertThat(again.cpusOf("pod-2", "app")).contains(CpuSet.parse("2,4,6"));
    again.remove("pod-2");
    assertThat(again.shared()).isEqualTo(CpuSet.parse("0,2-4,6-7"));
  }

  @Test
  void reservesTheLowestCpuWhateverTheOptionsPrefer() {
    Configuration lowest = STATIC.with(new Reservation.LowestCpu());
    assertThat(Node.start(MACHINE, lowest).reserved()).isEqualTo(CpuSet.of(0));
    Machine withoutFirst = Machine.builder("x").cpu(3, 1, 0, 0, 0).cpu(2, 0, 0, 0, 0).build();
    assertThat(Node.start(withoutFirst, lowest).reserved()).isEqualTo(CpuSet.of(2));
  }

  @Test
  void startsAfreshFromAssignmentsThatHoldNothing() {
    Assignments nothing = Assignments.of(CpuPolicy.STATIC, CpuSet.EMPTY, Map.of());
    assertThat(Node.start(MACHINE, STATIC, nothing).shared()).isEqualTo(MACHINE.cpus());
  }

  /** Options decide on new pods; a pod that runs keeps what it has, also across a restart. */
  @Test
  void aRunningPodIsKeptThoughTodaysOptionsWouldRefuseIt() {
    Node node = Node.start(MACHINE, STATIC);
    assertThat(Trial.admit(node, 3)).containsExactly("1,4-5");
    Configuration wholeCores = STATIC.withOption("full-pcpus-only", "true");
    Node stricter = Node.start(MACHINE, wholeCores, node.assignments());
    assertThat(Trial.admit(stricter, 3, 3)).containsExactly("1,4-5", "SMTAlignmentError");
    assertThat(stricter.assignments()).isEqualTo(node.assignments());
  }

  @Test
  void refusesAssignmentsThatBreakARule() {
    assertThatThrownBy(() ->
            Node.start(MACHINE, STATIC, assignments("0,2-7", Map.of("app", CpuSet.parse("1-2")))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("assignments: expected all rules to hold, found pod p has shared CPUs: 2");
    assertThatThrownBy(() ->
            Node.start(MACHINE, STATIC, assignments("0,2-9", Map.of("app", CpuSet.parse("1")))))
        .hasMessageContaining("foreign: not this machine's to give: 8-9");
  }

  @Test
  void refusesAssignmentsOfAnotherPolicy() {
    Assignments none = Assignments.of(CpuPolicy.NONE, CpuSet.EMPTY, Map.of());
    assertThatThrownBy(() -> Node.start(MACHINE, STATIC, none))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("assignments: expected those of policy static, found those of none");
  }

  @Test
  void refusesAPolicyThatIsNone() {
    assertThatThrownBy(() -> CpuPolicy.named("dynamic"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("cpuManagerPolicy: expected none or static, found \"dynamic\"");
  }

  @Test
  void alignBySocketNeedsSocketsNoWiderThanNodes() {
    Machine wideNode = Machine.builder("nps0").cpu(0, 0, 0, 0, 0).cpu(1, 1, 1, 0, 1).build();
    Configuration bySocket =
        STATIC
            .with(FeatureGates.DEFAULTS.with(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS, true))
            .withOption("align-by-socket", "true");
    assertThatThrownBy(() -> Node.start(wideNode, bySocket))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "cpuManagerPolicyOptions: align-by-socket: expected at least as many NUMA nodes as"
                + " sockets, found 1 and 2");
  }

  @Test
  void optionsWithoutEffectAreSaidOnce() {
    Machine plain = Regular.machine(1, 1, 1, 4, 1);
    Configuration many =
        STATIC
            .with(FeatureGates.DEFAULTS.with(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS, true))
            .withOption("full-pcpus-only", "true")
            .withOption("distribute-cpus-across-numa", "true")
            .withOption("align-by-socket", "true")
            .withOption("strict-cpu-reservation", "true");
    Node node = Node.start(plain, many);
    assertThat(Trial.admit(node, 1, 1)).hasSize(2);
    assertThat(node.notes())
        .containsExactly(
            "full-pcpus-only has no effect on this machine: every core has one CPU",
            "distribute-cpus-across-numa has no effect on this machine: there is one NUMA node",
            "align-by-socket has no effect on this machine: every socket is one NUMA node");
    assertThat(Node.start(plain, STATIC).notes()).isEmpty();
  }

  @Test
  void tellsItsMachinesNotesToo() {
    Machine told =
        Machine.builder("m").cpu(0, 0, 0, 0, 0).cpu(1, 1, 0, 0, 0).note("a hole").build();
    assertThat(Node.start(told, STATIC).notes()).containsExactly("a hole");
  }

  /** A pod is known by its uid; under another spec it may keep or lose CPUs, but none is lost. */
  @Test
  void anotherSpecUnderTheSameUidLosesNoCpu() {
    Node node = Node.start(Regular.machine(1, 1, 1, 8, 1), STATIC);
    assertThat(Trial.admit(node, 3)).containsExactly("1-3");
    var amounts = Map.of("cpu", Quantity.of(2), "memory", Quantity.of(1));
    var other = new Container("other", Container.Role.APP, Resources.guaranteed(amounts));
    node.admit(Pod.of("pod-1", List.of(other)));
    assertThat(node.rules().orElseThrow().broken(node.assignments(), List.of())).isEmpty();
  }

  @Test
  void theGateOfBestFitIsSaidToHaveNoEffectWhereverASocketHasOneCache() {
    FeatureGates gate = FeatureGates.DEFAULTS.with(Gate.CPU_MANAGER_UNCORE_CACHE_ALIGN, true);
    assertThat(Node.start(Regular.machine(2, 1, 1, 4, 2), STATIC.with(gate)).notes())
        .containsExactly(
            "CPUManagerUncoreCacheAlign has no effect on this machine: every socket has one L3"
                + " cache");
  }
}
