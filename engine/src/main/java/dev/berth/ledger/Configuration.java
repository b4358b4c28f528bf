package dev.berth.ledger;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.StaticOption;
import dev.berth.allocation.StaticOptions;
import dev.berth.cpu.CpuSet;
import dev.berth.workload.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * How a node is to decide, in Kubernetes' terms.
 *
 * @param cpuPolicy what is done about CPUs
 * @param cpuOptions the static policy's options by name, as text
 * @param gates the feature gates
 * @param reservation what is kept back for the system
 * @param topology how resources are aligned
 * @param memory what is done about memory
 */
public record Configuration(
    CpuPolicy cpuPolicy,
    Map<String, String> cpuOptions,
    FeatureGates gates,
    Reservation reservation,
    TopologySettings topology,
    MemorySettings memory) {
  /** Kubernetes' defaults: no policy, no options, nothing reserved. */
  public static final Configuration DEFAULTS =
      new Configuration(
          CpuPolicy.NONE,
          Map.of(),
          FeatureGates.DEFAULTS,
          new Reservation.Nothing(),
          TopologySettings.NONE,
          MemorySettings.NONE);

  /** Takes copies. */
  public Configuration {
    cpuOptions = Map.copyOf(cpuOptions);
  }

  /** The static policy with a number of CPUs reserved, a part counting as one. */
  public static Configuration staticPolicy(Quantity reservedCpus) {
    return DEFAULTS.with(CpuPolicy.STATIC).with(new Reservation.Amount(reservedCpus));
  }

  /** The static policy with these CPUs reserved. */
  public static Configuration staticPolicy(CpuSet reserved) {
    return DEFAULTS.with(CpuPolicy.STATIC).with(new Reservation.These(reserved));
  }

  /** The names of the static policy's options that are on; none under another policy. */
  public NavigableSet<String> optionsOn() {
    NavigableSet<String> names = new TreeSet<>();
    if (cpuPolicy == CpuPolicy.STATIC) {
      StaticOptions.parse(cpuOptions, gates).on().stream()
          .map(StaticOption::kubernetesName)
          .forEach(names::add);
    }
    return names;
  }

  /** The same with another policy. */
  public Configuration with(CpuPolicy policy) {
    return new Configuration(policy, cpuOptions, gates, reservation, topology, memory);
  }

  /** The same with another reservation. */
  public Configuration with(Reservation other) {
    return new Configuration(cpuPolicy, cpuOptions, gates, other, topology, memory);
  }

  /** The same with other feature gates. */
  public Configuration with(FeatureGates other) {
    return new Configuration(cpuPolicy, cpuOptions, other, reservation, topology, memory);
  }

  /** The same with other settings of the topology manager. */
  public Configuration with(TopologySettings other) {
    return new Configuration(cpuPolicy, cpuOptions, gates, reservation, other, memory);
  }

  /** The same with other settings of the memory manager. */
  public Configuration with(MemorySettings other) {
    return new Configuration(cpuPolicy, cpuOptions, gates, reservation, topology, other);
  }

  /** The same with one option of the static policy set, {@code true} or {@code false}. */
  public Configuration withOption(String name, String value) {
    Map<String, String> changed = new LinkedHashMap<>(cpuOptions);
    changed.put(name, value);
    return new Configuration(cpuPolicy, changed, gates, reservation, topology, memory);
  }
}
