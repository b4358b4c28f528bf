package dev.berth.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeSettingsTest {
  private static final String KUBELET =
      """
      apiVersion: kubelet.config.k8s.io/v1beta1
      kind: KubeletConfiguration
      """;

  private static NodeSettings read(String text) {
    return NodeSettings.read("berth.yaml", text, List.of());
  }

  private static Configuration configuration(String text) {
    return read(text).configuration();
  }

  private static void refuses(String text, String line) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(InvalidInputException.class).hasMessage(line);
  }

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
                    OwnSettings.LogFormat.JSON,
                    5L << 20)));
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
  void anUnknownKeyOfOurOwnIsAnErrorThatNamesTheNearest() {
    refuses(
        "cpuManagerPolicy: static\ncpuManagerPolcy: none\n",
        "berth.yaml:2: expected a known key, found \"cpuManagerPolcy\", did you mean"
            + " cpuManagerPolicy?");
    refuses(
        "berth:\n  allowEmptyPool: true\n",
        "berth.yaml:2: berth: expected a known key, found \"allowEmptyPool\"; known are"
            + " allowEmptySharedPool, partition, manifests, devices, logFormat,"
            + " containerLogMaxSize");
    refuses(
        "systemReserved:\n  cpus: 1\n",
        "berth.yaml:2: systemReserved: expected a known key, found \"cpus\", did you mean cpu?");
    assertThatThrownBy(() -> read("maxPods: 110"))
        .hasMessageStartingWith("berth.yaml:1: expected a known key, found \"maxPods\"; known are");
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
  void otherKindsAndVersionsAreRefused() {
    refuses(
        "kind: KubeProxyConfiguration",
        "berth.yaml:1: kind: expected KubeletConfiguration, or no kind in a file of Berth's own,"
            + " found \"KubeProxyConfiguration\"");
    refuses(
        "kind: KubeletConfiguration\napiVersion: kubelet.config.k8s.io/v1\n",
        "berth.yaml:2: apiVersion: expected kubelet.config.k8s.io/v1beta1, found"
            + " \"kubelet.config.k8s.io/v1\"");
    refuses(
        "kind: KubeletConfiguration",
        "berth.yaml:1: kind: expected apiVersion kubelet.config.k8s.io/v1beta1 beside it, found"
            + " none");
    refuses("{}\n---\n{}\n", "berth.yaml:3: expected one document, found another");
    refuses("- cpuManagerPolicy\n", "berth.yaml:1: expected keys and values, found a list");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "cpuManagerPolicy: dynamic|cpuManagerPolicy: expected none or static, found \"dynamic\"",
        "cpuManagerPolicy: [static]|cpuManagerPolicy: expected a single value, found a list",
        "topologyManagerScope: node|topologyManagerScope: expected container or pod, found"
            + " \"node\"",
        "memoryManagerPolicy: static|memoryManagerPolicy: expected None or Static, found"
            + " \"static\"",
        "reservedSystemCPUs: 0-x|reservedSystemCPUs: cpuset \"0-x\": expected a number at column 3,"
            + " found \"x\"",
        "cpuManagerReconcilePeriod: 10|cpuManagerReconcilePeriod: expected a duration such as 10s"
            + " or 1m30s, found \"10\"",
        "cpuManagerReconcilePeriod: -1s|cpuManagerReconcilePeriod: expected a duration such as 10s"
            + " or 1m30s, found \"-1s\"",
        "systemReserved: {cpu: 010}|systemReserved.cpu: expected a number without leading zeros,"
            + " found \"010\"",
        "kubeReserved: {cpu: -1}|kubeReserved.cpu: quantity \"-1\": expected a number from 0",
        "cpuManagerPolicyOptions: {full-pcpus-only: yes}|cpuManagerPolicyOptions: full-pcpus-only:"
            + " expected true or false, found \"yes\"",
        "cpuManagerPolicyOptions: {align-by-socket: true}|cpuManagerPolicyOptions: align-by-socket:"
            + " expected the feature gate CPUManagerPolicyAlphaOptions to be on, found it off",
        "topologyManagerPolicyOptions: {max-allowable-numa-nodes: 2}|topologyManagerPolicyOptions:"
            + " max-allowable-numa-nodes: expected a number from 8, found \"2\"",
        "featureGates: {CPUManagerPolicyBetaOptions: \"true\"}|featureGates."
            + "CPUManagerPolicyBetaOptions: expected true or false, found \"true\"",
        "berth: {partition: root}|berth.partition: expected member or isolated, found \"root\"",
        "berth: {partition: isolated}|berth.partition: expected cpuManagerPolicyOptions"
            + " strict-cpu-reservation: true beside it, found none such",
        "berth: {manifests: here}|berth.manifests: expected a folder, from the root on, found"
            + " \"here\"",
        "berth: {devices: [{resource: nic, id: a}]}|berth.devices[0].resource: expected a name such"
            + " as vendor.example/nic, found \"nic\"",
        "berth: {devices: [{resource: v.x/n, id: 'a,b'}]}|berth.devices[0].id: expected 1 to 253"
            + " printable characters without blanks and commas, found \"a,b\"",
        "berth: {allowEmptySharedPool: maybe}|berth.allowEmptySharedPool: expected true or false,"
            + " found \"maybe\"",
        "reservedMemory: {memory: 1Gi}|reservedMemory: expected a list, found keys and values",
        "reservedMemory: [{limits: {memory: 1Gi}}]|reservedMemory[0]: expected numaNode in it,"
            + " found none",
        "reservedMemory: [{numaNode: 0}]|reservedMemory[0]: expected limits in it, found none",
        "reservedMemory: [{numaNode: 0, limits: {cpu: 1}}]|reservedMemory[0].limits.cpu: expected"
            + " memory or hugepages-SIZE, found \"cpu\"",
        "reservedMemory: [{numaNode: 0, limits: {memory: 0}}]|reservedMemory[0].limits.memory:"
            + " expected more than 0, found \"0\"",
      })
  void aBadValueIsOneLine(String text, String line) {
    refuses(text, "berth.yaml:1: " + line);
  }

  @Test
  void anUnknownGateOfOurOwnIsAnError() {
    assertThatThrownBy(() -> read("\nfeatureGates: {Frobnicate: true}"))
        .hasMessageStartingWith(
            "berth.yaml:2: featureGates: feature gate \"Frobnicate\": expected");
  }

  @Test
  void optionsWithoutAPolicyAreRefusedAsAKubeletDoes() {
    refuses(
        "cpuManagerPolicy: none\ncpuManagerPolicyOptions: {full-pcpus-only: true}",
        "berth.yaml:2: cpuManagerPolicyOptions: expected none under cpuManagerPolicy none, found"
            + " full-pcpus-only");
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

  @Test
  void aNodesMemoryIsReservedOnce() {
    refuses(
        """
        reservedMemory:
        - {numaNode: 0, limits: {memory: 1Gi}}
        - {numaNode: 0, limits: {memory: 1Gi}}
        """,
        "berth.yaml:3: reservedMemory[1].limits.memory: expected every kind of memory of a NUMA"
            + " node once, found memory again");
  }

  @Test
  void reservedMemoryMustComeToWhatIsReservedElsewhere() {
    String settings =
        """
        memoryManagerPolicy: Static
        kubeReserved: {memory: 500Mi}
        reservedMemory: [{numaNode: 0, limits: {memory: 500Mi}}]
        """;
    assertThat(configuration(settings).memory().policy()).isEqualTo(MemorySettings.Policy.STATIC);
    refuses(
        KUBELET + settings,
        "berth.yaml:5: reservedMemory: expected memory of all NUMA nodes to come to 600Mi"
            + " (systemReserved 0, kubeReserved 500Mi, evictionHard 100Mi), found 500Mi");
    refuses(
        KUBELET + settings + "evictionHard: {memory.available: 1Gi}\n",
        "berth.yaml:5: reservedMemory: expected memory of all NUMA nodes to come to 1524Mi"
            + " (systemReserved 0, kubeReserved 500Mi, evictionHard 1Gi), found 500Mi");
    refuses(
        KUBELET + "memoryManagerPolicy: Static",
        "berth.yaml:3: memoryManagerPolicy: expected memory of all NUMA nodes to come to 100Mi"
            + " (systemReserved 0, kubeReserved 0, evictionHard 100Mi), found 0");
    for (String enough :
        List.of(
            "evictionHard: {nodefs.available: 10%}",
            "evictionHard: {memory.available: 0%}", "evictionHard: {memory.available: 5%}")) {
      assertThat(configuration(KUBELET + settings + enough).memory().reserved())
          .isEqualTo(Map.of(0, Map.of("memory", 500L << 20)));
    }
    refuses(
        settings.replace("kube", "system").replaceFirst("500", "400"),
        "berth.yaml:3: reservedMemory: expected memory of all NUMA nodes to come to 400Mi"
            + " (systemReserved 400Mi, kubeReserved 0, evictionHard 0), found 500Mi");
    assertThat(configuration(settings.replace("Static", "None").replaceFirst("500", "4")).memory())
        .isEqualTo(
            new MemorySettings(
                MemorySettings.Policy.NONE, Map.of(0, Map.of("memory", 500L << 20))));
  }

  @Test
  void aKubeletReservesNoHugepages() {
    refuses(
        KUBELET
            + """
            memoryManagerPolicy: Static
            reservedMemory: [{numaNode: 0, limits: {memory: 100Mi, hugepages-2Mi: 4Mi}}]
            """,
        "berth.yaml:4: reservedMemory: expected no hugepages-2Mi, as a kubelet has it: none is"
            + " reserved elsewhere, found 4Mi");
  }

  @Test
  void flagsOverrideTheFile() {
    String file =
        """
        cpuManagerPolicy: none
        cpuManagerPolicyOptions: {full-pcpus-only: true}
        featureGates: {CPUManagerPolicyAlphaOptions: true, PodLevelResources: false}
        """;
    Configuration configuration =
        NodeSettings.read(
                "berth.yaml",
                file,
                List.of(
                    new FlagSetting("cpuManagerPolicy", "--cpu-manager-policy", "static"),
                    new FlagSetting(
                        "cpuManagerPolicyOptions",
                        "--cpu-manager-policy-options",
                        "align-by-socket=true,strict-cpu-reservation=true"),
                    new FlagSetting("featureGates", "--feature-gates", "PodLevelResources=true"),
                    new FlagSetting("reservedSystemCPUs", "--reserved-cpus", "2")))
            .configuration();
    assertThat(configuration.cpuPolicy()).isEqualTo(CpuPolicy.STATIC);
    assertThat(configuration.cpuOptions())
        .isEqualTo(Map.of("align-by-socket", "true", "strict-cpu-reservation", "true"));
    assertThat(configuration.gates().settings())
        .isEqualTo(Map.of("CPUManagerPolicyAlphaOptions", true, "PodLevelResources", true));
    assertThat(configuration.reservation()).isEqualTo(new Reservation.These(CpuSet.of(2)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "cpuManagerPolicy|x|expected none or static, found \"x\"",
        "reservedSystemCPUs|x|cpuset \"x\": expected a number at column 1, found \"x\"",
        "cpuManagerPolicyOptions|full|expected name=value,…, found \"full\"",
        "cpuManagerPolicyOptions|full-pcpus-only=2|full-pcpus-only: expected true or false, found"
            + " \"2\"",
        "featureGates|PodLevelResources=yes|PodLevelResources: expected true or false, found"
            + " \"yes\"",
      })
  void aBadFlagIsOneLineThatNamesTheFlag(String setting, String text, String line) {
    assertThatThrownBy(
            () -> NodeSettings.read("", "", List.of(new FlagSetting(setting, "--flag", text))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("--flag: " + line);
  }
}
