package dev.berth.simulate;

import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.allocation.StaticOption;
import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.Node;
import dev.berth.ledger.Reservation;
import dev.berth.ledger.TopologySettings;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The configurations that make sense on a machine, beside the one that is given.
 *
 * <p>Not every combination is among them: those that people use, and so few that a day of many pods
 * is compared in less than a minute. All keep what is given about reservation, memory, devices,
 * feature gates and the topology manager's options; they differ in what is done about CPUs and
 * alignment. Options without effect on the machine are left out, and so is what cannot start on it.
 */
final class Candidates {
  private static final Reservation LOWEST = new Reservation.LowestCpu();
  private static final List<StaticOption> PACKED = List.of();
  private static final List<StaticOption> WHOLE_CORES = List.of(StaticOption.FULL_PCPUS_ONLY);
  private static final List<StaticOption> CORES_AND_L3 =
      List.of(StaticOption.FULL_PCPUS_ONLY, StaticOption.PREFER_ALIGN_BY_CACHE);
  private static final List<StaticOption> PREFER_L3 = List.of(StaticOption.PREFER_ALIGN_BY_CACHE);
  private static final List<StaticOption> STRICT_L3 = List.of(StaticOption.STRICT_ALIGN_BY_CACHE);
  private static final List<StaticOption> ACROSS_NUMA =
      List.of(StaticOption.DISTRIBUTE_ACROSS_NUMA);
  private static final List<StaticOption> ACROSS_CORES =
      List.of(StaticOption.DISTRIBUTE_ACROSS_CORES);
  private static final List<StaticOption> BY_SOCKET = List.of(StaticOption.ALIGN_BY_SOCKET);

  private static final Policy[] ALIGNED = {
    Policy.BEST_EFFORT, Policy.RESTRICTED, Policy.SINGLE_NUMA_NODE
  };
  private static final String PREFER_CLOSEST = "prefer-closest-numa-nodes";

  /** With two nodes there is one pair of them, so that none is closer than another. */
  private static final int NODES_WITH_A_CHOICE = 3;

  private final Configuration given;
  private final Machine machine;
  private final boolean severalContainers;
  private final List<Candidate> found = new ArrayList<>();
  private final Set<String> leftOut = new TreeSet<>();

  private Candidates(Configuration given, Machine machine, Workload workload) {
    this.given = given;
    this.machine = machine;
    severalContainers =
        workload.visitors().stream().anyMatch(visitor -> visitor.pod().containers().size() > 1);
  }

  /**
   * What is to be compared.
   *
   * @param list the given configuration first
   * @param leftOut what was left out and why, a line each
   */
  record Chosen(List<Candidate> list, List<String> leftOut) {}

  static Chosen of(Configuration given, Machine machine, Workload workload) {
    return new Candidates(given, machine, workload).choose();
  }

  private Chosen choose() {
    found.add(new Candidate("as given", given));
    keep(without(CpuPolicy.NONE, Map.of()), "policy none");
    add("packed", PACKED, Scope.CONTAINER, Policy.values());
    add("packed", PACKED, Scope.POD, Policy.RESTRICTED, Policy.SINGLE_NUMA_NODE);
    closest();
    add("whole cores", WHOLE_CORES, Scope.CONTAINER, ALIGNED);
    add("prefer L3", PREFER_L3, Scope.CONTAINER, Policy.BEST_EFFORT, Policy.RESTRICTED);
    add("strict L3", STRICT_L3, Scope.CONTAINER, Policy.BEST_EFFORT, Policy.RESTRICTED);
    add("cores and L3", CORES_AND_L3, Scope.CONTAINER, ALIGNED);
    add("across NUMA", ACROSS_NUMA, Scope.CONTAINER, Policy.BEST_EFFORT);
    add("across cores", ACROSS_CORES, Scope.CONTAINER, Policy.BEST_EFFORT);
    add("by socket", BY_SOCKET, Scope.CONTAINER, Policy.RESTRICTED);
    return new Chosen(List.copyOf(found), List.copyOf(leftOut));
  }

  private void add(String word, List<StaticOption> options, Scope scope, Policy... policies) {
    for (Policy policy : policies) {
      add(word, options, scope, policy);
    }
  }

  private void add(String word, List<StaticOption> options, Scope scope, Policy policy) {
    for (StaticOption option : options) {
      var without = option.withoutEffectOn(machine);
      if (without.isPresent()) {
        leftOut.add(without.get());
        return;
      }
    }
    if (scope == Scope.POD && !severalContainers) {
      leftOut.add("scope pod is as scope container: no pod has several containers");
      return;
    }
    boolean oneNode = machine.domains(Level.NODE).size() == 1;
    if (oneNode && policy != Policy.NONE && policy != Policy.BEST_EFFORT) {
      leftOut.add("restricted and single-numa-node are as best-effort: there is one NUMA node");
      return;
    }
    String label =
        word
            + (policy == Policy.NONE ? "" : ", " + policy.kubernetesName())
            + (scope == Scope.POD ? ", pod" : "");
    Configuration configuration = configuration(options, policy, scope);
    try {
      Node.start(machine, configuration);
      keep(configuration, label);
    } catch (InvalidInputException e) {
      leftOut.add(label + ": " + e.line());
    }
  }

  /** A choice between sets of nodes is open only where a pod may lie on several. */
  private void closest() {
    if (machine.domains(Level.NODE).size() < NODES_WITH_A_CHOICE) {
      leftOut.add(
          PREFER_CLOSEST + " has no effect on this machine: it has fewer than 3 NUMA nodes");
      return;
    }
    for (Policy policy : List.of(Policy.BEST_EFFORT, Policy.RESTRICTED)) {
      Map<String, String> options = new LinkedHashMap<>(given.topology().options());
      options.put(PREFER_CLOSEST, "true");
      keep(
          plain().with(new TopologySettings(policy, Scope.CONTAINER, options)),
          "packed, " + policy.kubernetesName() + ", closest");
    }
  }

  private void keep(Configuration configuration, String label) {
    if (isSame(configuration, given)) {
      found.set(0, new Candidate(label + " (given)", given));
      return;
    }
    for (Candidate candidate : found) {
      if (isSame(configuration, candidate.configuration())) {
        return;
      }
    }
    found.add(new Candidate(label, configuration));
  }

  /**
   * As {@code equals}, part by part: a record's own is made at run time, which the JVM's cache does
   * not hold, and of each kind of record in here it would be another one. The last two are mostly
   * the given one's, which {@link Objects} sees without asking them.
   */
  static boolean isSame(Configuration one, Configuration other) {
    return one.cpuPolicy() == other.cpuPolicy()
        && one.cpuOptions().equals(other.cpuOptions())
        && one.topology().policy() == other.topology().policy()
        && one.topology().scope() == other.topology().scope()
        && one.topology().options().equals(other.topology().options())
        && one.gates().settings().equals(other.gates().settings())
        && Objects.equals(one.reservation(), other.reservation())
        && Objects.equals(one.memory(), other.memory());
  }

  private Configuration configuration(List<StaticOption> options, Policy policy, Scope scope) {
    Configuration plain = plain();
    for (StaticOption option : options) {
      plain = plain.withOption(option.kubernetesName(), "true");
      if (option == StaticOption.ALIGN_BY_SOCKET
          || option == StaticOption.DISTRIBUTE_ACROSS_CORES) {
        plain = plain.with(plain.gates().with(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS, true));
      }
    }
    return plain.with(new TopologySettings(policy, scope, given.topology().options()));
  }

  /** The given one without what decides on placement; where nothing is reserved, the lowest CPU. */
  private Configuration plain() {
    Map<String, String> kept = new LinkedHashMap<>();
    String strict = StaticOption.STRICT_RESERVATION.kubernetesName();
    if (given.cpuOptions().containsKey(strict)) {
      kept.put(strict, given.cpuOptions().getOrDefault(strict, "true"));
    }
    return without(CpuPolicy.STATIC, kept);
  }

  private Configuration without(CpuPolicy policy, Map<String, String> options) {
    boolean bestFit = given.gates().isOn(Gate.CPU_MANAGER_UNCORE_CACHE_ALIGN);
    boolean unreserved =
        policy == CpuPolicy.STATIC && given.reservation() instanceof Reservation.Nothing;
    return new Configuration(
        policy,
        options,
        bestFit ? given.gates().with(Gate.CPU_MANAGER_UNCORE_CACHE_ALIGN, false) : given.gates(),
        unreserved ? LOWEST : given.reservation(),
        TopologySettings.NONE,
        given.memory());
  }
}
