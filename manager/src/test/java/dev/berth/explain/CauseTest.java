package dev.berth.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.ledger.Objection;
import dev.berth.ledger.TopologySettings;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The one sentence of a refusal is true. */
class CauseTest {
  private final List<Pod> residents = new ArrayList<>();

  private static Node node(String machine, Policy policy, String... options) {
    Configuration configuration =
        Configuration.staticPolicy(CpuSet.of(0))
            .with(new TopologySettings(policy, Scope.CONTAINER, Map.of()));
    for (String option : options) {
      configuration = configuration.withOption(option, "true");
    }
    return Node.start(Machines.parse(machine), configuration);
  }

  private static Pod pod(String uid, int... cpus) {
    List<Container> containers = new ArrayList<>();
    for (int count : cpus) {
      Map<String, Quantity> asks =
          Map.of(Resources.CPU, Quantity.of(count), Resources.MEMORY, Quantity.of(1));
      containers.add(
          new Container(
              "part-" + containers.size(), Container.Role.APP, Resources.guaranteed(asks)));
    }
    return Pod.of(uid, containers);
  }

  private void admit(Node node, String uid, int cpus) {
    Pod pod = pod(uid, cpus);
    assertThat(node.admit(pod)).isInstanceOf(Decision.Granted.class);
    residents.add(pod);
  }

  private String headline(Node node, Pod pod) {
    Scene scene = new Scene(node, residents, Map.of());
    return ReportText.lines(Explainer.wouldBe(scene, "new", pod, Objections.NONE)).getFirst();
  }

  @Test
  void countsWhatIsFreeBeforeItSpeaksOfNodes() {
    Node node = node("pack:2 node:1 core:8 pu:1", Policy.SINGLE_NUMA_NODE);
    admit(node, "a", 7);
    assertThat(headline(node, pod("new", 6, 6)))
        .isEqualTo(
            "new would be refused: it asks for 12 CPUs and 8 CPUs are free on the whole machine:"
                + " moving others makes no more, somebody has to leave");
  }

  @Test
  void tellsContainersThatFitAloneButNotTogether() {
    Node node = node("pack:3 node:1 core:8 pu:1", Policy.SINGLE_NUMA_NODE);
    admit(node, "a", 5);
    admit(node, "b", 4);
    node.remove("a");
    residents.removeFirst();
    admit(node, "c", 7);
    assertThat(headline(node, pod("new", 6, 6)))
        .isEqualTo(
            "new would be refused: each of its containers would find a place alone, but there is"
                + " none for all of them beside each other");
  }

  @Test
  void blamesTheCacheWhereANodeHasEnoughInTheWrongPieces() {
    Node node =
        node(
            "pack:2 node:1 l3:2 core:4 pu:1",
            Policy.SINGLE_NUMA_NODE,
            "strict-align-cpus-by-uncorecache");
    admit(node, "a", 3);
    admit(node, "b", 4);
    admit(node, "c", 2);
    admit(node, "d", 2);
    admit(node, "e", 2);
    node.remove("d");
    residents.removeIf(one -> one.uid().equals("d"));
    assertThat(headline(node, pod("new", 4)))
        .isEqualTo(
            "new would be refused: strict-align-cpus-by-uncorecache wants all CPUs of a container"
                + " below one L3 cache, and none has enough free");
  }

  /** Of cores 0 and 1 one half each is reserved, and nobody gets the other. */
  @Test
  void blamesWholeCoresWhereOnlyHalvesAreFree() {
    Node node =
        Node.start(
            Machines.parse("pack:2 node:1 core:4 pu:2"),
            Configuration.staticPolicy(CpuSet.of(0, 2))
                .with(new TopologySettings(Policy.SINGLE_NUMA_NODE, Scope.CONTAINER, Map.of()))
                .withOption("full-pcpus-only", "true"));
    admit(node, "a", 8);
    admit(node, "b", 4);
    assertThat(headline(node, pod("new", 2)))
        .isEqualTo(
            "new would be refused: full-pcpus-only gives whole cores alone, and too few of them are"
                + " free");
  }

  @Test
  void tellsOnHowManyNodesAWidePodWouldBe() {
    Node node = node("pack:4 node:1 core:8 pu:1", Policy.RESTRICTED);
    for (String uid : List.of("a", "b", "c", "d")) {
      admit(node, uid, 5);
    }
    assertThat(headline(node, pod("new", 10)))
        .isEqualTo(
            "new would be refused: topology policy restricted lets the 10 CPUs of part-0 be on 2"
                + " NUMA nodes, as few as on an empty machine, and those that are free are on 4 or"
                + " more");
  }

  @Test
  void doesNotExplainWhatWasRefusedForAnotherReason() {
    Node node = node("pack:2 node:1 core:8 pu:1", Policy.SINGLE_NUMA_NODE);
    admit(node, "a", 4);
    admit(node, "b", 4);
    Scene scene = new Scene(node, residents, Map.of());
    Report report =
        Explainer.wasRefused(
            scene,
            "new",
            pod("new", 6),
            new Objection("UnexpectedAdmissionError", "a disk was full"),
            Optional.empty(),
            Objections.NONE);
    assertThat(ReportText.lines(report).getFirst())
        .isEqualTo("new was refused: UnexpectedAdmissionError: a disk was full");
  }
}
