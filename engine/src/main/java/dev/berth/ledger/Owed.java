package dev.berth.ledger;

import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a pod is owed on a node, whoever is there: the least that it can ever get by on.
 *
 * <p>An init container's part is used again by those after it where that is possible, so a pod may
 * hold more than this, and never less.
 *
 * @param cpus CPUs of its own, all that it needs at one time
 * @param memory memory of its own in bytes, by kind
 * @param devices devices by resource, of those that the node knows
 * @param parts what is placed together: each container for itself, or the pod as a whole
 */
public record Owed(
    int cpus,
    SortedMap<String, Long> memory,
    SortedMap<String, Integer> devices,
    List<Part> parts) {
  /**
   * What is placed together.
   *
   * @param name the container's, or the pod's where it is placed as a whole
   * @param cpus how many CPUs
   * @param memory memory in bytes, by kind
   * @param devices how many devices, by resource
   * @param lasting whether nobody of the pod uses them again
   */
  public record Part(
      String name,
      int cpus,
      SortedMap<String, Long> memory,
      SortedMap<String, Integer> devices,
      boolean lasting) {
    /** Takes unmodifiable copies. */
    public Part {
      memory = Collections.unmodifiableSortedMap(new TreeMap<>(memory));
      devices = Collections.unmodifiableSortedMap(new TreeMap<>(devices));
    }
  }

  /** Takes unmodifiable copies. */
  public Owed {
    memory = Collections.unmodifiableSortedMap(new TreeMap<>(memory));
    devices = Collections.unmodifiableSortedMap(new TreeMap<>(devices));
    parts = List.copyOf(parts);
  }

  /** What a pod is owed on this node. */
  public static Owed of(Node node, Pod pod) {
    Configuration configuration = node.configuration();
    boolean byPod =
        configuration.topology().policy() != TopologySettings.Policy.NONE
            && configuration.topology().scope() == TopologySettings.Scope.POD;
    Set<String> known = new HashSet<>();
    node.devices().forEach(device -> known.add(device.resource()));
    DeviceNeeds devices = new DeviceNeeds(pod, known::contains);
    CpuNeeds cpus = new CpuNeeds(pod, configuration.gates());
    MemoryNeeds memory = new MemoryNeeds(pod, configuration.gates());
    boolean counted = configuration.cpuPolicy() == CpuPolicy.STATIC;
    boolean weighed =
        configuration.memory().policy() == MemorySettings.Policy.STATIC && memory.isOwed();
    List<Part> parts = new ArrayList<>();
    for (Container container : pod.containers()) {
      parts.add(
          new Part(
              container.name(),
              counted ? cpus.of(container) : 0,
              weighed ? memory.of(container) : Collections.emptySortedMap(),
              devices.of(container),
              container.role() != Role.INIT));
    }
    int most = counted ? cpus(cpus, byPod, parts) : 0;
    SortedMap<String, Long> bytes =
        weighed ? memory(memory, byPod, pod) : Collections.emptySortedMap();
    Part whole = new Part(pod.uid(), most, bytes, devices.ofPod(), true);
    return new Owed(most, bytes, devices.ofPod(), byPod ? List.of(whole) : parts);
  }

  /** A budget is taken as a whole only where pods are placed as such. */
  private static int cpus(CpuNeeds needs, boolean byPod, List<Part> parts) {
    if (!needs.hasBudget() || byPod) {
      return needs.isIgnored() ? 0 : needs.ofPod();
    }
    long lasting = parts.stream().filter(Part::lasting).mapToLong(Part::cpus).sum();
    long widest = parts.stream().mapToLong(Part::cpus).max().orElse(0);
    return (int) Math.min(Math.max(lasting, widest), Integer.MAX_VALUE);
  }

  /** What lasts, or the largest of those that do not. */
  private static SortedMap<String, Long> memory(MemoryNeeds needs, boolean byPod, Pod pod) {
    if (needs.hasBudget() && byPod) {
      return needs.ofPod();
    }
    SortedMap<String, Long> lasting = new TreeMap<>();
    SortedMap<String, Long> widest = new TreeMap<>();
    for (Container container : pod.containers()) {
      for (Map.Entry<String, Long> amount : needs.of(container).entrySet()) {
        (container.role() == Role.INIT ? widest : lasting)
            .merge(
                amount.getKey(),
                amount.getValue(),
                container.role() == Role.INIT ? Math::max : Long::sum);
      }
    }
    widest.forEach((kind, bytes) -> lasting.merge(kind, bytes, Math::max));
    return lasting;
  }
}
