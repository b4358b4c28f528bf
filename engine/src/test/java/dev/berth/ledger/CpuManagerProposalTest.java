package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.testing.Regular;
import dev.berth.testing.Trial;
import dev.berth.topology.Machine;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.QosClass;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** KEP-3570: the table of pod specs, the scenarios, the pools and the reservation. */
class CpuManagerProposalTest {
  /** Two sockets of four cores with two threads: CPU n and n + 8 are one core. */
  private static final Machine SMT = Regular.machine(2, 1, 1, 4, 2);

  private static final Machine NO_SMT = Regular.machine(2, 1, 1, 4, 1);
  private static final Configuration ONE_RESERVED = Configuration.staticPolicy(Quantity.of(1));

  private static Container container(String name, Role role, String cpu) {
    var amounts = Map.of("cpu", Quantity.parse(cpu), "memory", Quantity.parse("1Gi"));
    return new Container(name, role, Resources.guaranteed(amounts));
  }

  private static Container app(String name, String cpu) {
    return container(name, Role.APP, cpu);
  }

  private static Map<String, CpuSet> granted(Node node, Pod pod) {
    assertThat(node.admit(pod)).isInstanceOf(Decision.Granted.class);
    return node.assignments().exclusive().getOrDefault(pod.uid(), new TreeMap<>());
  }

  @Test
  void halfACpuRunsOnTheSharedPool() {
    Node node = Node.start(SMT, ONE_RESERVED);
    Pod pod = Pod.of("p", List.of(app("a", "0.5")));
    assertThat(pod.qosClass()).isEqualTo(QosClass.GUARANTEED);
    assertThat(granted(node, pod)).isEmpty();
    assertThat(node.shared()).isEqualTo(SMT.cpus());
  }

  @Test
  void twoCpusAreTheThreadsOfOneCore() {
    Node node = Node.start(SMT, ONE_RESERVED);
    assertThat(granted(node, Pod.of("p", List.of(app("a", "2.0")))))
        .containsExactly(Map.entry("a", CpuSet.of(1, 9)));
    assertThat(node.shared()).as("shrunk by them").isEqualTo(CpuSet.parse("0,2-8,10-15"));
  }

  @Test
  void twoCpusWithoutThreadsAreCoresOfOneSocket() {
    Node node = Node.start(NO_SMT, ONE_RESERVED);
    assertThat(granted(node, Pod.of("p", List.of(app("a", "2")))))
        .containsExactly(Map.entry("a", CpuSet.of(1, 2)));
  }

  @Test
  void aWholeAndAHalfOneInOnePodAreTreatedEachByItself() {
    Node node = Node.start(SMT, ONE_RESERVED);
    assertThat(granted(node, Pod.of("p", List.of(app("a", "1.0"), app("b", "0.5")))))
        .as("CPU 8 is the thread beside the reserved one")
        .containsExactly(Map.entry("a", CpuSet.of(8)));
  }

  @Test
  void partsDoNotAddUpToWholeOnes() {
    Node node = Node.start(SMT, ONE_RESERVED);
    assertThat(granted(node, Pod.of("p", List.of(app("a", "1.5"), app("b", "0.5"))))).isEmpty();
    assertThat(node.shared()).isEqualTo(SMT.cpus());
  }

  @Test
  void burstablePodsShareHoweverWholeTheirRequest() {
    Node node = Node.start(SMT, ONE_RESERVED);
    Resources burstable =
        new Resources(Map.of("cpu", Quantity.of(2)), Map.of("cpu", Quantity.of(4)));
    Pod pod = Pod.of("p", List.of(new Container("a", Role.APP, burstable)));
    assertThat(pod.qosClass()).isEqualTo(QosClass.BURSTABLE);
    assertThat(granted(node, pod)).isEmpty();
  }

  @Test
  void bestEffortPodsShare() {
    Node node = Node.start(SMT, ONE_RESERVED);
    Pod pod = Pod.of("p", List.of(new Container("a", Role.APP, Resources.NONE)));
    assertThat(pod.qosClass()).isEqualTo(QosClass.BEST_EFFORT);
    assertThat(granted(node, pod)).isEmpty();
  }

  /** Scenario 1: a container arrives that requires exclusive cores. */
  @Test
  void whatAContainerGetsLeavesTheSharedPool() {
    Node node = Node.start(SMT, ONE_RESERVED);
    assertThat(Trial.admit(node, 4)).containsExactly("1-2,9-10");
    assertThat(node.cpusOf("pod-1", "app")).contains(CpuSet.parse("1-2,9-10"));
    assertThat(node.exclusive()).isEqualTo(CpuSet.parse("1-2,9-10"));
    assertThat(node.shared()).isEqualTo(CpuSet.parse("0,3-8,11-15"));
    assertThat(node.assignable()).isEqualTo(CpuSet.parse("3-8,11-15"));
  }

  /** Scenario 2: a container that was assigned exclusive cores terminates. */
  @Test
  void whatAContainerHadGoesBackToTheSharedPool() {
    Node node = Node.start(SMT, ONE_RESERVED);
    assertThat(Trial.admit(node, 4)).containsExactly("1-2,9-10");
    node.remove("pod-1");
    assertThat(node.shared()).isEqualTo(SMT.cpus());
    assertThat(node.exclusive()).isEqualTo(CpuSet.EMPTY);
    node.remove("pod-1");
    assertThat(node.shared()).as("nothing is left to give back").isEqualTo(SMT.cpus());
  }

  /** Scenario 3: the shared pool becomes empty. This cannot happen. */
  @Test
  void theSharedPoolKeepsAtLeastTheReservedCpus() {
    Node node = Node.start(NO_SMT, ONE_RESERVED);
    assertThat(Trial.admit(node, 4, 2, 1, 1))
        .containsExactly("4-7", "1-2", "3", "UnexpectedAdmissionError");
    assertThat(node.shared()).isEqualTo(node.reserved()).isEqualTo(CpuSet.of(0));
    assertThat(node.assignable()).isEqualTo(CpuSet.EMPTY);
  }

  /**
   * The proposal's sketch of Start takes the reserved CPUs out of SHARED; its text calls RESERVED a
   * subset of SHARED, and so do the recorded answers of Kubernetes. The text counts; the sketch is
   * what the later option strict-cpu-reservation asks for.
   */
  @Test
  void reservedCpusAreSharedAsTheTextSaysAndNotAsTheSketchDoes() {
    Node byText = Node.start(NO_SMT, ONE_RESERVED);
    assertThat(byText.shared()).isEqualTo(NO_SMT.cpus());
    assertThat(byText.assignable()).isEqualTo(CpuSet.range(1, 7));
    Node asSketched = Node.start(NO_SMT, ONE_RESERVED.withOption("strict-cpu-reservation", "true"));
    assertThat(asSketched.shared()).isEqualTo(CpuSet.range(1, 7));
    assertThat(asSketched.reserved()).isEqualTo(CpuSet.of(0));
  }

  @Test
  void aReservationIsRoundedUpAndTakenFromTheLowestCores() {
    assertThat(reserved("100m")).isEqualTo(CpuSet.of(0));
    assertThat(reserved("1")).isEqualTo(CpuSet.of(0));
    assertThat(reserved("1.001")).as("both threads of the lowest core").isEqualTo(CpuSet.of(0, 8));
    assertThat(reserved("3")).isEqualTo(CpuSet.of(0, 1, 8));
    assertThat(reserved("8")).as("a socket").isEqualTo(CpuSet.parse("0-3,8-11"));
  }

  private static CpuSet reserved(String amount) {
    return Node.start(SMT, Configuration.staticPolicy(Quantity.parse(amount))).reserved();
  }

  @Test
  void aReservationCanNameItsCpus() {
    Node node = Node.start(SMT, Configuration.staticPolicy(CpuSet.parse("3,7")));
    assertThat(node.reserved()).isEqualTo(CpuSet.of(3, 7));
    assertThat(node.assignable()).isEqualTo(CpuSet.parse("0-2,4-6,8-15"));
  }

  @Test
  void theStaticPolicyDoesNotStartWithoutAReservation() {
    String expected = "reserved CPUs: the static policy expected at least one";
    assertThatThrownBy(() -> Node.start(SMT, Configuration.DEFAULTS.with(CpuPolicy.STATIC)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith(expected)
        .hasMessageEndingWith("found none");
    assertThatThrownBy(() -> Node.start(SMT, Configuration.staticPolicy(Quantity.ZERO)))
        .hasMessageStartingWith(expected)
        .hasMessageEndingWith("found 0");
    assertThatThrownBy(() -> Node.start(SMT, Configuration.staticPolicy(CpuSet.EMPTY)))
        .hasMessageStartingWith(expected)
        .hasMessageEndingWith("found an empty set");
  }

  @Test
  void aReservationThatTheMachineCannotMeetDoesNotStart() {
    assertThatThrownBy(() -> Node.start(SMT, Configuration.staticPolicy(Quantity.of(17))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("reserved CPUs: expected at most the machine's 16, found 17");
    assertThatThrownBy(() -> Node.start(SMT, Configuration.staticPolicy(CpuSet.of(0, 99))))
        .hasMessage("reservedSystemCPUs: expected CPUs of 0-15, found 99");
  }

  @Test
  void initContainersLendTheirCpusToThoseThatComeAfter() {
    Node node = Node.start(NO_SMT, ONE_RESERVED);
    Pod pod = Pod.of("p", List.of(container("init", Role.INIT, "7"), app("a", "4"), app("b", "3")));
    assertThat(granted(node, pod))
        .containsExactly(
            Map.entry("a", CpuSet.range(4, 7)),
            Map.entry("b", CpuSet.range(1, 3)),
            Map.entry("init", CpuSet.range(1, 7)));
    assertThat(node.assignable()).isEqualTo(CpuSet.EMPTY);
  }

  @Test
  void sidecarsKeepTheirs() {
    Node node = Node.start(NO_SMT, ONE_RESERVED);
    Pod pod = Pod.of("p", List.of(container("mesh", Role.SIDECAR, "4"), app("a", "2")));
    assertThat(granted(node, pod))
        .containsExactly(Map.entry("a", CpuSet.of(1, 2)), Map.entry("mesh", CpuSet.range(4, 7)));
  }

  /** An init container's CPUs, taken over by a sidecar, are nobody else's any more. */
  @Test
  void whatASidecarTookOverIsNotLentAgain() {
    Node node = Node.start(NO_SMT, ONE_RESERVED);
    Pod pod =
        Pod.of(
            "p",
            List.of(
                container("init", Role.INIT, "7"),
                container("mesh", Role.SIDECAR, "2"),
                app("a", "5")));
    assertThat(granted(node, pod))
        .containsExactly(
            Map.entry("a", CpuSet.range(3, 7)),
            Map.entry("init", CpuSet.range(1, 7)),
            Map.entry("mesh", CpuSet.range(1, 2)));
  }

  @Test
  void policyNoneGivesNothingAndTakesNothing() {
    Node node = Node.start(SMT, Configuration.DEFAULTS);
    assertThat(Trial.admit(node, 4, 400)).containsExactly("", "");
    assertThat(node.shared()).isEqualTo(SMT.cpus());
    assertThat(node.assignable()).isEqualTo(CpuSet.EMPTY);
    assertThat(node.rules()).isEmpty();
  }
}
