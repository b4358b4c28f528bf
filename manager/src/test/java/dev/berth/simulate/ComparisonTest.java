package dev.berth.simulate;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.berth.kubelet.NodeSettings;
import dev.berth.simulate.Comparison.Run;
import dev.berth.topology.Machines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ComparisonTest {
  private static Comparison compare(String machine, String configuration, String pods) {
    return Comparison.of(
        new Scenario(
            "test",
            Machines.parse(machine),
            NodeSettings.read("configuration", configuration, List.of()),
            WorkloadReader.read("pods", pods, 1).workload()),
        percent -> {});
  }

  private static String pods(int cpus, int count) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: p, annotations: {simulate.berth.dev/count: '%d'}}
    spec: {containers: [{name: app, resources: {limits: {cpu: %d, memory: 1Gi}}}]}
    """
        .formatted(count, cpus);
  }

  private static List<String> labels(Comparison comparison) {
    return comparison.runs().stream().map(run -> run.candidate().label()).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"epyc-7702p", "epyc-9654-2p-nps4", "xeon-8490h-2p-snc4", "core:4 pu:1"})
  void noTwoHaveOneLabel(String machine) {
    String pair = pods(2, 3).replace("containers: [", "containers: [{name: beside}, ");
    for (String given :
        List.of(
            "",
            "{topologyManagerPolicy: restricted, topologyManagerScope: pod}",
            "{cpuManagerPolicyOptions: {strict-cpu-reservation: 'true', full-pcpus-only:"
                + " 'true'}}")) {
      assertThat(labels(compare(machine, given, pair))).as(given).doesNotHaveDuplicates();
    }
  }

  @Test
  void aLargeMachineHasAllAndTheGivenOneFirst() {
    assertThat(labels(compare("epyc-9654-2p-nps4", "", pods(8, 4))))
        .containsExactly(
            "packed, best-effort (given)",
            "policy none",
            "packed",
            "packed, restricted",
            "packed, single-numa-node",
            "packed, best-effort, closest",
            "packed, restricted, closest",
            "whole cores, best-effort",
            "whole cores, restricted",
            "whole cores, single-numa-node",
            "prefer L3, best-effort",
            "prefer L3, restricted",
            "strict L3, best-effort",
            "strict L3, restricted",
            "cores and L3, best-effort",
            "cores and L3, restricted",
            "cores and L3, single-numa-node",
            "across NUMA, best-effort",
            "across cores, best-effort",
            "by socket, restricted");
  }

  @Test
  void whereThereAreTwoNodesNoneIsCloser() {
    Comparison comparison = compare("pack:2 node:1 core:4 pu:1", "", pods(2, 1));
    assertThat(labels(comparison)).noneMatch(label -> label.contains("closest"));
    assertThat(comparison.leftOut())
        .contains(
            "prefer-closest-numa-nodes has no effect on this machine: it has fewer than 3 NUMA"
                + " nodes");
  }

  @Test
  void whatHasNoEffectIsLeftOutAndSaid() {
    Comparison comparison = compare("pack:1 node:1 l3:1 core:8 pu:1", "", pods(2, 2));
    assertThat(labels(comparison))
        .containsExactly("packed, best-effort (given)", "policy none", "packed");
    assertThat(comparison.leftOut())
        .contains(
            "distribute-cpus-across-numa has no effect on this machine: there is one NUMA node",
            "full-pcpus-only has no effect on this machine: every core has one CPU",
            "restricted and single-numa-node are as best-effort: there is one NUMA node",
            "scope pod is as scope container: no pod has several containers");
  }

  @Test
  void everyCandidateIsReadBackFromItsOwnYaml() {
    String given =
        """
        reservedSystemCPUs: "0,96"
        cpuManagerPolicyOptions: {strict-cpu-reservation: "true", full-pcpus-only: "true"}
        topologyManagerPolicyOptions: {prefer-closest-numa-nodes: "true"}
        """;
    Comparison comparison = compare("epyc-9654-2p-nps4", given, pods(8, 1));
    for (Run run : comparison.runs()) {
      NodeSettings settings =
          new NodeSettings(
              run.candidate().configuration(),
              NodeSettings.DEFAULTS.reconcilePeriod(),
              NodeSettings.DEFAULTS.own());
      assertThat(NodeSettings.read("again", settings.yaml(), List.of()).configuration())
          .isEqualTo(run.candidate().configuration());
      boolean none = run.candidate().label().equals("policy none");
      assertThat(run.candidate().configuration().cpuOptions().containsKey("strict-cpu-reservation"))
          .isEqualTo(!none);
    }
  }

  @Test
  void aKubeletThatReservesNothingIsComparedWithTheLowestCpuReserved() {
    Comparison comparison =
        compare(
            "epyc-7702p",
            "kind: KubeletConfiguration\napiVersion: kubelet.config.k8s.io/v1beta1\n",
            pods(4, 2));
    assertThat(comparison.given().figures().exclusive()).isZero();
    assertThat(comparison.best().figures().exclusive()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 6, 10})
  void nobodyHasMoreCompactPodsThanTheRecommendedOne(int cpus) {
    Comparison comparison = compare("epyc-7702p", "", pods(cpus, 60));
    int most =
        comparison.runs().stream()
            .max(Comparator.comparingInt(run -> run.figures().compact()))
            .orElseThrow()
            .figures()
            .compact();
    assertThat(comparison.best().figures().compact()).isEqualTo(most);
  }

  @Test
  void ofEquallyGoodOnesTheGivenOneWins() {
    Comparison comparison =
        compare(
            "epyc-7702p",
            "cpuManagerPolicyOptions: {strict-align-cpus-by-uncorecache: \"true\"}",
            pods(4, 2));
    assertThat(comparison.best()).isEqualTo(comparison.given());
    assertThat(comparison.why())
        .containsExactly(
            "strict L3, best-effort (given) refuses nobody, and all 2 with CPUs of their own lie as"
                + " compactly as on an empty machine.");
  }

  @Test
  void whereNobodyWantsCpusOfItsOwnNothingIsRecommended() {
    String shared =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: web}
        spec: {containers: [{name: app}]}
        """;
    Comparison comparison = compare("epyc-7702p", "", shared);
    assertThat(comparison.best()).isEqualTo(comparison.given());
    assertThat(comparison.why().getFirst()).contains("no pod was given CPUs of its own");
  }

  /** Each node has seven CPUs to give, so that no pod of eight lies within one. */
  @Test
  void whereNobodyLiesCompactlyPinningIsNotTurnedOff() {
    Comparison comparison =
        compare("pack:1 node:2 l3:1 core:4 pu:2", "reservedSystemCPUs: \"0,8\"", pods(8, 2));
    assertThat(comparison.runs()).allMatch(run -> run.figures().compact() == 0);
    assertThat(comparison.best().figures().exclusive()).isPositive();
    assertThat(comparison.why())
        .first(as(STRING))
        .contains("refuses 1 of 2; 0 of 1 with CPUs of their own lie as compactly");
  }

  @Tag("slow")
  @Test
  void theExamplesDayHasARecommendationWorthReading() throws IOException {
    Path file = Path.of("../examples/day.yaml");
    Comparison comparison = compare("epyc-9654-2p-nps4", "", Files.readString(file));
    assertThat(comparison.best().candidate().label()).isEqualTo("strict L3, restricted");
    assertThat(comparison.best().figures().compact())
        .isGreaterThan(comparison.given().figures().compact());
    assertThat(comparison.why()).hasSize(3);
    assertThat(labels(comparison))
        .contains("packed, restricted, pod", "packed, single-numa-node, pod");
  }
}
