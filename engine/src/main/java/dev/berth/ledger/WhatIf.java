package dev.berth.ledger;

import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What would have let a refused pod in: another pod gone, another scope or policy, an option less,
 * other amounts.
 *
 * <p>Found by trying, each on a node of its own that starts from what was written down when the pod
 * was refused; so every line is true, not guessed. Only done when somebody asks.
 */
final class WhatIf {
  private final Machine machine;
  private final Configuration configuration;
  private final Snapshot then;
  private final Pod pod;

  /** As it was then; only its copies are changed. */
  private final Node there;

  WhatIf(Machine machine, Configuration configuration, Snapshot then, Pod pod) {
    this.machine = machine;
    this.configuration = configuration;
    this.then = then;
    this.pod = pod;
    there = then.start(machine, configuration);
  }

  /** What would do, and that nothing tried would, where that is so. */
  List<Remedy> remedies() {
    List<Remedy> remedies = new ArrayList<>();
    leaving().ifPresent(remedies::add);
    // Choices are made container by container, so a fuller machine can suit a pod better.
    if (remedies.isEmpty() && !fits(then.startEmpty(machine, configuration), pod)) {
      remedies.add(new Remedy.NotEvenEmpty());
    }
    scope().ifPresent(remedies::add);
    policy().ifPresent(remedies::add);
    option().ifPresent(remedies::add);
    remedies.addAll(new OtherAmounts(machine, then, pod, this::fits).remedies());
    if (remedies.isEmpty()) {
      remedies.add(new Remedy.NothingTried());
    }
    return remedies;
  }

  private static boolean fits(Node node, Pod candidate) {
    return node.admit(candidate) instanceof Decision.Granted;
  }

  private Optional<Remedy> leaving() {
    List<String> enough = new ArrayList<>();
    for (String other : then.pods()) {
      Node node = there.copy();
      node.remove(other);
      if (fits(node, pod)) {
        enough.add(other);
      }
    }
    return enough.isEmpty() ? Optional.empty() : Optional.of(new Remedy.OneGone(enough));
  }

  private Optional<Remedy> scope() {
    if (configuration.topology().policy() == Policy.NONE) {
      return Optional.empty();
    }
    Scope other = configuration.topology().scope() == Scope.POD ? Scope.CONTAINER : Scope.POD;
    return fitsWith(settings -> new TopologySettings(settings.policy(), other, settings.options()))
        ? Optional.of(new Remedy.OtherScope(other))
        : Optional.empty();
  }

  private Optional<Remedy> policy() {
    List<Policy> weaker =
        switch (configuration.topology().policy()) {
          case NONE, BEST_EFFORT -> List.of();
          case RESTRICTED -> List.of(Policy.BEST_EFFORT);
          case SINGLE_NUMA_NODE -> List.of(Policy.RESTRICTED, Policy.BEST_EFFORT);
        };
    return weaker.stream()
        .filter(policy ->
            fitsWith(
                settings -> new TopologySettings(policy, settings.scope(), settings.options())))
        .findFirst()
        .map(Remedy.OtherPolicy::new);
  }

  private boolean fitsWith(UnaryOperator<TopologySettings> change) {
    return fitsWith(configuration.with(change.apply(configuration.topology())));
  }

  private boolean fitsWith(Configuration changed) {
    return fits(then.start(machine, changed), pod);
  }

  private Optional<Remedy> option() {
    List<String> enough =
        configuration.optionsOn().stream()
            .filter(name -> fitsWithoutMoving(configuration.withOption(name, "false")))
            .toList();
    return enough.isEmpty() ? Optional.empty() : Optional.of(new Remedy.WithoutOption(enough));
  }

  /** Options have a say in which CPUs are reserved, and those may be somebody's now. */
  private boolean fitsWithoutMoving(Configuration changed) {
    try {
      return fitsWith(changed);
    } catch (InvalidInputException e) {
      return false;
    }
  }

  private boolean fits(Pod candidate) {
    return fits(there.copy(), candidate);
  }
}
