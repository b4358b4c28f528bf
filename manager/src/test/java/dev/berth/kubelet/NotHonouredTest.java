package dev.berth.kubelet;

import static dev.berth.kubelet.SettingsFile.KUBELET;
import static dev.berth.kubelet.SettingsFile.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.allocation.FeatureGates.Gate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a kubelet's file says and does not get is named; what is none of our business is not. */
class NotHonouredTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nodeStatusUpdateFrequency: 5s|nodeStatusUpdateFrequency: 5s is not honoured: how often"
            + " Berth reconciles is cpuManagerReconcilePeriod's to say",
        "featureGates: {TopologyManager: false}|featureGates.TopologyManager: false is not"
            + " honoured: Berth always has it on",
        "featureGates: {MemoryQoS: true}|featureGates.MemoryQoS: true is not honoured: Berth does"
            + " not have it",
        "cpuCFSQuota: false|cpuCFSQuota: false is not honoured: Berth limits the CPU time of"
            + " containers on the shared pool",
        "memorySwap: {swapBehavior: LimitedSwap}|memorySwap is not honoured: Berth has no such"
            + " setting",
        "qosReserved: {memory: 50%}|qosReserved is not honoured: Berth has no such setting"
      })
  void namesWhatDoesNotHold(String setting, String line) {
    assertThat(read(KUBELET + setting).notHonoured()).containsExactly("berth.yaml:3: " + line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "maxPods: 250",
        "clusterDNS: [10.0.0.10]",
        "nodeStatusUpdateFrequency: 0s",
        "syncFrequency: \"\"",
        "memorySwap: {}",
        "cpuCFSQuota: true",
        "evictionHard: {memory.available: 100Mi}",
        "featureGates: {TopologyManager: true, CPUManager: true, DevicePlugins: true}",
        "featureGates: {MemoryQoS: false, NodeSwap: false}",
        "featureGates: {GracefulNodeShutdown: true, TopologyAwareHints: true}"
      })
  void passesOverWhatHoldsAnywayOrIsAboutSomethingElse(String setting) {
    assertThat(read(KUBELET + setting).notHonoured()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Gate.class)
  void gatesThatBerthKnowsAreHonoured(Gate gate) {
    for (boolean on : new boolean[] {false, true}) {
      assertThat(
              read(KUBELET + "featureGates: {" + gate.kubernetesName() + ": " + on + "}")
                  .notHonoured())
          .isEmpty();
    }
  }

  @Test
  void namesEachOnceInTheOrderOfTheFile() {
    assertThat(
            read(KUBELET
                    + """
                    syncFrequency: 30s
                    featureGates:
                      CPUManager: false
                      DynamicResourceAllocation: true
                    podsPerCore: 10
                    """)
                .notHonoured())
        .extracting(line -> line.substring(0, line.indexOf(" is not")))
        .containsExactly(
            "berth.yaml:3: syncFrequency: 30s",
            "berth.yaml:7: podsPerCore: 10",
            "berth.yaml:5: featureGates.CPUManager: false",
            "berth.yaml:6: featureGates.DynamicResourceAllocation: true");
  }
}
