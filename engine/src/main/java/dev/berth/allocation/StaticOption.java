package dev.berth.allocation;

import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.InvalidInputException;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.Optional;

/** An option of the static policy, by the name that Kubernetes gives it. */
public enum StaticOption {
  /** Only whole cores are given away. */
  FULL_PCPUS_ONLY("full-pcpus-only", Maturity.STABLE),
  /** Requests that need several NUMA nodes are dealt out evenly over them (KEP-2902). */
  DISTRIBUTE_ACROSS_NUMA("distribute-cpus-across-numa", Maturity.BETA),
  /** Alignment is by socket rather than by NUMA node. */
  ALIGN_BY_SOCKET("align-by-socket", Maturity.ALPHA),
  /** CPUs are spread over physical cores rather than packed. */
  DISTRIBUTE_ACROSS_CORES("distribute-cpus-across-cores", Maturity.ALPHA),
  /** Reserved CPUs are kept out of the shared pool too. */
  STRICT_RESERVATION("strict-cpu-reservation", Maturity.STABLE),
  /** Last-level caches are filled first fit, where that is possible (KEP-4800). */
  PREFER_ALIGN_BY_CACHE("prefer-align-cpus-by-uncorecache", Maturity.STABLE),
  /** Berth's own: a request that fits one last-level cache gets one, or is refused. */
  STRICT_ALIGN_BY_CACHE("strict-align-cpus-by-uncorecache", Maturity.STABLE);

  private enum Maturity {
    ALPHA,
    BETA,
    STABLE
  }

  private final String kubernetesName;
  private final Maturity maturity;

  StaticOption(String kubernetesName, Maturity maturity) {
    this.kubernetesName = kubernetesName;
    this.maturity = maturity;
  }

  /** The name in configuration files. */
  public String kubernetesName() {
    return kubernetesName;
  }

  void checkGate(FeatureGates gates) {
    switch (maturity) {
      case ALPHA -> require(gates, Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS);
      case BETA -> require(gates, Gate.CPU_MANAGER_POLICY_BETA_OPTIONS);
      case STABLE -> {}
    }
  }

  private void require(FeatureGates gates, Gate gate) {
    if (!gates.isOn(gate)) {
      throw new InvalidInputException(
          "cpuManagerPolicyOptions: "
              + kubernetesName
              + ": expected the feature gate "
              + gate.kubernetesName()
              + " to be on, found it off");
    }
  }

  /** Why the option changes nothing on this machine, if so. */
  public Optional<String> withoutEffectOn(Machine machine) {
    int nodes = machine.domains(Level.NODE).size();
    int sockets = machine.domains(Level.SOCKET).size();
    int caches = machine.domains(Level.CACHE).size();
    boolean oneCpuACore = machine.domains(Level.CORE).size() == machine.cpus().size();
    return switch (this) {
      case FULL_PCPUS_ONLY -> noEffect(oneCpuACore, "every core has one CPU");
      // Where sockets have several nodes, CPUs by number go across these too.
      case DISTRIBUTE_ACROSS_CORES ->
          noEffect(oneCpuACore && nodes <= sockets, "every core has one CPU");
      case DISTRIBUTE_ACROSS_NUMA -> noEffect(nodes == 1, "there is one NUMA node");
      case ALIGN_BY_SOCKET -> noEffect(nodes == sockets, "every socket is one NUMA node");
      // Packing fills up half used cores and goes on to the next node; this option does neither.
      case PREFER_ALIGN_BY_CACHE ->
          noEffect(oneCpuACore && nodes == 1 && caches == 1, "there is one L3 cache");
      case STRICT_ALIGN_BY_CACHE ->
          noEffect(!CacheLayout.of(machine).split, "every socket has one L3 cache");
      case STRICT_RESERVATION -> Optional.empty();
    };
  }

  private Optional<String> noEffect(boolean without, String because) {
    return without
        ? Optional.of(kubernetesName + " has no effect on this machine: " + because)
        : Optional.empty();
  }
}
