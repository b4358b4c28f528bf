package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.CpuSet;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Node;
import dev.berth.ledger.Reservation;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is recommended can be written into a file, and a node starts with it. */
class AdvisedTest {
  private static final Machine MACHINE = Machines.parse("pack:2 node:2 l3:2 core:4 pu:2");
  private static final String KUBELETS =
      "kind: KubeletConfiguration\napiVersion: kubelet.config.k8s.io/v1beta1\n";

  private static String advised(String yaml) {
    Configuration configuration = NodeSettings.read("given", yaml, List.of()).configuration();
    return new Advised(configuration, MACHINE).text();
  }

  @Test
  void aKubeletThatIsToldSoHasAReservation() {
    Configuration read =
        NodeSettings.read("advised", KUBELETS + advised(""), List.of()).configuration();
    assertThat(read.reservation()).isEqualTo(new Reservation.These(CpuSet.of(0)));
    assertThat(Node.start(MACHINE, read).reserved()).isEqualTo(CpuSet.of(0));
  }

  @Test
  void whatIsReservedOnPurposeStaysReserved() {
    assertThat(advised("reservedSystemCPUs: \"4-5\"")).contains("reservedSystemCPUs: \"4-5\"\n");
    assertThat(advised("systemReserved: {cpu: 2}")).doesNotContain("eserved");
  }

  @Test
  void policyNoneNeedsNoReservation() {
    assertThat(advised("cpuManagerPolicy: none")).doesNotContain("eserved");
  }

  @Test
  void anOptionThatNoKubeletKnowsIsMarked() {
    String own = "cpuManagerPolicyOptions: {strict-align-cpus-by-uncorecache: \"true\"}";
    assertThat(advised(own))
        .contains(
            own
                + " # Berth's own: a kubelet does not start with"
                + " strict-align-cpus-by-uncorecache\n");
    assertThat(NodeSettings.read("again", advised(own), List.of()).configuration().optionsOn())
        .containsExactly("strict-align-cpus-by-uncorecache");
  }

  @Test
  void aGateThatIsOffIsNotTurnedOn() {
    assertThat(advised("featureGates: {CPUManagerPolicyAlphaOptions: false}"))
        .doesNotContain("featureGates");
    String on = advised("featureGates: {CPUManagerPolicyAlphaOptions: true}");
    assertThat(
            NodeSettings.read("again", on, List.of())
                .configuration()
                .gates()
                .isOn(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS))
        .isTrue();
  }

  @Test
  void optionsOfTheTopologyManagerAreTold() {
    String options = "topologyManagerPolicyOptions: {prefer-closest-numa-nodes: \"true\"}\n";
    assertThat(advised(options)).endsWith(options);
  }
}
