package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Isolation.Rest;
import dev.berth.cpu.CpuSet;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.OwnSettings.CpuPartition;
import java.util.List;
import org.junit.jupiter.api.Test;

class IsolationTest {
  private static final CpuSet EIGHT = CpuSet.range(0, 7);

  private static String reserved(CpuSet machine, int own, Rest rest) {
    String yaml = Isolation.settings(machine, own, rest).orElseThrow();
    assertThat(NodeSettings.read("brought", yaml, List.of()).own().partition())
        .isEqualTo(CpuPartition.ISOLATED);
    return yaml.lines().findFirst().orElseThrow();
  }

  @Test
  void theRestOfTheMachineKeepsAllThatACommandDoesNotNeed() {
    assertThat(reserved(EIGHT, 1, Rest.SYSTEM)).isEqualTo("reservedSystemCPUs: \"0-5\"");
    assertThat(reserved(EIGHT, 4, Rest.SYSTEM)).isEqualTo("reservedSystemCPUs: \"0-2\"");
    assertThat(reserved(CpuSet.of(1, 5, 9), 1, Rest.SYSTEM)).isEqualTo("reservedSystemCPUs: \"1\"");
  }

  @Test
  void neighboursHaveAllButTheLowest() {
    assertThat(reserved(EIGHT, 1, Rest.NEIGHBOURS)).isEqualTo("reservedSystemCPUs: \"0\"");
  }

  @Test
  void theSystemAndThePoolHaveToHaveACpuEach() {
    assertThat(Isolation.settings(CpuSet.range(0, 1), 1, Rest.NEIGHBOURS)).isEmpty();
    assertThat(Isolation.settings(EIGHT, 7, Rest.SYSTEM)).isEmpty();
    assertThat(Isolation.settings(EIGHT, 6, Rest.SYSTEM)).isPresent();
  }

  @Test
  void kernelsKnowIsolatedPartitionsSince61() {
    assertThat(List.of("6.1.0-31-cloud-amd64", "6.18.3", "7.0", "10.2-rc1"))
        .allMatch(Isolation::isNewEnough);
    assertThat(List.of("6.0.19", "5.15.0-91-generic", "4.18", "", "six.one", "6"))
        .noneMatch(Isolation::isNewEnough);
  }
}
