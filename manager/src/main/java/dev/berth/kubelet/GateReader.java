package dev.berth.kubelet;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads feature gates: those that we know, and the two that stand for all of a quality.
 *
 * @param kubelets whether a gate that we do not know is none of our business
 */
record GateReader(boolean kubelets) {
  /** What {@code AllAlpha} and {@code AllBeta} mean for us, as of Kubernetes 1.36. */
  private static final Map<String, List<Gate>> ALL =
      Map.of(
          "AllAlpha",
          List.of(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS, Gate.POD_LEVEL_RESOURCE_MANAGERS),
          "AllBeta",
          List.of(Gate.CPU_MANAGER_POLICY_BETA_OPTIONS, Gate.POD_LEVEL_RESOURCES));

  FeatureGates read(Optional<YamlField> field) {
    return field.map(this::read).orElse(FeatureGates.DEFAULTS);
  }

  /** A gate that is named counts for more than one of the two, wherever it stands. */
  private FeatureGates read(YamlField field) {
    Map<String, Boolean> gates = new LinkedHashMap<>();
    Map<String, YamlField> named = field.fields();
    ALL.forEach((all, members) -> {
      YamlField value = named.get(all);
      if (value != null) {
        boolean on = value.truth();
        members.forEach(gate -> gates.put(gate.kubernetesName(), on));
      }
    });
    named.forEach((name, value) -> {
      if (!ALL.containsKey(name) && (isKnown(name) || !kubelets)) {
        gates.put(name, value.truth());
      }
    });
    return field.within(() -> new FeatureGates(gates));
  }

  private static boolean isKnown(String name) {
    return Arrays.stream(Gate.values()).anyMatch(gate -> gate.kubernetesName().equals(name));
  }
}
