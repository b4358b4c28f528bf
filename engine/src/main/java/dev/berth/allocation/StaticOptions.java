package dev.berth.allocation;

import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.InvalidInputException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The options of the static policy that are on.
 *
 * @param on the options; pairs that contradict each other are refused
 * @param cacheBestFit whether caches are filled best fit first (KEP-2621's gate)
 */
public record StaticOptions(Set<StaticOption> on, boolean cacheBestFit) {
  private static final List<List<StaticOption>> IMPOSSIBLE =
      List.of(
          List.of(StaticOption.FULL_PCPUS_ONLY, StaticOption.DISTRIBUTE_ACROSS_CORES),
          List.of(StaticOption.DISTRIBUTE_ACROSS_NUMA, StaticOption.DISTRIBUTE_ACROSS_CORES),
          List.of(StaticOption.PREFER_ALIGN_BY_CACHE, StaticOption.DISTRIBUTE_ACROSS_CORES),
          List.of(StaticOption.PREFER_ALIGN_BY_CACHE, StaticOption.DISTRIBUTE_ACROSS_NUMA),
          List.of(StaticOption.STRICT_ALIGN_BY_CACHE, StaticOption.DISTRIBUTE_ACROSS_CORES),
          List.of(StaticOption.STRICT_ALIGN_BY_CACHE, StaticOption.DISTRIBUTE_ACROSS_NUMA));

  /**
   * What the gate of KEP-2621 cannot be combined with: each has another idea of what goes where.
   */
  private static final List<StaticOption> NOT_WITH_BEST_FIT =
      List.of(
          StaticOption.PREFER_ALIGN_BY_CACHE,
          StaticOption.DISTRIBUTE_ACROSS_NUMA,
          StaticOption.DISTRIBUTE_ACROSS_CORES);

  /** No option. */
  public static final StaticOptions NONE = new StaticOptions(Set.of(), false);

  /** Refuses impossible pairs. */
  public StaticOptions {
    on = Set.copyOf(on);
    for (List<StaticOption> pair : IMPOSSIBLE) {
      if (on.containsAll(pair)) {
        throw refusal(pair.get(0).kubernetesName(), pair.get(1).kubernetesName());
      }
    }
    for (StaticOption other : NOT_WITH_BEST_FIT) {
      if (cacheBestFit && on.contains(other)) {
        throw refusal(Gate.CPU_MANAGER_UNCORE_CACHE_ALIGN.kubernetesName(), other.kubernetesName());
      }
    }
  }

  private static InvalidInputException refusal(String one, String other) {
    return new InvalidInputException(
        "cpuManagerPolicyOptions: expected one of "
            + one
            + " and "
            + other
            + ", found both; they cannot be used at the same time");
  }

  /**
   * Reads options as a kubelet's configuration has them.
   *
   * @param values by name, {@code true} or {@code false}
   * @throws InvalidInputException for an unknown name, a gate that is off, a bad value or an
   *     impossible pair
   */
  public static StaticOptions parse(Map<String, String> values, FeatureGates gates) {
    if (!values.isEmpty() && !gates.isOn(Gate.CPU_MANAGER_POLICY_OPTIONS)) {
      throw new InvalidInputException(
          "cpuManagerPolicyOptions: expected none while the feature gate "
              + Gate.CPU_MANAGER_POLICY_OPTIONS.kubernetesName()
              + " is off, found "
              + new TreeMap<>(values).keySet());
    }
    boolean bestFit = gates.isOn(Gate.CPU_MANAGER_UNCORE_CACHE_ALIGN);
    if (values.isEmpty() && !bestFit) {
      return NONE;
    }
    Set<StaticOption> on = EnumSet.noneOf(StaticOption.class);
    new TreeMap<>(values)
        .forEach((name, value) -> {
          StaticOption option = named(name);
          option.checkGate(gates);
          if (Truth.of("cpuManagerPolicyOptions", name, value)) {
            on.add(option);
          }
        });
    return new StaticOptions(on, bestFit);
  }

  private static StaticOption named(String name) {
    return Arrays.stream(StaticOption.values())
        .filter(option -> option.kubernetesName().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new InvalidInputException(
                "cpuManagerPolicyOptions: expected names among "
                    + Arrays.stream(StaticOption.values())
                        .map(StaticOption::kubernetesName)
                        .collect(Collectors.joining(", "))
                    + ", found \""
                    + name
                    + "\""));
  }

  /** Whether an option is on. */
  public boolean has(StaticOption option) {
    return on.contains(option);
  }
}
