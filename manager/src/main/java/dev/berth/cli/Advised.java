package dev.berth.cli;

import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.allocation.StaticOption;
import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.Reservation;
import dev.berth.topology.Machine;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What to write into a configuration to have what was recommended. A kubelet starts with it as
 * well, unless a line says that something is Berth's own.
 */
record Advised(Configuration configuration, Machine machine) {
  private static final String OWN = " # Berth's own: a kubelet does not start with ";

  String text() {
    StringBuilder yaml = new StringBuilder();
    yaml.append("cpuManagerPolicy: ")
        .append(configuration.cpuPolicy().kubernetesName())
        .append('\n');
    options(yaml);
    reservation(yaml);
    yaml.append("topologyManagerPolicy: ")
        .append(configuration.topology().policy().kubernetesName())
        .append("\ntopologyManagerScope: ")
        .append(configuration.topology().scope().kubernetesName())
        .append('\n');
    topologyOptions(yaml);
    gates(yaml);
    return yaml.toString();
  }

  private void options(StringBuilder yaml) {
    String options =
        configuration.optionsOn().stream()
            .map(option -> option + ": \"true\"")
            .collect(Collectors.joining(", "));
    if (!options.isEmpty()) {
      String strict = StaticOption.STRICT_ALIGN_BY_CACHE.kubernetesName();
      yaml.append("cpuManagerPolicyOptions: {")
          .append(options)
          .append('}')
          .append(configuration.optionsOn().contains(strict) ? OWN + strict : "")
          .append('\n');
    }
  }

  /** The static policy of a kubelet does not start where nothing is reserved, and Berth's does. */
  private void reservation(StringBuilder yaml) {
    switch (configuration.reservation()) {
      case Reservation.LowestCpu _ -> {
        if (configuration.cpuPolicy() == CpuPolicy.STATIC) {
          reserved(yaml, CpuSet.of(machine.cpus().first()));
        }
      }
      case Reservation.These these -> reserved(yaml, these.cpus());
      // An amount may stand in two places of the given file; the sum beside them would be too much.
      case Reservation.Amount _, Reservation.Nothing _ -> {}
    }
  }

  private static void reserved(StringBuilder yaml, CpuSet cpus) {
    yaml.append("reservedSystemCPUs: \"").append(cpus).append("\"\n");
  }

  private void topologyOptions(StringBuilder yaml) {
    if (!configuration.topology().options().isEmpty()) {
      yaml.append("topologyManagerPolicyOptions")
          .append(
              new TreeMap<>(configuration.topology().options())
                  .entrySet().stream()
                      .map(option -> option.getKey() + ": \"" + option.getValue() + '"')
                      .collect(Collectors.joining(", ", ": {", "}\n")));
    }
  }

  /** Those that decide on what is recommended; others stay as they are. */
  private void gates(StringBuilder yaml) {
    String own = Gate.CPU_MANAGER_UNCORE_CACHE_ALIGN.kubernetesName();
    Map<String, Boolean> gates = new TreeMap<>();
    if (configuration.gates().isOn(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS)) {
      gates.put(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS.kubernetesName(), true);
    }
    Boolean cacheAlign = configuration.gates().settings().get(own);
    if (cacheAlign != null) {
      gates.put(own, cacheAlign);
    }
    if (!gates.isEmpty()) {
      yaml.append("featureGates")
          .append(
              gates.entrySet().stream()
                  .map(gate -> gate.getKey() + ": " + gate.getValue())
                  .collect(Collectors.joining(", ", ": {", "}")))
          .append(cacheAlign == null ? "" : OWN + own)
          .append('\n');
    }
  }
}
