package dev.berth.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings written as a file read back to the same, whatever they came from. */
class SettingsTextTest {
  private static final String KUBELETS =
      "kind: KubeletConfiguration\napiVersion: kubelet.config.k8s.io/v1beta1\n";

  @Test
  void allDefaultsAreWrittenOut() {
    assertThat(NodeSettings.DEFAULTS.yaml())
        .isEqualTo(
            """
            cpuManagerPolicy: static
            cpuManagerReconcilePeriod: 10s
            topologyManagerPolicy: best-effort
            topologyManagerScope: container
            memoryManagerPolicy: None
            berth:
              allowEmptySharedPool: false
              partition: member
              logFormat: text
              containerLogMaxSize: "10Mi"
            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "cpuManagerPolicy: none",
        "reservedSystemCPUs: 0-1,8\ncpuManagerReconcilePeriod: 1m30.5s",
        "systemReserved: {cpu: 500m, memory: 1Gi}\nkubeReserved: {cpu: 1.2}",
        "cpuManagerReconcilePeriod: 1ns\ntopologyManagerScope: pod",
        "cpuManagerPolicyOptions: {full-pcpus-only: \"true\", align-by-socket: \"false\"}\n"
            + "featureGates: {CPUManagerPolicyAlphaOptions: true, PodLevelResources: false}",
        "topologyManagerPolicy: restricted\n"
            + "topologyManagerPolicyOptions: {max-allowable-numa-nodes: \"16\"}",
        """
        memoryManagerPolicy: Static
        systemReserved: {memory: 1Gi}
        reservedMemory:
        - {numaNode: 0, limits: {memory: 1000Mi, hugepages-1Gi: 1Gi}}
        - {numaNode: 1, limits: {memory: 24Mi}}
        """,
        "berth: {allowEmptySharedPool: true, manifests: \"/etc/a: b\\\"c\", logFormat: json,"
            + " containerLogMaxSize: 12345, httpNames: [a.example, B], devices: [{resource:"
            + " v.example/n, id: 'a\"\\b'}, {resource: v.example/n, id: c, numaNodes: 0-1}]}",
        "cpuManagerPolicyOptions: {strict-cpu-reservation: \"true\"}\nberth: {partition: isolated}",
        KUBELETS,
        KUBELETS + "cpuManagerPolicy: static\nsystemReserved: {cpu: 1}\nsomethingElse: 1",
        KUBELETS
            + "memoryManagerPolicy: Static\nreservedMemory:\n"
            + "- {numaNode: 0, limits: {memory: 100Mi}}",
        KUBELETS
            + "memoryManagerPolicy: Static\nevictionHard: {memory.available: 0%}\n"
            + "kubeReserved: {cpu: 1, memory: 5Mi}\nreservedMemory:\n"
            + "- {numaNode: 0, limits: {memory: 5Mi}}"
      })
  void writtenSettingsReadBackToTheSame(String yaml) {
    NodeSettings settings = NodeSettings.read("given.yaml", yaml, List.of());
    String written = settings.yaml();
    NodeSettings again = NodeSettings.read("written.yaml", written, List.of());
    assertThat(again).as(written).isEqualTo(settings);
    assertThat(again.yaml()).isEqualTo(written);
  }
}
