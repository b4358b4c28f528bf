package dev.berth.kubelet;

import static dev.berth.kubelet.SettingsFile.read;
import static dev.berth.kubelet.SettingsFile.refuses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file cannot say, each in one line that names the place. */
class RefusedSettingsTest {
  @Test
  void anUnknownKeyOfOurOwnIsAnErrorThatNamesTheNearest() {
    refuses(
        "cpuManagerPolicy: static\ncpuManagerPolcy: none\n",
        "berth.yaml:2: expected a known key, found \"cpuManagerPolcy\", did you mean"
            + " cpuManagerPolicy?");
    refuses(
        "berth:\n  allowEmptyPool: true\n",
        "berth.yaml:2: berth: expected a known key, found \"allowEmptyPool\"; known are"
            + " allowEmptySharedPool, partition, manifests, devices, devicePlugins, podResources,"
            + " logFormat, containerLogMaxSize, httpNames");
    refuses(
        "systemReserved:\n  cpus: 1\n",
        "berth.yaml:2: systemReserved: expected a known key, found \"cpus\", did you mean cpu?");
    assertThatThrownBy(() -> read("maxPods: 110"))
        .hasMessageStartingWith("berth.yaml:1: expected a known key, found \"maxPods\"; known are");
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
  void aKeyOfAnyLengthIsShownShort() {
    String key = "k".repeat(900);
    assertThatThrownBy(() -> read("systemReserved:\n  " + key + ": {a: 1}\n"))
        .hasMessageContaining("kkk...")
        .message()
        .hasSizeLessThan(300);
    String pod =
        "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, command:"
            + " [x], "
            + key
            + ": {b: 1}}]}}";
    assertThatThrownBy(() -> RunnablePod.read("pods", pod))
        .hasMessageContaining("kkk...")
        .message()
        .hasSizeLessThan(300);
  }
}
