package dev.berth.ledger;

import dev.berth.allocation.Step;
import dev.berth.cpu.CpuSet;
import dev.berth.hints.Reason;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * One random machine under one random configuration, and random steps on it; everything that is
 * promised is checked after each. All of it follows from the seed.
 */
final class RandomRun implements RandomSteps.Run {
  /** One in so many is asked why: what would have fitted is found by trying, which takes longer. */
  private static final int TOLD_REFUSALS = 8;

  private final Random random;
  private final Machine machine;
  private final Configuration configuration;
  private final RandomPods pods;
  private final Map<String, Pod> running = new LinkedHashMap<>();
  private final List<Pod> gone = new ArrayList<>();

  /** Written out only where a run fails. */
  private final List<Supplier<String>> journal = new ArrayList<>();

  /** Given the same calls as the node, so it must give the same answers. */
  private final Node twin;

  private Node node;
  private int granted;
  private int refused;

  RandomRun(long seed) {
    random = new Random(seed);
    machine = RandomMachine.make(random);
    configuration = RandomConfiguration.make(random, machine);
    pods = new RandomPods(random, machine.cpus().size());
    node = Node.start(machine, configuration);
    twin = Node.start(machine, configuration);
  }

  @Override
  public int granted() {
    return granted;
  }

  @Override
  public int refused() {
    return refused;
  }

  /** The run so far, to be replayed by hand. */
  @Override
  public String description() {
    List<String> steps = journal.stream().map(Supplier::get).toList();
    return configuration + "\n" + CaseText.write(machine, configuration, steps);
  }

  @Override
  public void step() {
    int choice = random.nextInt(20);
    if (choice < 4 && !running.isEmpty()) {
      remove(pick(List.copyOf(running.values())).uid());
    } else if (choice == 4) {
      removeStranger();
    } else if (choice == 5) {
      restart();
    } else if (choice < 8 && !running.isEmpty()) {
      admitAgain(pick(List.copyOf(running.values())));
    } else if (choice == 8 && !gone.isEmpty()) {
      admit(gone.remove(random.nextInt(gone.size())));
    } else {
      admit(pods.next());
    }
    rulesHold();
  }

  private Pod pick(List<Pod> from) {
    return from.get(random.nextInt(from.size()));
  }

  private void rulesHold() {
    List<String> broken = node.rules().orElseThrow().broken(node.assignments(), running.values());
    check(broken.isEmpty(), broken);
    check(node.assignments().equals(twin.assignments()), "the same calls, another state");
    check(node.shared().difference(node.reserved()).equals(node.assignable()), "assignable");
    check(!node.exclusive().intersects(node.shared()), "a CPU is shared and exclusive");
  }

  private void admit(Pod pod) {
    journal.add(() -> CaseText.admit(pod));
    Assignments before = node.assignments();
    Decision decision = node.admit(pod);
    same(decision, twin.admit(pod));
    switch (decision) {
      case Decision.Granted grant -> {
        granted++;
        told(grant.why());
        if (pod.budget().isPresent()) {
          budget(pod);
        } else {
          owed(pod, grant.cpus());
          explained(grant);
        }
        twin.remove(pod.uid());
        check(twin.assignments().equals(before), "removing did not undo admitting");
        same(decision, twin.admit(pod));
        running.put(pod.uid(), pod);
      }
      case Decision.Refused refusal -> {
        refused++;
        check(node.assignments().equals(before), "a refused pod changed something");
        check(!refusal.message().isBlank(), "a refusal without words");
        if (refused % TOLD_REFUSALS == 0) {
          told(refusal.why());
        }
        mustBeRefused(pod, refusal);
      }
    }
  }

  private static void told(Explanation why) {
    List<String> lines = why.lines();
    check(!lines.isEmpty() && lines.stream().noneMatch(String::isBlank), "no explanation");
  }

  private void owed(Pod pod, Map<String, CpuSet> cpus) {
    for (Container container : pod.containers()) {
      int count = pod.exclusiveCpus(container);
      CpuSet has = cpus.getOrDefault(container.name(), CpuSet.EMPTY);
      check(has.size() == count, container.name() + " is owed " + count + ", has " + has);
      check(count > 0 || !cpus.containsKey(container.name()), "an entry without CPUs");
      check(
          node.cpusOf(pod.uid(), container.name()).orElse(CpuSet.EMPTY).equals(has),
          "the ledger says something else");
      if (promisesWholeCores()) {
        check(isWhole(has), has + " splits a core");
      }
    }
  }

  /**
   * Where a reservation splits a core, Kubernetes can be led to its other half by a place or a
   * distribution that counts single CPUs, and the answers are to be the same.
   */
  private boolean promisesWholeCores() {
    boolean simple =
        configuration.topology().policy() == TopologySettings.Policy.NONE
            && !hasOption("distribute-cpus-across-numa")
            && !hasOption("strict-align-cpus-by-uncorecache");
    return hasOption("full-pcpus-only")
        && machine.isEven(Level.CORE)
        && coresNest()
        && (simple || isWhole(node.reserved()));
  }

  /** Whether every core lies in one socket and one node, as on all machines that can be built. */
  private boolean coresNest() {
    return machine.domains(Level.CORE).stream()
        .allMatch(core ->
            core.cpus().isSubsetOf(machine.domainOf(Level.SOCKET, core.id()).cpus())
                && core.cpus().isSubsetOf(machine.domainOf(Level.NODE, core.id()).cpus()));
  }

  /** All of it or nothing, and no container has a CPU beyond it. */
  private void budget(Pod pod) {
    CpuSet has = node.assignments().budgets().getOrDefault(pod.uid(), CpuSet.EMPTY);
    long owed = pod.budget().orElseThrow().request(Resources.CPU).value();
    check(has.isEmpty() || has.size() == owed, "a budget of " + owed + " has " + has);
  }

  private boolean isWhole(CpuSet cpus) {
    for (Domain core : machine.domains(Level.CORE)) {
      if (core.cpus().intersects(cpus) && !core.cpus().isSubsetOf(cpus)) {
        return false;
      }
    }
    return true;
  }

  private boolean hasOption(String name) {
    return configuration.cpuOptions().containsKey(name);
  }

  /** What was taken, step by step, is what each container got. */
  private static void explained(Decision.Granted grant) {
    Map<String, CpuSet> taken = new HashMap<>();
    String container = "";
    for (Step step : grant.why().steps()) {
      if (step instanceof Step.Asked(String text) && text.contains(" asks for ")) {
        container = text.substring("container ".length(), text.indexOf(" asks for "));
      } else if (step instanceof Step.Took took) {
        CpuSet before = taken.getOrDefault(container, CpuSet.EMPTY);
        check(!took.cpus().isEmpty(), "took nothing, and said so");
        check(!before.intersects(took.cpus()), "took a CPU twice: " + took.cpus());
        taken.put(container, before.union(took.cpus()));
      }
    }
    check(taken.equals(grant.cpus()), "explained " + taken + ", granted " + grant.cpus());
  }

  /** Where nothing but the number of CPUs counts, a pod that fits is let in. */
  private void mustBeRefused(Pod pod, Decision.Refused refusal) {
    boolean plain =
        switch (configuration.topology().policy()) {
          case NONE, BEST_EFFORT ->
              !hasOption("full-pcpus-only") && !hasOption("strict-align-cpus-by-uncorecache");
          case RESTRICTED, SINGLE_NUMA_NODE -> false;
        };
    boolean simple = pod.budget().isEmpty();
    if (plain && simple && pod.containers().stream().noneMatch(c -> c.role() == Role.INIT)) {
      int wanted = pod.containers().stream().mapToInt(pod::exclusiveCpus).sum();
      check(
          refusal.reason() == Reason.UNEXPECTED && wanted > node.assignable().size(),
          "refused " + wanted + " of " + node.assignable().size());
    }
  }

  private void admitAgain(Pod pod) {
    journal.add(() -> CaseText.admit(pod));
    Assignments before = node.assignments();
    kept(pod, node.admit(pod), before);
    kept(pod, twin.admit(pod), before);
    check(node.assignments().equals(before), "admitting twice is not the same as once");
  }

  private static void kept(Pod pod, Decision decision, Assignments before) {
    Map<String, CpuSet> held = before.exclusive().getOrDefault(pod.uid(), new TreeMap<>());
    check(
        decision instanceof Decision.Granted grant && grant.cpus().equals(held),
        "running pod " + pod.uid() + " had " + held + ", now " + decision);
    told(decision.why());
  }

  private void remove(String uid) {
    journal.add(() -> CaseText.remove(uid));
    Assignments before = node.assignments();
    CpuSet given = before.of(uid);
    node.remove(uid);
    twin.remove(uid);
    check(node.shared().equals(before.shared().union(given)), "not all was given back");
    check(!node.assignments().exclusive().containsKey(uid), "something was kept");
    gone.add(running.remove(uid));
  }

  private void removeStranger() {
    journal.add(() -> CaseText.remove("stranger"));
    Assignments before = node.assignments();
    node.remove("stranger");
    check(node.assignments().equals(before), "removing a stranger changed something");
  }

  /** Only the node: the twin goes on and must stay the same. */
  private void restart() {
    journal.add(CaseText::restart);
    Assignments before = node.assignments();
    node = Node.start(machine, configuration, before);
    check(node.assignments().equals(before), "a restart changed something");
    for (Pod pod : running.values()) {
      kept(pod, node.admit(pod), before);
    }
    check(node.assignments().equals(before), "running pods changed something after a restart");
  }

  private static void same(Decision one, Decision other) {
    check(shown(one).equals(shown(other)), shown(one) + " and then " + shown(other));
  }

  private static String shown(Decision decision) {
    return switch (decision) {
      case Decision.Granted grant -> "granted " + grant.cpus();
      case Decision.Refused refusal -> refusal.reason() + ": " + refusal.message();
    };
  }

  private static void check(boolean holds, Object otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
