package dev.berth.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.allocation.FeatureGates;
import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Reservation;
import dev.berth.ledger.TopologySettings;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CandidatesTest {
  /** No two are equal, and each differs from the first in one part alone. */
  private static List<Configuration> each() {
    return List.of(
        configuration(CpuPolicy.STATIC, Map.of(), Map.of(), 0, topology(Map.of()), Map.of()),
        configuration(CpuPolicy.NONE, Map.of(), Map.of(), 0, topology(Map.of()), Map.of()),
        configuration(
            CpuPolicy.STATIC,
            Map.of("full-pcpus-only", "true"),
            Map.of(),
            0,
            topology(Map.of()),
            Map.of()),
        configuration(
            CpuPolicy.STATIC,
            Map.of(),
            Map.of("CPUManagerPolicyAlphaOptions", true),
            0,
            topology(Map.of()),
            Map.of()),
        configuration(CpuPolicy.STATIC, Map.of(), Map.of(), 1, topology(Map.of()), Map.of()),
        configuration(
            CpuPolicy.STATIC,
            Map.of(),
            Map.of(),
            0,
            new TopologySettings(Policy.RESTRICTED, Scope.CONTAINER, Map.of()),
            Map.of()),
        configuration(
            CpuPolicy.STATIC,
            Map.of(),
            Map.of(),
            0,
            new TopologySettings(Policy.BEST_EFFORT, Scope.POD, Map.of()),
            Map.of()),
        configuration(
            CpuPolicy.STATIC,
            Map.of(),
            Map.of(),
            0,
            topology(Map.of("prefer-closest-numa-nodes", "true")),
            Map.of()),
        configuration(
            CpuPolicy.STATIC,
            Map.of(),
            Map.of(),
            0,
            topology(Map.of()),
            Map.of(0, Map.of("memory", 1L << 30))));
  }

  private static TopologySettings topology(Map<String, String> options) {
    return new TopologySettings(Policy.BEST_EFFORT, Scope.CONTAINER, options);
  }

  private static Configuration configuration(
      CpuPolicy policy,
      Map<String, String> options,
      Map<String, Boolean> gates,
      int reserved,
      TopologySettings topology,
      Map<Integer, Map<String, Long>> memory) {
    return new Configuration(
        policy,
        options,
        new FeatureGates(gates),
        new Reservation.These(CpuSet.of(reserved)),
        topology,
        new MemorySettings(MemorySettings.Policy.STATIC, memory));
  }

  @Test
  void isSameWhereEqualsSaysSo() {
    List<Configuration> again = each();
    for (Configuration one : each()) {
      for (Configuration other : again) {
        assertThat(Candidates.isSame(one, other))
            .as("%s and %s", one, other)
            .isEqualTo(one.equals(other));
      }
    }
    assertThat(again).doesNotHaveDuplicates();
  }

  @Test
  void aPartThatIsNewMustBeComparedToo() {
    assertThat(Configuration.class.getRecordComponents()).hasSize(6);
    assertThat(TopologySettings.class.getRecordComponents()).hasSize(3);
    assertThat(FeatureGates.class.getRecordComponents()).hasSize(1);
  }
}
