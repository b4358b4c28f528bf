package dev.berth.ledger;

import dev.berth.allocation.StaticOption;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;
import dev.berth.topology.NumaNode;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One random node with pods on it, one random change, and what must hold after it. */
final class MigrationRun {
  private static final int PODS = 14;

  private final Random random;
  private final Machine machine;
  private final Configuration configuration;
  private final Supplier<Pod> pods;
  private final Supplier<Machine> otherMachine;
  private final List<Pod> known = new ArrayList<>();
  private final Node node;
  private Machine newMachine;
  private Configuration newConfiguration;
  private @Nullable Migration migration;

  MigrationRun(long seed) {
    random = new Random(seed);
    if (random.nextBoolean()) {
      RandomMemory memory = new RandomMemory(random);
      machine = memory.machine();
      configuration = memory.configuration(machine);
      pods = memory::pod;
      otherMachine = memory::machine;
    } else {
      machine = RandomMachine.make(random);
      configuration = RandomConfiguration.make(random, machine);
      RandomPods made = new RandomPods(random, machine.cpus().size());
      pods = made::next;
      otherMachine = () -> RandomMachine.make(random);
    }
    newMachine = machine;
    newConfiguration = configuration;
    node = Node.start(machine, configuration);
  }

  int count(Class<? extends Outcome> kind) {
    return migration == null
        ? 0
        : (int) migration.outcomes().values().stream().filter(kind::isInstance).count();
  }

  @Override
  public String toString() {
    return "from "
        + configuration
        + "\nto "
        + newConfiguration
        + "\n"
        + machine.cpuList()
        + "\n"
        + newMachine.cpuList()
        + "\n"
        + migration;
  }

  void run() {
    fill();
    change();
    Before before = Before.of(node, known);
    Migration planned = plan(before);
    migration = planned;
    Migration again = plan(before);
    check(planned.outcomes().equals(again.outcomes()), "the same question, another answer");
    rulesHold(planned);
    planned.outcomes().forEach(this::outcome);
    if (newMachine.equals(machine) && newConfiguration.equals(configuration)) {
      check(count(Outcome.Kept.class) == planned.outcomes().size(), "nothing changed, but");
      check(planned.node().assignments().equals(node.assignments()), "other assignments");
      check(planned.node().memoryAssignments().equals(node.memoryAssignments()), "other memory");
    }
    givenBack(planned);
  }

  private Migration plan(Before before) {
    return Migration.plan(Node.builder(newMachine, newConfiguration), before);
  }

  private void fill() {
    for (int i = 0; i < PODS; i++) {
      Pod pod = pods.get();
      if (node.admit(pod) instanceof Decision.Granted) {
        if (random.nextInt(5) == 0) {
          node.remove(pod.uid());
        } else if (random.nextInt(8) > 0) {
          known.add(pod); // the others are unknown holders
        }
      }
    }
  }

  private void change() {
    switch (random.nextInt(8)) {
      case 0 -> {}
      case 1, 2 -> newMachine = smaller();
      case 3 -> newMachine = otherMachine.get();
      case 4 -> newConfiguration = configuration.with(CpuPolicy.NONE);
      case 5 -> newConfiguration = configuration.with(MemorySettings.NONE);
      case 6 -> newConfiguration = configuration.with(new Reservation.These(someCpus()));
      default -> {
        newConfiguration = RandomConfiguration.make(random, machine).with(configuration.memory());
      }
    }
    if (newConfiguration.reservation() instanceof Reservation.These these) {
      CpuSet left = these.cpus().intersection(newMachine.cpus());
      newConfiguration =
          newConfiguration.with(
              left.isEmpty() ? new Reservation.LowestCpu() : new Reservation.These(left));
    }
    if (!works(newConfiguration)) {
      newConfiguration = newConfiguration.with(new Reservation.LowestCpu());
    }
    if (!works(newConfiguration)) {
      newMachine = machine;
      newConfiguration = configuration;
    }
  }

  private boolean works(Configuration other) {
    try {
      Node.start(newMachine, other);
      return true;
    } catch (InvalidInputException e) {
      return false;
    }
  }

  private CpuSet someCpus() {
    int[] all = machine.cpus().toArray();
    CpuSet some = CpuSet.EMPTY;
    for (int i = random.nextInt(Math.max(1, all.length / 3)); i >= 0; i--) {
      some = some.union(CpuSet.of(all[random.nextInt(all.length)]));
    }
    return some;
  }

  private Machine smaller() {
    CpuSet gone = someCpus();
    if (gone.equals(machine.cpus())) {
      return machine;
    }
    MachineBuilder builder = Machine.builder("smaller");
    machine.cpuList().stream().filter(cpu -> !gone.contains(cpu.id())).forEach(builder::cpu);
    for (NumaNode numa : machine.nodes()) {
      builder.memory(numa.id(), numa.memory());
    }
    return builder.offline(gone).build();
  }

  private void rulesHold(Migration planned) {
    Node after = planned.node();
    after
        .rules()
        .ifPresent(rules -> {
          List<String> broken = rules.broken(after.assignments(), known);
          check(broken.isEmpty(), broken);
        });
    after
        .memoryAssignments()
        .ifPresent(memory -> {
          List<String> broken = MemoryRules.broken(memory);
          check(broken.isEmpty(), broken);
        });
    Set<String> all = new HashSet<>(Holding.all(node).keySet());
    known.forEach(pod -> all.add(pod.uid()));
    check(planned.outcomes().keySet().equals(all), "somebody was forgotten");
    check(all.containsAll(Holding.all(after).keySet()), "somebody came from nowhere");
  }

  private void outcome(String uid, Outcome outcome) {
    Holding now = Holding.of(planned().node(), uid);
    check(outcome.to().equals(now), uid + ": the node has " + now);
    check(outcome.from().equals(Holding.of(node, uid)), uid + ": another past");
    switch (outcome) {
      case Outcome.Kept kept -> {}
      case Outcome.Moved moved -> check(isLine(moved.why()), uid + ": no reason");
      case Outcome.Displaced displaced -> {
        check(isLine(displaced.why()), uid + ": no reason");
        check(displaced.to().cpuPart().isEmpty(), uid + ": displaced with CPUs");
      }
    }
    boolean budget =
        known.stream().anyMatch(pod -> pod.uid().equals(uid) && pod.budget().isPresent());
    boolean has = !outcome.from().cpuPart().isEmpty();
    if (has && !(budget && !sameScope())) {
      boolean same = outcome.to().cpuPart().equals(outcome.from().cpuPart());
      boolean may = mayStay(outcome.from());
      check(isUsable(outcome.from()) || !same, uid + " kept what it may not have");
      // Who loses memory may find both elsewhere, and even the same memory where others left.
      boolean memoryLost = outcome instanceof Outcome.Moved moved && moved.why().contains("memory");
      memoryLost |= outcome instanceof Outcome.Displaced gone && gone.why().contains("memory");
      check(!may || same || memoryLost, uid + " did not keep what it may: " + outcome);
    }
  }

  private Migration planned() {
    if (migration == null) {
      throw new AssertionError("nothing is planned yet");
    }
    return migration;
  }

  private static boolean isLine(String why) {
    return !why.isBlank() && why.lines().count() == 1;
  }

  /** Whether pods' own budgets are looked at as before. */
  private boolean sameScope() {
    return newConfiguration.gates().equals(configuration.gates())
        && newConfiguration.topology().equals(configuration.topology());
  }

  /** An option's demand is none of it: Kubernetes gives parts of cores in spite of one at times. */
  private boolean isUsable(Holding held) {
    Node empty = Node.start(newMachine, newConfiguration);
    return newConfiguration.cpuPolicy() == CpuPolicy.STATIC
        && held.allCpus().isSubsetOf(newMachine.cpus().difference(empty.reserved()));
  }

  private boolean mayStay(Holding held) {
    if (!isUsable(held)) {
      return false;
    }
    List<CpuSet> parts =
        held.budget().isEmpty() ? List.copyOf(held.cpus().values()) : List.of(held.budget());
    for (CpuSet part : parts) {
      if (isNew("full-pcpus-only") && !isWhole(part)) {
        return false;
      }
      if (isNew("strict-align-cpus-by-uncorecache") && held.budget().isEmpty() && isSpread(part)) {
        return false;
      }
    }
    return true;
  }

  private boolean isNew(String option) {
    return newConfiguration.cpuOptions().containsKey(option)
        && !configuration.cpuOptions().containsKey(option);
  }

  private boolean isWhole(CpuSet part) {
    return newMachine.domains(Level.CORE).stream()
        .map(Domain::cpus)
        .allMatch(core -> !core.intersects(part) || core.isSubsetOf(part));
  }

  /** Whether it is on several caches although one could have it; never where there is but one. */
  private boolean isSpread(CpuSet part) {
    List<Domain> caches = newMachine.domains(Level.CACHE);
    int largest = caches.stream().mapToInt(Domain::size).max().orElse(0);
    long on = caches.stream().filter(cache -> cache.cpus().intersects(part)).count();
    boolean effect = StaticOption.STRICT_ALIGN_BY_CACHE.withoutEffectOn(newMachine).isEmpty();
    return effect && part.size() <= largest && on > 1;
  }

  /** When all are gone, everything is free again. */
  private static void givenBack(Migration planned) {
    Node after = planned.node();
    planned.outcomes().keySet().forEach(after::remove);
    Node empty = Node.start(after.machine(), after.configuration());
    check(after.assignments().equals(empty.assignments()), "CPUs were lost");
    check(after.memoryAssignments().equals(empty.memoryAssignments()), "memory was lost");
  }

  private static void check(boolean holds, Object otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
