package dev.berth.allocation;

import dev.berth.cpu.InvalidInputException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Kubernetes' feature gates, as far as they concern what Berth decides.
 *
 * @param settings the gates that were set, by name; the others have their defaults
 */
public record FeatureGates(Map<String, Boolean> settings) {
  /** A gate and what it is where nobody sets it, as in Kubernetes 1.36. */
  public enum Gate {
    /** Policy options at all; since 1.33 always on upstream. */
    CPU_MANAGER_POLICY_OPTIONS("CPUManagerPolicyOptions", true),
    /** Policy options of alpha quality. */
    CPU_MANAGER_POLICY_ALPHA_OPTIONS("CPUManagerPolicyAlphaOptions", false),
    /** Policy options of beta quality. */
    CPU_MANAGER_POLICY_BETA_OPTIONS("CPUManagerPolicyBetaOptions", true),
    /** KEP-2621: best fit by last-level cache. Never merged upstream; off unless asked for. */
    CPU_MANAGER_UNCORE_CACHE_ALIGN("CPUManagerUncoreCacheAlign", false),
    /** Pods may have a budget of their own, which then decides their class. */
    POD_LEVEL_RESOURCES("PodLevelResources", true),
    /** KEP-5526: a pod's own budget is placed as a whole and split among its containers. */
    POD_LEVEL_RESOURCE_MANAGERS("PodLevelResourceManagers", false);

    private final String kubernetesName;
    private final boolean byDefault;

    Gate(String kubernetesName, boolean byDefault) {
      this.kubernetesName = kubernetesName;
      this.byDefault = byDefault;
    }

    /** The name that Kubernetes uses. */
    public String kubernetesName() {
      return kubernetesName;
    }

    /** Whether it is on where nobody sets it. */
    public boolean byDefault() {
      return byDefault;
    }
  }

  /** All gates at their defaults. */
  public static final FeatureGates DEFAULTS = new FeatureGates(Map.of());

  /** Takes a copy, and refuses a gate that is not one of ours to know. */
  public FeatureGates {
    settings = Map.copyOf(settings);
    for (String name : settings.keySet()) {
      if (Arrays.stream(Gate.values()).noneMatch(gate -> gate.kubernetesName.equals(name))) {
        throw new InvalidInputException(
            "feature gate \""
                + name
                + "\": expected one of "
                + Arrays.stream(Gate.values())
                    .map(Gate::kubernetesName)
                    .collect(Collectors.joining(", ")));
      }
    }
  }

  /** The same with one gate set. */
  public FeatureGates with(Gate gate, boolean on) {
    Map<String, Boolean> changed = new LinkedHashMap<>(settings);
    changed.put(gate.kubernetesName, on);
    return new FeatureGates(changed);
  }

  /** Whether a gate is on. */
  public boolean isOn(Gate gate) {
    // Asked for every pod, and mostly nobody has set any.
    return settings.isEmpty()
        ? gate.byDefault
        : settings.getOrDefault(gate.kubernetesName, gate.byDefault);
  }
}
