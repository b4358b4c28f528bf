package dev.berth.kubelet;

import static dev.berth.kubelet.SettingsFile.KUBELET;
import static dev.berth.kubelet.SettingsFile.configuration;
import static dev.berth.kubelet.SettingsFile.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.Device;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Node;
import dev.berth.ledger.Reservation;
import dev.berth.ledger.TopologySettings;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.KnownMachine;
import dev.berth.topology.Machines;
import dev.berth.workload.Quantity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What files come to, ours and a kubelet's. */
class NodeSettingsTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing yet\n", "---\n", "cpuManagerPolicy:\n", "berth: {}"})
  void everyDefaultOfOurOwn(String text) {
    assertThat(read(text))
        .isEqualTo(NodeSettings.DEFAULTS)
        .isEqualTo(
            new NodeSettings(
                new Configuration(
                    CpuPolicy.STATIC,
                    Map.of(),
                    FeatureGates.DEFAULTS,
                    new Reservation.LowestCpu(),
                    new TopologySettings(Policy.BEST_EFFORT, Scope.CONTAINER, Map.of()),
                    new MemorySettings(MemorySettings.Policy.NONE, Map.of())),
                Duration.ofSeconds(10),
                OwnSettings.DEFAULTS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "cpuManagerPolicy: \"\"\ncpuManagerReconcilePeriod: 0s\n"})
  void everyDefaultOfAKubelets(String text) {
    assertThat(read(KUBELET + text))
        .isEqualTo(
            new NodeSettings(
                new Configuration(
                    CpuPolicy.NONE,
                    Map.of(),
                    FeatureGates.DEFAULTS,
                    new Reservation.Nothing(),
                    new TopologySettings(Policy.NONE, Scope.CONTAINER, Map.of()),
                    new MemorySettings(MemorySettings.Policy.NONE, Map.of())),
                Duration.ofSeconds(10),
                OwnSettings.DEFAULTS));
  }

  @Test
  void ourDefaultsWorkOnEveryMachineAndReserveItsLowestCpu() {
    for (KnownMachine known : Machines.all()) {
      Node node = Node.start(known.machine(), NodeSettings.DEFAULTS.configuration());
      assertThat(node.reserved())
          .as(known.name())
          .isEqualTo(CpuSet.of(known.machine().cpus().first()));
    }
  }

  @Test
  void everySettingIsRead() {
    NodeSettings settings =
        read(
            """
            cpuManagerPolicy: static
            cpuManagerPolicyOptions:
              full-pcpus-only: "true"
              align-by-socket: false
            cpuManagerReconcilePeriod: 1m30s
            reservedSystemCPUs: 0-1,8
            systemReserved: {cpu: 500m, memory: 512Mi}
            kubeReserved: {memory: 512Mi}
            topologyManagerPolicy: restricted
            topologyManagerScope: pod
            topologyManagerPolicyOptions: {max-allowable-numa-nodes: 16}
            memoryManagerPolicy: Static
            reservedMemory:
            - numaNode: 0
              limits: {memory: 1000Mi, hugepages-1Gi: 1Gi}
            - numaNode: 1
              limits: {memory: 24Mi}
            featureGates: {CPUManagerPolicyAlphaOptions: true}
            berth:
              allowEmptySharedPool: true
              manifests: /etc/berth/pods
              logFormat: json
              containerLogMaxSize: 5Mi
              httpNames: [node1.example, Node1]
              devicePlugins: /var/lib/berth/device-plugins
              podResources: /run/berth/pod-resources.sock
              devices:
              - {resource: vendor.example/nic, id: nic0, numaNodes: 0-1}
              - {resource: vendor.example/nic, id: nic1}
            """);
    assertThat(settings)
        .isEqualTo(
            new NodeSettings(
                new Configuration(
                    CpuPolicy.STATIC,
                    Map.of("full-pcpus-only", "true", "align-by-socket", "false"),
                    FeatureGates.DEFAULTS.with(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS, true),
                    new Reservation.These(CpuSet.parse("0-1,8")),
                    new TopologySettings(
                        Policy.RESTRICTED, Scope.POD, Map.of("max-allowable-numa-nodes", "16")),
                    new MemorySettings(
                        MemorySettings.Policy.STATIC,
                        Map.of(
                            0,
                            Map.of("memory", 1000L << 20, "hugepages-1Gi", 1L << 30),
                            1,
                            Map.of("memory", 24L << 20)))),
                Duration.ofSeconds(90),
                new OwnSettings(
                    true,
                    OwnSettings.CpuPartition.MEMBER,
                    Optional.of(Path.of("/etc/berth/pods")),
                    List.of(
                        Device.of("vendor.example/nic", "nic0", 0, 1),
                        Device.of("vendor.example/nic", "nic1")),
                    Optional.of(Path.of("/var/lib/berth/device-plugins")),
                    Optional.of(Path.of("/run/berth/pod-resources.sock")),
                    OwnSettings.LogFormat.JSON,
                    5L << 20,
                    List.of("node1.example", "Node1"))));
  }

  @Test
  void reservationsOfCpusAddUp() {
    assertThat(configuration("systemReserved: {cpu: 500m}\nkubeReserved: {cpu: 1.2}").reservation())
        .isEqualTo(new Reservation.Amount(Quantity.parse("1700m")));
    assertThat(configuration("systemReserved: {memory: 1Gi}").reservation())
        .isEqualTo(new Reservation.LowestCpu());
    assertThat(configuration(KUBELET + "systemReserved: {memory: 1Gi}").reservation())
        .isEqualTo(new Reservation.Nothing());
    assertThat(configuration("systemReserved: {cpu: 0}").reservation())
        .isEqualTo(new Reservation.Amount(Quantity.ZERO));
  }

  @Test
  void theOtherKeysOfAKubeletAreNoneOfOurBusiness() {
    assertThat(
            configuration(
                KUBELET
                    + """
                    maxPods: 110
                    authentication: {webhook: {enabled: false}}
                    featureGates: {GracefulNodeShutdown: true, CPUManagerPolicyBetaOptions: false}
                    """))
        .isEqualTo(
            configuration(KUBELET)
                .with(FeatureGates.DEFAULTS.with(Gate.CPU_MANAGER_POLICY_BETA_OPTIONS, false)));
  }

  @Test
  void oneGateStandsForAllOfAQualityUnlessAnotherIsNamed() {
    FeatureGates gates =
        configuration("featureGates: {PodLevelResourceManagers: false, AllAlpha: true}").gates();
    assertThat(gates.isOn(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS)).isTrue();
    assertThat(gates.isOn(Gate.POD_LEVEL_RESOURCE_MANAGERS)).isFalse();
    assertThat(gates.isOn(Gate.CPU_MANAGER_UNCORE_CACHE_ALIGN)).isFalse();
    assertThat(
            configuration(KUBELET + "featureGates: {AllBeta: false}")
                .gates()
                .isOn(Gate.CPU_MANAGER_POLICY_BETA_OPTIONS))
        .isFalse();
  }
}
