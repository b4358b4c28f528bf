package dev.berth.ledger;

import dev.berth.allocation.FeatureGates;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.QosClass;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** How much memory of their own a pod and its containers are owed, by kind, in bytes. */
final class MemoryNeeds {
  private final Pod pod;
  private final CpuNeeds shape;

  MemoryNeeds(Pod pod, FeatureGates gates) {
    this.pod = pod;
    shape = new CpuNeeds(pod, gates);
  }

  /** Whether the pod is owed any: only guaranteed ones are. */
  boolean isOwed() {
    return pod.qosClass() == QosClass.GUARANTEED && !shape.isIgnored();
  }

  boolean hasBudget() {
    return shape.hasBudget();
  }

  /** What a container is owed; in a pod with a budget, only where it is guaranteed by itself. */
  SortedMap<String, Long> of(Container container) {
    return shape.isOwn(container) ? amounts(container.resources()) : Collections.emptySortedMap();
  }

  /** The kinds of memory that the pod asks for, if it is owed any. */
  SortedSet<String> kinds() {
    SortedSet<String> kinds = new TreeSet<>(MemoryNeeds::memoryFirst);
    if (isOwed()) {
      kinds.addAll(ofPod().keySet());
      pod.containers().forEach(container -> kinds.addAll(of(container).keySet()));
    }
    return kinds;
  }

  private static SortedMap<String, Long> amounts(Resources resources) {
    SortedMap<String, Long> amounts = new TreeMap<>(MemoryNeeds::memoryFirst);
    for (Map.Entry<String, Quantity> request : resources.requests().entrySet()) {
      String name = request.getKey();
      if (name.equals(MemoryStock.MEMORY) || name.startsWith(MemoryStock.HUGEPAGES)) {
        amounts.put(name, request.getValue().value());
      }
    }
    return amounts;
  }

  /** Memory, then hugepages by name: Kubernetes leaves the order to chance. */
  static int memoryFirst(String one, String other) {
    boolean oneIs = one.equals(MemoryStock.MEMORY);
    boolean otherIs = other.equals(MemoryStock.MEMORY);
    return oneIs == otherIs ? one.compareTo(other) : oneIs ? -1 : 1;
  }

  /** What the pod as a whole is owed: its budget, or what its containers need at one time. */
  SortedMap<String, Long> ofPod() {
    SortedMap<String, Long> whole = new TreeMap<>(MemoryNeeds::memoryFirst);
    if (hasBudget()) {
      amounts(pod.budget().orElse(Resources.NONE))
          .forEach((type, bytes) -> {
            if (bytes > 0) {
              whole.put(type, bytes);
            }
          });
      return whole;
    }
    SortedMap<String, Long> apps = new TreeMap<>();
    SortedMap<String, Long> lasting = new TreeMap<>();
    SortedMap<String, Long> most = new TreeMap<>();
    for (Container container : pod.containers()) {
      of(container)
          .forEach((type, bytes) -> {
            if (container.role() == Role.INIT) {
              most.merge(type, lasting.getOrDefault(type, 0L) + bytes, Math::max);
            } else {
              lasting.merge(type, bytes, Long::sum);
            }
            if (container.role() == Role.APP) {
              apps.merge(type, bytes, Long::sum);
            }
          });
    }
    // Only kinds that an app asks for are aligned as a whole, as upstream has it.
    apps.keySet()
        .forEach(type ->
            whole.put(type, Math.max(lasting.getOrDefault(type, 0L), most.getOrDefault(type, 0L))));
    return whole;
  }

  /** Why the budget leaves nothing for a container that shares, if it does. */
  Optional<String> emptySharedPart() {
    SortedMap<String, Long> whole = ofPod();
    SortedMap<String, Long> lasting = new TreeMap<>();
    boolean sharing = false;
    for (Container container : pod.containers()) {
      SortedMap<String, Long> own = of(container);
      if (container.role() == Role.INIT) {
        Optional<String> used = own.isEmpty() ? usedUp(whole, lasting) : Optional.empty();
        if (used.isPresent()) {
          return used.map(type ->
              "pod rejected, pod has shared init containers but no "
                  + type
                  + " available for them");
        }
        continue;
      }
      sharing |= own.isEmpty();
      own.forEach((type, bytes) -> lasting.merge(type, bytes, Long::sum));
    }
    return sharing
        ? usedUp(whole, lasting)
            .map(type ->
                "pod rejected, sum of exclusive container "
                    + type
                    + " requests equals pod budget, leaving no memory for shared containers")
        : Optional.empty();
  }

  private static Optional<String> usedUp(
      SortedMap<String, Long> whole, SortedMap<String, Long> used) {
    return whole.entrySet().stream()
        .filter(entry -> used.getOrDefault(entry.getKey(), 0L) >= entry.getValue())
        .map(Map.Entry::getKey)
        .findFirst();
  }
}
