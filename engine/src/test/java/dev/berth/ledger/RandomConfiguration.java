package dev.berth.ledger;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.allocation.StaticOption;
import dev.berth.allocation.StaticOptions;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.workload.Quantity;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Configurations of the static policy made at random: every legal set of options comes up. */
public final class RandomConfiguration {
  /** All sets of options, with and without KEP-2621's gate, that are not refused. */
  static final List<StaticOptions> LEGAL = legal();

  private RandomConfiguration() {}

  private static List<StaticOptions> legal() {
    List<StaticOptions> legal = new ArrayList<>();
    StaticOption[] all = StaticOption.values();
    for (int mask = 0; mask < 2 << all.length; mask++) {
      Set<StaticOption> on = EnumSet.noneOf(StaticOption.class);
      for (int i = 0; i < all.length; i++) {
        if ((mask & 2 << i) != 0) {
          on.add(all[i]);
        }
      }
      boolean bestFit = (mask & 1) != 0;
      if (isLegal(on, bestFit)) {
        legal.add(new StaticOptions(on, bestFit));
      }
    }
    return List.copyOf(legal);
  }

  private static boolean isLegal(Set<StaticOption> on, boolean bestFit) {
    try {
      return new StaticOptions(on, bestFit).on().size() == on.size();
    } catch (InvalidInputException e) {
      return false;
    }
  }

  /** A configuration for a machine. */
  public static Configuration make(Random random, Machine machine) {
    StaticOptions options = LEGAL.get(random.nextInt(LEGAL.size()));
    Configuration configuration =
        Configuration.DEFAULTS
            .with(CpuPolicy.STATIC)
            .with(reservation(random, machine))
            .with(
                FeatureGates.DEFAULTS
                    .with(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS, true)
                    .with(Gate.CPU_MANAGER_UNCORE_CACHE_ALIGN, options.cacheBestFit())
                    .with(Gate.POD_LEVEL_RESOURCE_MANAGERS, random.nextInt(3) == 0));
    TopologySettings topology = topology(random);
    boolean bySocket =
        machine.domains(Level.NODE).size() >= machine.domains(Level.SOCKET).size()
            && topology.policy() != TopologySettings.Policy.SINGLE_NUMA_NODE;
    for (StaticOption option : options.on()) {
      if (option != StaticOption.ALIGN_BY_SOCKET || bySocket) {
        configuration = configuration.withOption(option.kubernetesName(), "true");
      }
    }
    return configuration.with(topology);
  }

  private static TopologySettings topology(Random random) {
    TopologySettings.Policy[] policies = TopologySettings.Policy.values();
    TopologySettings.Scope[] scopes = TopologySettings.Scope.values();
    return new TopologySettings(
        policies[random.nextInt(policies.length)],
        scopes[random.nextInt(scopes.length)],
        random.nextInt(3) == 0 ? Map.of("prefer-closest-numa-nodes", "true") : Map.of());
  }

  private static Reservation reservation(Random random, Machine machine) {
    int most = Math.max(1, machine.cpus().size() / 4);
    if (random.nextBoolean()) {
      int millis = 1 + random.nextInt(1000 * most);
      return new Reservation.Amount(Quantity.parse(millis + "m"));
    }
    int[] cpus = machine.cpus().toArray();
    CpuSet reserved = CpuSet.EMPTY;
    for (int i = random.nextInt(most); i >= 0; i--) {
      reserved = reserved.union(CpuSet.of(cpus[random.nextInt(cpus.length)]));
    }
    return new Reservation.These(reserved);
  }
}
