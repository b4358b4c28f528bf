package dev.berth.kubelet;

import static dev.berth.kubelet.SettingsFile.KUBELET;
import static dev.berth.kubelet.SettingsFile.configuration;
import static dev.berth.kubelet.SettingsFile.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.MemorySettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Memory that is reserved on NUMA nodes goes with what is reserved of the machine. */
class ReservedMemorySettingsTest {
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
}
