package dev.berth.kubelet;

import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Node;
import dev.berth.ledger.Rules;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a node could start from checkpoints, on this machine and with this configuration. */
public final class CheckpointRules {
  private final Machine machine;
  private final Configuration configuration;
  private final Optional<Rules> cpuRules;

  /**
   * The rules for a machine and a configuration.
   *
   * @throws InvalidInputException where the configuration cannot work on the machine at all
   */
  public CheckpointRules(Machine machine, Configuration configuration) {
    this.machine = machine;
    this.configuration = configuration;
    cpuRules = Node.start(machine, configuration).rules();
  }

  /** What is broken, a line each; empty where all is well. */
  public List<String> broken(CpuCheckpoint checkpoint) {
    String policy = configuration.cpuPolicy().kubernetesName();
    if (!checkpoint.policyName().equals(policy)) {
      return List.of(otherPolicy(policy, checkpoint.policyName()));
    }
    boolean nobody = checkpoint.entries().isEmpty() && checkpoint.podEntries().isEmpty();
    if (nobody && checkpoint.shared().isEmpty()) {
      return List.of(); // a node begins afresh with this
    }
    if (configuration.cpuPolicy() == CpuPolicy.NONE) {
      return nobody
          ? List.of()
          : List.of("expected nobody to have CPUs under policy none, found some who do");
    }
    List<String> broken = new ArrayList<>();
    cpuRules.ifPresent(rules -> broken.addAll(rules.broken(checkpoint.assignments(), List.of())));
    return broken;
  }

  /**
   * What is broken, the first fault alone, since accounts that differ once differ all over; empty
   * where all is well.
   */
  public List<String> broken(MemoryCheckpoint checkpoint) {
    MemorySettings.Policy policy = configuration.memory().policy();
    if (!checkpoint.policyName().equals(policy.kubernetesName())) {
      return List.of(otherPolicy(policy.kubernetesName(), checkpoint.policyName()));
    }
    if (policy == MemorySettings.Policy.NONE) {
      return checkpoint.assignments().blocks().isEmpty()
          ? List.of()
          : List.of("expected nobody to have memory under policy None, found some who do");
    }
    try {
      // CPUs are checked by themselves; here they would only be in the way.
      Node.builder(machine, configuration.with(CpuPolicy.NONE))
          .memoryAssignments(checkpoint.assignments())
          .start();
      return List.of();
    } catch (InvalidInputException e) {
      return List.of(e.line());
    }
  }

  private static String otherPolicy(String expected, String found) {
    return "expected policy " + expected + ", found " + found;
  }
}
