package dev.berth.ledger;

import dev.berth.cpu.CpuSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * What one pod has: its part of all assignments.
 *
 * @param cpus by container, the CPUs that are its own
 * @param budget the CPUs of the pod's own budget; empty where it has none
 * @param memory by container, the memory that is its own
 * @param memoryBudget the memory of the pod's own budget; empty where it has none
 * @param devices by container and resource, the ids of its devices
 * @param others by the name of a provider that is not ours, what that says the pod has
 */
public record Holding(
    SortedMap<String, CpuSet> cpus,
    CpuSet budget,
    SortedMap<String, List<MemoryBlock>> memory,
    List<MemoryBlock> memoryBudget,
    SortedMap<String, SortedMap<String, List<String>>> devices,
    SortedMap<String, String> others) {
  /** What a pod has that runs on what is shared. */
  public static final Holding NOTHING =
      new Holding(
          Collections.emptySortedMap(),
          CpuSet.EMPTY,
          Collections.emptySortedMap(),
          List.of(),
          Collections.emptySortedMap());

  /** Takes unmodifiable copies. */
  public Holding {
    cpus = copy(cpus, own -> own);
    memory = copy(memory, List::copyOf);
    memoryBudget = List.copyOf(memoryBudget);
    devices = copy(devices, resources -> copy(resources, List::copyOf));
    others = copy(others, text -> text);
  }

  /** Of our own providers alone. */
  public Holding(
      SortedMap<String, CpuSet> cpus,
      CpuSet budget,
      SortedMap<String, List<MemoryBlock>> memory,
      List<MemoryBlock> memoryBudget,
      SortedMap<String, SortedMap<String, List<String>>> devices) {
    this(cpus, budget, memory, memoryBudget, devices, Collections.emptySortedMap());
  }

  /** The same with what other providers say that it has. */
  Holding with(SortedMap<String, String> fromOthers) {
    return new Holding(cpus, budget, memory, memoryBudget, devices, fromOthers);
  }

  /** Most have no memory and no devices, and there may be thousands: these share one map. */
  private static <T> SortedMap<String, T> copy(SortedMap<String, T> map, UnaryOperator<T> inner) {
    if (map.isEmpty()) {
      return Collections.emptySortedMap();
    }
    SortedMap<String, T> copy = new TreeMap<>();
    map.forEach((name, value) -> copy.put(name, inner.apply(value)));
    return Collections.unmodifiableSortedMap(copy);
  }

  /**
   * CPUs of containers, and nothing else.
   *
   * @param cpus by container, the CPUs that are its own
   */
  public static Holding ofCpus(SortedMap<String, CpuSet> cpus) {
    return new Holding(
        cpus,
        CpuSet.EMPTY,
        Collections.emptySortedMap(),
        List.of(),
        Collections.emptySortedMap(),
        Collections.emptySortedMap());
  }

  /** What a pod has on a node now. */
  public static Holding of(Node node, String pod) {
    return node.holdingOf(pod);
  }

  /** What everybody has who has something on a node now, by pod. */
  public static SortedMap<String, Holding> all(Node node) {
    SortedMap<String, Holding> all =
        all(node.assignments(), node.memoryAssignments(), node.deviceAssignments());
    node.externals()
        .holdings()
        .forEach((pod, held) -> all.put(pod, all.getOrDefault(pod, NOTHING).with(held)));
    return all;
  }

  /** What everybody has who has something, by pod. */
  public static SortedMap<String, Holding> all(
      Assignments cpus, Optional<MemoryAssignments> memory, DeviceAssignments devices) {
    TreeSet<String> pods = new TreeSet<>(cpus.exclusive().keySet());
    pods.addAll(cpus.budgets().keySet());
    memory.ifPresent(blocks -> {
      pods.addAll(blocks.blocks().keySet());
      pods.addAll(blocks.budgets().keySet());
    });
    pods.addAll(devices.ids().keySet());
    SortedMap<String, Holding> all = new TreeMap<>();
    pods.forEach(pod -> all.put(pod, of(pod, cpus, memory, devices)));
    return all;
  }

  private static Holding of(
      String pod, Assignments cpus, Optional<MemoryAssignments> memory, DeviceAssignments devices) {
    return new Holding(
        cpus.exclusive().getOrDefault(pod, Collections.emptySortedMap()),
        cpus.budgets().getOrDefault(pod, CpuSet.EMPTY),
        memory
            .map(blocks -> blocks.blocks().getOrDefault(pod, Collections.emptySortedMap()))
            .orElse(Collections.emptySortedMap()),
        memory.map(blocks -> blocks.budgets().getOrDefault(pod, List.of())).orElse(List.of()),
        devices.ids().getOrDefault(pod, Collections.emptySortedMap()));
  }

  /** Whether it is nothing. */
  public boolean isEmpty() {
    return equals(NOTHING);
  }

  /** All CPUs of it: the budget's, and those of the containers. */
  public CpuSet allCpus() {
    CpuSet all = budget;
    for (CpuSet own : cpus.values()) {
      all = all.union(own);
    }
    return all;
  }

  /** The CPUs of it alone. */
  public Holding cpuPart() {
    return new Holding(
        cpus, budget, Collections.emptySortedMap(), List.of(), Collections.emptySortedMap());
  }

  /** The memory of it alone. */
  public Holding memoryPart() {
    return new Holding(
        Collections.emptySortedMap(),
        CpuSet.EMPTY,
        memory,
        memoryBudget,
        Collections.emptySortedMap());
  }

  /** The devices of it alone. */
  public Holding devicePart() {
    return new Holding(
        Collections.emptySortedMap(),
        CpuSet.EMPTY,
        Collections.emptySortedMap(),
        List.of(),
        devices);
  }

  /** The CPUs of one, the memory of another, and all else of a third. */
  public static Holding of(Holding cpuPart, Holding memoryPart, Holding rest) {
    return new Holding(
        cpuPart.cpus,
        cpuPart.budget,
        memoryPart.memory,
        memoryPart.memoryBudget,
        rest.devices,
        rest.others);
  }
}
