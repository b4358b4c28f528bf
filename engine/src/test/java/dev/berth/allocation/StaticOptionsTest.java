package dev.berth.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.InvalidInputException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StaticOptionsTest {
  private static final FeatureGates ALL_OPTIONS =
      FeatureGates.DEFAULTS.with(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS, true);

  @ParameterizedTest
  @EnumSource
  void everyOptionIsReadByItsName(StaticOption option) {
    StaticOptions options =
        StaticOptions.parse(Map.of(option.kubernetesName(), "true"), ALL_OPTIONS);
    assertThat(options.on()).containsExactly(option);
    assertThat(options.has(option)).isTrue();
    assertThat(StaticOptions.parse(Map.of(option.kubernetesName(), "false"), ALL_OPTIONS))
        .isEqualTo(StaticOptions.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "t", "T", "true", "True", "TRUE"})
  void everySpellingOfTrueThatAKubeletTakesCounts(String value) {
    assertThat(StaticOptions.parse(Map.of("full-pcpus-only", value), FeatureGates.DEFAULTS).on())
        .containsExactly(StaticOption.FULL_PCPUS_ONLY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "f", "F", "false", "False", "FALSE"})
  void everySpellingOfFalseThatAKubeletTakesCounts(String value) {
    assertThat(StaticOptions.parse(Map.of("full-pcpus-only", value), FeatureGates.DEFAULTS).on())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yes", "on", "tRUE", " true", "2"})
  void otherValuesAreRefused(String value) {
    refuses(
        Map.of("full-pcpus-only", value),
        FeatureGates.DEFAULTS,
        "cpuManagerPolicyOptions: full-pcpus-only: expected true or false, found \""
            + value
            + "\"");
  }

  @Test
  void anUnknownNameIsRefusedAndTheKnownOnesAreNamed() {
    refuses(
        Map.of("full-cpus-only", "true"),
        FeatureGates.DEFAULTS,
        "cpuManagerPolicyOptions: expected names among full-pcpus-only,"
            + " distribute-cpus-across-numa, align-by-socket, distribute-cpus-across-cores,"
            + " strict-cpu-reservation, prefer-align-cpus-by-uncorecache,"
            + " strict-align-cpus-by-uncorecache, found \"full-cpus-only\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"align-by-socket", "distribute-cpus-across-cores"})
  void alphaOptionsNeedTheirGateEvenToBeSetToFalse(String name) {
    refuses(
        Map.of(name, "false"),
        FeatureGates.DEFAULTS,
        "cpuManagerPolicyOptions: "
            + name
            + ": expected the feature gate CPUManagerPolicyAlphaOptions to be on, found it off");
  }

  @Test
  void betaOptionsNeedTheirGateWhichIsOnByDefault() {
    Map<String, String> distribute = Map.of("distribute-cpus-across-numa", "true");
    assertThat(StaticOptions.parse(distribute, FeatureGates.DEFAULTS).on()).hasSize(1);
    refuses(
        distribute,
        FeatureGates.DEFAULTS.with(Gate.CPU_MANAGER_POLICY_BETA_OPTIONS, false),
        "cpuManagerPolicyOptions: distribute-cpus-across-numa: expected the feature gate"
            + " CPUManagerPolicyBetaOptions to be on, found it off");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "full-pcpus-only",
        "strict-cpu-reservation",
        "prefer-align-cpus-by-uncorecache",
        "strict-align-cpus-by-uncorecache"
      })
  void stableOptionsNeedNeither(String name) {
    FeatureGates off =
        FeatureGates.DEFAULTS
            .with(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS, false)
            .with(Gate.CPU_MANAGER_POLICY_BETA_OPTIONS, false);
    assertThat(StaticOptions.parse(Map.of(name, "true"), off).on()).hasSize(1);
  }

  @Test
  void withoutTheGateForOptionsThereAreNone() {
    FeatureGates off = FeatureGates.DEFAULTS.with(Gate.CPU_MANAGER_POLICY_OPTIONS, false);
    assertThat(StaticOptions.parse(Map.of(), off)).isEqualTo(StaticOptions.NONE);
    refuses(
        Map.of("full-pcpus-only", "true"),
        off,
        "cpuManagerPolicyOptions: expected none while the feature gate CPUManagerPolicyOptions is"
            + " off, found [full-pcpus-only]");
  }

  @ParameterizedTest
  @CsvSource({
    "full-pcpus-only, distribute-cpus-across-cores",
    "distribute-cpus-across-numa, distribute-cpus-across-cores",
    "prefer-align-cpus-by-uncorecache, distribute-cpus-across-cores",
    "prefer-align-cpus-by-uncorecache, distribute-cpus-across-numa",
    "strict-align-cpus-by-uncorecache, distribute-cpus-across-cores",
    "strict-align-cpus-by-uncorecache, distribute-cpus-across-numa"
  })
  void pairsThatContradictEachOtherAreRefused(String one, String other) {
    refuses(
        Map.of(one, "true", other, "true"),
        ALL_OPTIONS,
        "cpuManagerPolicyOptions: expected one of "
            + one
            + " and "
            + other
            + ", found both; they cannot be used at the same time");
    assertThat(StaticOptions.parse(Map.of(one, "true", other, "false"), ALL_OPTIONS).on())
        .hasSize(1);
  }

  /** Six pairs of 21; every other one is accepted, and nothing is refused that has none of them. */
  @Test
  void allOtherPairsAreAccepted() {
    int accepted = 0;
    for (StaticOption one : StaticOption.values()) {
      for (StaticOption other : StaticOption.values()) {
        if (one.compareTo(other) < 0 && isAccepted(Set.of(one, other))) {
          accepted++;
        }
      }
    }
    assertThat(accepted).isEqualTo(21 - 6);
  }

  private static boolean isAccepted(Set<StaticOption> on) {
    try {
      return new StaticOptions(on, false).on().equals(on);
    } catch (InvalidInputException e) {
      return false;
    }
  }

  @Test
  void theGateOfBestFitIsPartOfTheOptions() {
    FeatureGates on = FeatureGates.DEFAULTS.with(Gate.CPU_MANAGER_UNCORE_CACHE_ALIGN, true);
    assertThat(StaticOptions.parse(Map.of(), on).cacheBestFit()).isTrue();
    assertThat(StaticOptions.parse(Map.of(), FeatureGates.DEFAULTS).cacheBestFit()).isFalse();
  }

  @Test
  void anUnknownGateIsRefused() {
    assertThatThrownBy(() -> new FeatureGates(Map.of("CPUManager", true)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith(
            "feature gate \"CPUManager\": expected one of CPUManagerPolicyOptions,");
  }

  private static void refuses(Map<String, String> values, FeatureGates gates, String message) {
    assertThatThrownBy(() -> StaticOptions.parse(values, gates))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(message);
  }
}
