package dev.berth.ledger;

import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * What would have let a refused pod in: another pod gone, another scope or policy, an option less,
 * another size, less memory.
 *
 * <p>Found by trying, each on a node of its own that starts from what was written down when the pod
 * was refused; so every line is true, not guessed. Only done when somebody asks.
 */
final class WhatIf {
  private static final long MIB = 1 << 20;

  /** So many amounts are tried for each kind of memory before it is looked at more closely. */
  private static final int MEMORY_STEPS = 8;

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
    size().ifPresent(remedies::add);
    remedies.addAll(lessMemory());
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

  /**
   * For a pod with one container that has CPUs of its own: the next smaller and larger that fit.
   */
  private Optional<Remedy> size() {
    List<Container> own =
        pod.containers().stream().filter(one -> pod.exclusiveCpus(one) > 0).toList();
    if (own.size() != 1 || pod.budget().isPresent()) {
      return Optional.empty();
    }
    Container container = own.getFirst();
    int asked = pod.exclusiveCpus(container);
    int most = Math.min(asked - 1, machine.cpus().size());
    OptionalInt smaller =
        IntStream.iterate(most, count -> count > 0, count -> count - 1)
            .filter(count -> fits(resized(container, Resources.CPU, count)))
            .findFirst();
    int threads = machine.cpusPer(Level.CORE);
    OptionalInt larger =
        IntStream.range(asked + 1, asked + threads)
            .filter(count -> fits(resized(container, Resources.CPU, count)))
            .findFirst();
    List<Integer> sizes = IntStream.concat(smaller.stream(), larger.stream()).boxed().toList();
    return sizes.isEmpty()
        ? Optional.empty()
        : Optional.of(new Remedy.OtherSize(container.name(), sizes, asked));
  }

  private Pod resized(Container container, String resource, long amount) {
    List<Container> containers =
        pod.containers().stream()
            .map(one -> one.equals(container) ? asking(one, resource, amount) : one)
            .toList();
    return Pod.of(pod.uid(), containers);
  }

  private static Container asking(Container container, String resource, long amount) {
    Resources before = container.resources();
    return new Container(
        container.name(),
        container.role(),
        new Resources(
            with(before.requests(), resource, amount), with(before.limits(), resource, amount)));
  }

  private static Map<String, Quantity> with(
      Map<String, Quantity> amounts, String resource, long amount) {
    Map<String, Quantity> changed = new LinkedHashMap<>(amounts);
    changed.put(resource, Quantity.of(amount));
    return changed;
  }

  /** For each container and kind of memory: how much of it fits, where all else stays as it is. */
  private List<Remedy> lessMemory() {
    List<Remedy> remedies = new ArrayList<>();
    if (then.memory().isEmpty() || pod.budget().isPresent()) {
      return remedies;
    }
    Set<String> kinds = new TreeSet<>();
    then.memory().get().nodes().values().forEach(node -> kinds.addAll(node.tables().keySet()));
    for (Container container : pod.containers()) {
      for (String kind : kinds) {
        lessMemory(container, kind).ifPresent(remedies::add);
      }
    }
    return remedies;
  }

  /**
   * Less does not always fit where more does: it may want fewer nodes than the CPUs need. So it is
   * looked for from above in steps, and between the last two the more exact.
   */
  private Optional<Remedy> lessMemory(Container container, String kind) {
    long asked = container.resources().limit(kind).value();
    long unit =
        kind.equals(Resources.MEMORY)
            ? MIB
            : Quantity.parse(kind.substring(MemoryStock.HUGEPAGES.length())).value();
    long all =
        then.memory().get().nodes().values().stream()
            .filter(node -> node.tables().containsKey(kind))
            .mapToLong(node -> node.tables().get(kind).total())
            .sum();
    long tooMuch = Math.min((asked - 1) / unit, all / unit) + 1;
    long step = Math.max(1, tooMuch / MEMORY_STEPS);
    long fits = tooMuch - step;
    while (fits > 0 && !fits(resized(container, kind, fits * unit))) {
      tooMuch = fits;
      fits -= step;
    }
    if (fits <= 0) {
      return Optional.empty();
    }
    while (tooMuch - fits > 1) {
      long middle = (fits + tooMuch) >>> 1;
      if (fits(resized(container, kind, middle * unit))) {
        fits = middle;
      } else {
        tooMuch = middle;
      }
    }
    return Optional.of(
        new Remedy.LessMemory(
            pod.containers().size() == 1 ? Optional.empty() : Optional.of(container.name()),
            kind,
            fits * unit,
            asked));
  }

  private boolean fits(Pod candidate) {
    return fits(there.copy(), candidate);
  }
}
