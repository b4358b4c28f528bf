package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cgroup.Limit;
import dev.berth.cgroup.Quota;
import dev.berth.cgroup.Settings;
import dev.berth.kubelet.RunnablePod;
import dev.berth.ledger.Conditions;
import dev.berth.workload.Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsTest {
  private static Pod pod(String containers) {
    String yaml =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p}
        spec: {%s}
        """
            .formatted(containers);
    return RunnablePod.read("p.yaml", yaml).getFirst().manifest().pod();
  }

  private static Pod one(String resources) {
    return pod("containers: [{name: c, command: [x], resources: " + resources + "}]");
  }

  private static Settings container(String resources, boolean exclusive) {
    return Limits.of(one(resources).containers().getFirst(), exclusive);
  }

  @ParameterizedTest
  @CsvSource({"1m, 2", "100m, 102", "1, 1024", "2500m, 2560", "1000, 262144"})
  void aCpuIs1024Shares(String cpus, int shares) {
    assertThat(container("{requests: {cpu: " + cpus + "}}", false).weight()).hasValue(shares);
  }

  @ParameterizedTest
  @CsvSource({"1m, 1000", "10m, 1000", "500m, 50000", "2, 200000"})
  void aCpuIsAHundredMillisecondsOfAHundred(String cpus, long micros) {
    assertThat(container("{limits: {cpu: " + cpus + "}}", false).quota())
        .contains(Quota.of(micros));
  }

  @Test
  void noQuotaKeepsAContainerFromItsOwnCpus() {
    assertThat(container("{limits: {cpu: 2, memory: 1Gi}}", true).quota())
        .contains(Quota.unlimited());
    assertThat(Limits.of(one("{limits: {cpu: 2, memory: 1Gi}}"), true).quota())
        .contains(Quota.unlimited());
  }

  @Test
  void whatIsNotLimitedIsWrittenAsUnlimited() {
    Settings settings = container("{}", false);
    assertThat(settings.quota()).contains(Quota.unlimited());
    assertThat(settings.memory()).contains(Limit.unlimited());
    assertThat(settings.weight()).hasValue(2);
    assertThat(settings.cpus()).isEmpty();
  }

  @Test
  void hugepagesAreLimitedBySize() {
    assertThat(container("{limits: {hugepages-2Mi: 8Mi, hugepages-1Gi: 2Gi, cpu: 1}}", false))
        .extracting(Settings::hugepages)
        .asString()
        .isEqualTo("{2097152=Bytes[bytes=8388608], 1073741824=Bytes[bytes=2147483648]}");
    assertThat(Conditions.asksForHugepages(one("{limits: {hugepages-2Mi: 8Mi, cpu: 1}}"))).isTrue();
    assertThat(Conditions.asksForHugepages(one("{limits: {cpu: 1}}"))).isFalse();
  }

  @Test
  void aPodMayUseWhatItsContainersMayTogether() {
    Pod pod =
        pod(
            "initContainers: [{name: i, command: [x], resources: {limits: {cpu: 3, memory: 1Mi}}}],"
                + " containers: [{name: a, command: [x], resources: {limits: {cpu: 1, memory:"
                + " 2Mi}}}, {name: b, command: [x], resources: {limits: {cpu: 500m, memory:"
                + " 3Mi}}}]");
    Settings settings = Limits.of(pod, false);
    assertThat(settings.quota()).as("the init container's").contains(Quota.of(300_000));
    assertThat(settings.memory()).contains(Limit.of(5 << 20));
    assertThat(settings.weight()).hasValue(1536);
  }

  @Test
  void aPodWithAnUnlimitedContainerIsUnlimited() {
    Pod pod =
        pod(
            "containers: [{name: a, command: [x], resources: {limits: {cpu: 1, memory: 2Mi}}},"
                + " {name: b, command: [x]}]");
    assertThat(Limits.of(pod, false).quota()).contains(Quota.unlimited());
    assertThat(Limits.of(pod, false).memory()).contains(Limit.unlimited());
  }

  @Test
  void aPodsOwnBudgetIsItsLimit() {
    Pod pod =
        pod("resources: {limits: {cpu: 4, memory: 1Gi}}, containers: [{name: a, command: [x]}]");
    assertThat(Limits.of(pod, false).quota()).contains(Quota.of(400_000));
    assertThat(Limits.of(pod, false).memory()).contains(Limit.of(1 << 30));
  }
}
