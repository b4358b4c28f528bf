package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.CpuSet;
import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What becomes of running pods when the rules or the machine change, and why. */
class MigrationTest {
  /** 8 cores of 2 threads: core n has CPUs 2n and 2n + 1. */
  private static final Machine MACHINE = Machines.parse("pack:1 l3:2 core:4 pu:2");

  private static final Configuration ZERO = Configuration.staticPolicy(CpuSet.of(0));

  private final Node node = Node.start(MACHINE, ZERO);
  private final List<Pod> pods = new ArrayList<>();

  private CpuSet admit(String uid, int cpus) {
    return admit(Pod.guaranteed(uid, cpus));
  }

  private CpuSet admit(Pod pod) {
    pods.add(pod);
    assertThat(node.admit(pod)).isInstanceOf(Decision.Granted.class);
    return node.assignments().of(pod.uid());
  }

  private Map<String, Outcome> to(Machine machine, Configuration configuration) {
    Migration migration =
        Migration.plan(Node.builder(machine, configuration), Before.of(node, pods));
    migration
        .node()
        .rules()
        .ifPresent(
            rules -> assertThat(rules.broken(migration.node().assignments(), pods)).isEmpty());
    return migration.outcomes();
  }

  private static Machine without(Machine machine, CpuSet gone) {
    MachineBuilder builder = Machine.builder("smaller");
    machine.cpuList().stream().filter(cpu -> !gone.contains(cpu.id())).forEach(builder::cpu);
    return builder.offline(gone).build();
  }

  private static String told(Map<String, Outcome> outcomes, String uid) {
    return switch (outcomes.get(uid)) {
      case null -> "nobody";
      case Outcome.Kept kept -> "kept " + kept.from().allCpus();
      case Outcome.Moved moved ->
          "moved from "
              + moved.from().allCpus()
              + " to "
              + moved.to().allCpus()
              + ": "
              + moved.why();
      case Outcome.Displaced displaced ->
          "displaced from " + displaced.from().allCpus() + ": " + displaced.why();
    };
  }

  @Test
  void whoeverIsNotTouchedStays() {
    assertThat(admit("one", 2)).hasToString("2-3");
    assertThat(admit("two", 2)).hasToString("4-5");
    Map<String, Outcome> outcomes = to(without(MACHINE, CpuSet.parse("5")), ZERO);
    assertThat(told(outcomes, "one")).isEqualTo("kept 2-3");
    assertThat(told(outcomes, "two")).isEqualTo("moved from 4-5 to 1,4: CPU 5 is offline");
  }

  @Test
  void anotherMachineHasOtherCpus() {
    assertThat(admit("large", 15)).hasToString("1-15");
    assertThat(told(to(Machines.parse("pack:1 core:4 pu:2"), ZERO), "large"))
        .isEqualTo(
            "displaced from 1-15: CPUs 8-15 are not this machine's; no room: Allocate failed"
                + " due to not enough cpus available to satisfy request: requested=15,"
                + " available=7, which is unexpected");
  }

  @Test
  void reservedCpusAreGivenBack() {
    admit("one", 2);
    admit("two", 4);
    Map<String, Outcome> outcomes = to(MACHINE, Configuration.staticPolicy(CpuSet.parse("0-3")));
    assertThat(told(outcomes, "one")).isEqualTo("moved from 2-3 to 8-9: CPUs 2-3 are reserved now");
    assertThat(told(outcomes, "two")).isEqualTo("kept 4-7");
  }

  @Test
  void whoFindsNoRoomRunsOnTheSharedPool() {
    admit("one", 2);
    admit("large", 12);
    Migration migration =
        Migration.plan(
            Node.builder(MACHINE, Configuration.staticPolicy(CpuSet.parse("0-3"))),
            Before.of(node, pods));
    assertThat(told(migration.outcomes(), "large")).isEqualTo("kept 4-15");
    String why =
        "CPUs 2-3 are reserved now; no room: Allocate failed due to not enough cpus"
            + " available to satisfy request: requested=2, available=0, which is unexpected";
    assertThat(told(migration.outcomes(), "one")).isEqualTo("displaced from 2-3: " + why);
    assertThat(migration.displaced()).isEqualTo(Map.of("one", why));
    assertThat(migration.node().shared()).isEqualTo(CpuSet.parse("0-3"));
    assertThat(migration)
        .hasToString(
            "one: "
                + migration.outcomes().get("one")
                + "\nlarge: "
                + migration.outcomes().get("large"));
  }

  /** When the CPUs are back, so are its own. */
  @Test
  void whoWasDisplacedIsGivenCpusAgainWhenThereIsRoom() {
    admit("one", 2);
    Before displaced =
        new Before(new TreeMap<>(), List.of(Pod.guaranteed("one", 2)), Optional.empty(), Set.of());
    Migration back = Migration.plan(Node.builder(MACHINE, ZERO), displaced);
    assertThat(told(back.outcomes(), "one"))
        .isEqualTo("moved from  to 2-3: it is owed more now than it has");
  }

  @Test
  void wholeCoresAreAskedForOnlyWhereTheyWereNotBefore() {
    assertThat(admit("one", 1)).hasToString("1");
    assertThat(admit("two", 2)).hasToString("2-3");
    admit("odd", 3);
    Configuration whole = ZERO.withOption("full-pcpus-only", "true");
    Map<String, Outcome> outcomes = to(MACHINE, whole);
    assertThat(told(outcomes, "one"))
        .isEqualTo(
            "displaced from 1: full-pcpus-only: CPUs 1 are a part of core 0 only; no room: SMT"
                + " Alignment Error: requested 1 cpus not multiple cpus per core = 2");
    assertThat(told(outcomes, "two")).isEqualTo("kept 2-3");
    Before same = new Before(Holding.all(node), pods, Optional.empty(), whole.optionsOn());
    assertThat(told(Migration.plan(Node.builder(MACHINE, whole), same).outcomes(), "one"))
        .isEqualTo("kept 1");
  }

  @Test
  void oneCacheIsAskedForWhereItWasNotBefore() {
    admit("fill", 5);
    assertThat(admit("split", 4)).hasToString("6-9");
    Configuration strict =
        ZERO.with(FeatureGates.DEFAULTS.with(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS, true))
            .withOption("strict-align-cpus-by-uncorecache", "true");
    assertThat(told(to(MACHINE, strict), "split"))
        .isEqualTo(
            "moved from 6-9 to 8-11: strict-align-cpus-by-uncorecache: CPUs 6-9 are not on one L3"
                + " cache");
  }

  @Test
  void policyNoneLeavesNobodyAnything() {
    admit("one", 2);
    pods.add(Pod.of("shared", List.of(new Container("app", Role.APP, Resources.NONE))));
    Map<String, Outcome> outcomes = to(MACHINE, Configuration.DEFAULTS);
    assertThat(told(outcomes, "one"))
        .isEqualTo("displaced from 2-3: policy none gives nobody CPUs of its own");
    assertThat(told(outcomes, "shared")).isEqualTo("kept ");
  }

  @Test
  void unknownHoldersStayOrAreDisplacedAndNeverMoved() {
    admit("one", 2);
    admit("two", 2);
    pods.clear();
    Map<String, Outcome> outcomes = to(without(MACHINE, CpuSet.of(2)), ZERO);
    assertThat(told(outcomes, "one")).isEqualTo("displaced from 2-3: CPU 2 is offline");
    assertThat(told(outcomes, "two")).isEqualTo("kept 4-5");
  }

  @Test
  void whoCameFirstKeepsWhatTwoClaim() {
    SortedMap<String, Holding> both = new TreeMap<>();
    for (String uid : List.of("a", "b")) {
      both.put(
          uid,
          new Holding(
              new TreeMap<>(Map.of("app", CpuSet.parse("2-3"))),
              CpuSet.EMPTY,
              new TreeMap<>(),
              List.of(),
              new TreeMap<>()));
    }
    List<Pod> order = List.of(Pod.guaranteed("b", 2), Pod.guaranteed("a", 2));
    Migration migration =
        Migration.plan(
            Node.builder(MACHINE, ZERO), new Before(both, order, Optional.empty(), Set.of()));
    assertThat(told(migration.outcomes(), "b")).isEqualTo("kept 2-3");
    assertThat(told(migration.outcomes(), "a"))
        .isEqualTo("moved from 2-3 to 4-5: CPUs 2-3 are with pod b");
  }

  @Test
  void aPodThatAsksForAnotherNumberIsAdmittedAnew() {
    admit("one", 2);
    pods.set(0, Pod.guaranteed("one", 4));
    assertThat(told(to(MACHINE, ZERO), "one"))
        .isEqualTo("moved from 2-3 to 2-5: container app is owed 4 CPUs of its own now, and has 2");
  }

  @Test
  void devicesStayWithTheirPodsWhateverBecomesOfThem() {
    node.devices(List.of(Device.of("example.com/gpu", "gpu-0", 0)));
    Map<String, Quantity> amounts =
        Map.of(
            Resources.CPU,
            Quantity.of(2),
            Resources.MEMORY,
            Quantity.of(1),
            "example.com/gpu",
            Quantity.of(1));
    admit(Pod.of("gpu", List.of(new Container("app", Role.APP, Resources.guaranteed(amounts)))));
    Map<String, Outcome> outcomes = to(without(MACHINE, CpuSet.of(2)), ZERO);
    assertThat(told(outcomes, "gpu")).isEqualTo("moved from 2-3 to 1,3: CPU 2 is offline");
    assertThat(outcomes.get("gpu"))
        .extracting(outcome -> outcome.to().devices())
        .hasToString("{app={example.com/gpu=[gpu-0]}}");
  }

  @Test
  void aPodComesOnce() {
    List<Pod> twice = List.of(Pod.guaranteed("a", 1), Pod.guaranteed("a", 1));
    assertThatThrownBy(() -> new Before(new TreeMap<>(), twice, Optional.empty(), Set.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pod a comes twice");
  }
}
