package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.allocation.StaticOptions;
import dev.berth.hints.Reason;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every default, in one place: who changes one, changes it here too. */
class DefaultsTest {
  @Test
  void theDefaultsAreThoseOfKubernetes() {
    assertThat(Configuration.DEFAULTS.cpuPolicy()).isEqualTo(CpuPolicy.NONE);
    assertThat(Configuration.DEFAULTS.cpuOptions()).isEmpty();
    assertThat(Configuration.DEFAULTS.reservation()).isEqualTo(new Reservation.Nothing());
    assertThat(Configuration.DEFAULTS.gates()).isEqualTo(FeatureGates.DEFAULTS);
    assertThat(FeatureGates.DEFAULTS.settings()).isEmpty();
    assertThat(Configuration.DEFAULTS.topology())
        .isEqualTo(
            new TopologySettings(
                TopologySettings.Policy.NONE, TopologySettings.Scope.CONTAINER, Map.of()));
    assertThat(Configuration.DEFAULTS.memory())
        .isEqualTo(new MemorySettings(MemorySettings.Policy.NONE, Map.of()));
    assertThat(Gate.values())
        .extracting(Gate::kubernetesName, Gate::byDefault)
        .extracting(gate -> gate.toList().toString())
        .containsExactly(
            "[CPUManagerPolicyOptions, true]",
            "[CPUManagerPolicyAlphaOptions, false]",
            "[CPUManagerPolicyBetaOptions, true]",
            "[CPUManagerUncoreCacheAlign, false]",
            "[PodLevelResources, true]",
            "[PodLevelResourceManagers, false]");
    assertThat(StaticOptions.parse(Map.of(), FeatureGates.DEFAULTS)).isEqualTo(StaticOptions.NONE);
    assertThat(StaticOptions.NONE.on()).isEmpty();
    assertThat(StaticOptions.NONE.cacheBestFit()).isFalse();
  }

  @Test
  void namesAreThoseOfKubernetes() {
    assertThat(CpuPolicy.named("none")).isEqualTo(CpuPolicy.NONE);
    assertThat(CpuPolicy.named("static")).isEqualTo(CpuPolicy.STATIC);
    assertThat(Reason.values())
        .extracting(Reason::kubernetesName)
        .containsExactly(
            "UnexpectedAdmissionError",
            "SMTAlignmentError",
            "TopologyAffinityError",
            "EmptyPodSharedPoolError",
            "UncoreCacheAlignmentError");
  }
}
