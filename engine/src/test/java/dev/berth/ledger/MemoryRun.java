package dev.berth.ledger;

import dev.berth.topology.Machine;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** One random machine with memory and random steps on it, all of it from the seed. */
final class MemoryRun implements RandomSteps.Run {
  private final Random random;
  private final RandomMemory made;
  private final Machine machine;
  private final Configuration configuration;
  private final Map<String, Pod> running = new LinkedHashMap<>();
  private final List<String> journal = new ArrayList<>();
  private Node node;
  private int granted;
  private int refused;

  MemoryRun(long seed) {
    random = new Random(seed);
    made = new RandomMemory(random);
    machine = made.machine();
    configuration = made.configuration(machine);
    node = Node.start(machine, configuration);
  }

  @Override
  public int granted() {
    return granted;
  }

  @Override
  public int refused() {
    return refused;
  }

  @Override
  public String description() {
    return configuration + "\n" + machine.nodes() + "\n" + String.join("\n", journal);
  }

  @Override
  public void step() {
    int choice = random.nextInt(20);
    if (choice < 5 && !running.isEmpty()) {
      remove(pick());
    } else if (choice == 5) {
      restart();
    } else if (choice < 8 && !running.isEmpty()) {
      admitAgain(pick());
    } else {
      admit(made.pod());
    }
    List<String> broken = new ArrayList<>(MemoryRules.broken(memory(node)));
    node.rules()
        .ifPresent(rules -> broken.addAll(rules.broken(node.assignments(), running.values())));
    check(broken.isEmpty(), broken);
  }

  private Pod pick() {
    return List.copyOf(running.values()).get(random.nextInt(running.size()));
  }

  private static MemoryAssignments memory(Node node) {
    return node.memoryAssignments().orElseThrow();
  }

  private static Map<String, Object> essence(Node node) {
    return Map.of("memory", MemoryRules.essence(memory(node)), "cpus", node.assignments());
  }

  private Node copy() {
    return Node.start(machine, configuration, node.assignments(), memory(node));
  }

  private void admit(Pod pod) {
    journal.add("admit " + pod + " " + pod.budget() + " " + pod.containers());
    Map<String, Object> before = essence(node);
    Node twin = copy();
    switch (node.admit(pod)) {
      case Decision.Granted grant -> {
        granted++;
        running.put(pod.uid(), pod);
        owed(pod);
        check(twin.admit(pod) instanceof Decision.Granted, "a copy refused what was granted");
        check(memory(twin).equals(memory(node)), "the same pod, other memory");
        twin.remove(pod.uid());
        check(essence(twin).equals(before), "removing did not undo admitting");
      }
      case Decision.Refused refusal -> {
        refused++;
        check(essence(node).equals(before), "a refused pod changed something: " + refusal);
        check(twin.admit(pod) instanceof Decision.Refused, "a copy granted what was refused");
      }
    }
  }

  /** What stays has all that it asks for; what an init container had may be in use again. */
  private void owed(Pod pod) {
    MemoryNeeds needs = new MemoryNeeds(pod, configuration.gates());
    if (!needs.isOwed() || needs.hasBudget()) {
      return;
    }
    for (Container container : pod.containers()) {
      SortedMap<String, Long> has = new TreeMap<>();
      memory(node)
          .blocks()
          .getOrDefault(pod.uid(), new TreeMap<>())
          .getOrDefault(container.name(), List.of())
          .forEach(block -> has.merge(block.type(), block.size(), Long::sum));
      Map<String, Long> asked = new TreeMap<>(needs.of(container));
      if (container.role() == Role.INIT) {
        has.forEach((type, bytes) -> check(bytes <= asked.getOrDefault(type, 0L), "too much"));
      } else {
        check(has.equals(asked), container.name() + " asks for " + asked + ", has " + has);
      }
    }
  }

  private void admitAgain(Pod pod) {
    journal.add("admit " + pod + " again");
    MemoryAssignments before = memory(node);
    Assignments cpus = node.assignments();
    check(node.admit(pod) instanceof Decision.Granted, "a running pod was refused");
    check(memory(node).equals(before), "admitting twice is not the same as once");
    check(node.assignments().equals(cpus), "admitting twice changed CPUs");
  }

  private void remove(Pod pod) {
    journal.add("remove " + pod);
    node.remove(pod.uid());
    running.remove(pod.uid());
    check(!memory(node).blocks().containsKey(pod.uid()), "something was kept");
    check(!memory(node).budgets().containsKey(pod.uid()), "a budget was kept");
  }

  private void restart() {
    journal.add("restart");
    MemoryAssignments before = memory(node);
    Assignments cpus = node.assignments();
    node = copy();
    for (Pod pod : running.values()) {
      check(node.admit(pod) instanceof Decision.Granted, pod + " was refused after a restart");
    }
    check(memory(node).equals(before), "a restart changed memory");
    check(node.assignments().equals(cpus), "a restart changed CPUs");
  }

  private static void check(boolean holds, Object otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
