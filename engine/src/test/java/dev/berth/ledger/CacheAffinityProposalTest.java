package dev.berth.ledger;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.testing.Regular;
import dev.berth.testing.Trial;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** KEP-2621: best fit by last-level cache, behind the gate CPUManagerUncoreCacheAlign. */
class CacheAffinityProposalTest {
  private static final FeatureGates ON =
      FeatureGates.DEFAULTS
          .with(Gate.CPU_MANAGER_UNCORE_CACHE_ALIGN, true)
          .with(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS, true);
  private static final Configuration TWO_RESERVED = Configuration.staticPolicy(CpuSet.range(0, 1));

  private static Configuration firstFit(Configuration configuration) {
    return configuration.withOption("prefer-align-cpus-by-uncorecache", "true");
  }

  @Test
  void theGateIsOffUnlessAskedFor() {
    assertThat(FeatureGates.DEFAULTS.isOn(Gate.CPU_MANAGER_UNCORE_CACHE_ALIGN)).isFalse();
  }

  /**
   * C1, the gate, and C2, a socket with more than one cache: both or nothing. Sixteen cores, under
   * two caches of one socket or one cache of each of two; 0-1 reserved; the second container of 4
   * shows whether caches counted.
   */
  @ParameterizedTest
  @CsvSource({
    "true, true, 8-11",
    "true, false, '6-7,8-9'",
    "false, true, 6-9",
    "false, false, '6-7,8-9'"
  })
  void itTakesTheGateAndSplitCaches(boolean gate, boolean split, String second) {
    Machine machine = split ? Regular.machine(1, 1, 2, 8, 1) : Regular.machine(2, 1, 1, 8, 1);
    FeatureGates gates = FeatureGates.DEFAULTS.with(Gate.CPU_MANAGER_UNCORE_CACHE_ALIGN, gate);
    assertThat(Trial.admit(machine, TWO_RESERVED.with(gates), 4, 4).getLast())
        .isEqualTo(CpuSet.parse(second).toString());
  }

  @Test
  void withoutSplitCachesThatIsSaid() {
    Node node = Node.start(Regular.machine(1, 1, 1, 8, 1), TWO_RESERVED.with(ON));
    assertThat(node.notes())
        .singleElement(as(STRING))
        .startsWith("CPUManagerUncoreCacheAlign has no effect on this machine: ");
  }

  /** Node 0 has a cache with 8 free and node 1 one with just 3; the policy agrees on node 0. */
  @Test
  void thatAnAgreedNodeKeepsItFromTheBestCacheIsSaid() {
    Machine machine = Regular.machine(2, 1, 3, 8, 1);
    Configuration shaped =
        Configuration.staticPolicy(CpuSet.parse("12-23,43-47"))
            .with(ON)
            .with(
                new TopologySettings(
                    TopologySettings.Policy.BEST_EFFORT,
                    TopologySettings.Scope.CONTAINER,
                    Map.of()));
    Node node = Node.start(machine, shaped);
    assertThat(node.notes())
        .containsExactly(
            "CPUManagerUncoreCacheAlign: under topologyManagerPolicy best-effort best fit looks at"
                + " the L3 caches of the agreed NUMA nodes, not of the machine");
    assertThat(node.admit(Pod.guaranteed("pod", 3)).why().lines())
        .anyMatch(line ->
            line.contains(
                "best fit of the machine would be the L3 cache with 40-42; on the agreed NUMA nodes"
                    + " 0 it is the one with 8-11"));
  }

  /** On 32 cores under four caches: none has 16 free, so it goes on as if there were none. */
  @Test
  void whatFitsNoCacheIsPacked() {
    Machine machine = Regular.machine(1, 1, 4, 8, 1);
    assertThat(Trial.admit(machine, TWO_RESERVED.with(ON), 16))
        .isEqualTo(Trial.admit(machine, TWO_RESERVED, 16))
        .containsExactly("2-17");
  }

  /** One core's worth or less is left to the rules for cores. */
  @Test
  void itIsForMoreThanACore() {
    Machine machine = Regular.machine(1, 1, 2, 4, 2);
    Configuration configuration = Configuration.staticPolicy(CpuSet.parse("0-2,8-10"));
    assertThat(Trial.admit(machine, configuration.with(ON), 2, 1))
        .isEqualTo(Trial.admit(machine, configuration, 2, 1))
        .containsExactly("3,11", "4");
  }

  /**
   * Best fit looks at the whole machine for the cache that a request fills best; first fit goes
   * node by node, the fullest first. Two nodes with three caches of 8; free are 8 and 4 CPUs under
   * the caches of node 0, and 8, 8 and 3 under those of node 1.
   *
   * <p>A request of 3 just fills the cache with 3 on node 1, and one of 4 the cache with 4. First
   * fit breaks the 4 for the 3 and then an 8 for the 4, and of the three requests of 8 that follow
   * the last one lies on three caches.
   */
  @Test
  void bestFitIsBetterWhereTheCacheThatFitsIsOnAnotherNode() {
    Machine machine = Regular.machine(2, 1, 3, 8, 1);
    Configuration shaped = Configuration.staticPolicy(CpuSet.parse("12-23,43-47"));
    assertThat(Trial.admit(machine, shaped.with(ON), 3, 4, 8, 8, 8))
        .containsExactly("40-42", "8-11", "0-7", "24-31", "32-39");
    assertThat(Trial.admit(machine, firstFit(shaped), 3, 4, 8, 8, 8))
        .containsExactly("8-10", "0-3", "24-31", "32-39", "4-7,11,40-42");
  }

  /** 16 CPUs, two caches' worth: first fit takes two whole ones, best fit packs across three. */
  @Test
  void firstFitIsBetterForMoreThanOneCache() {
    Machine machine = Regular.machine(1, 1, 4, 8, 1);
    assertThat(Trial.admit(machine, firstFit(TWO_RESERVED), 16)).containsExactly("8-23");
    assertThat(Trial.admit(machine, TWO_RESERVED.with(ON), 16)).containsExactly("2-17");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prefer-align-cpus-by-uncorecache",
        "distribute-cpus-across-numa",
        "distribute-cpus-across-cores"
      })
  void itIsRefusedTogetherWithOtherIdeasOfWhatGoesWhere(String option) {
    Configuration both = TWO_RESERVED.with(ON).withOption(option, "true");
    Machine machine = Regular.machine(2, 1, 2, 4, 2);
    assertThatThrownBy(() -> Node.start(machine, both))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "cpuManagerPolicyOptions: expected one of CPUManagerUncoreCacheAlign and "
                + option
                + ", found both; they cannot be used at the same time");
    assertThat(Node.start(machine, both.withOption(option, "false")).notes()).isEmpty();
  }
}
