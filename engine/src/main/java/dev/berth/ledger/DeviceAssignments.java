package dev.berth.ledger;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who has which devices at one moment.
 *
 * @param ids by pod, container and resource, the ids of the devices, lowest first; an init
 *     container goes on showing devices that later ones of its pod use again
 */
public record DeviceAssignments(
    SortedMap<String, SortedMap<String, SortedMap<String, List<String>>>> ids) {
  /** Nobody has any. */
  public static final DeviceAssignments NONE = of(Map.of());

  /** Takes an unmodifiable copy. */
  public DeviceAssignments {
    SortedMap<String, SortedMap<String, SortedMap<String, List<String>>>> pods = new TreeMap<>();
    ids.forEach((pod, containers) -> {
      SortedMap<String, SortedMap<String, List<String>>> copy = new TreeMap<>();
      containers.forEach((container, resources) -> copy.put(container, sorted(resources)));
      pods.put(pod, Collections.unmodifiableSortedMap(copy));
    });
    ids = Collections.unmodifiableSortedMap(pods);
  }

  private static SortedMap<String, List<String>> sorted(Map<String, List<String>> resources) {
    SortedMap<String, List<String>> copy = new TreeMap<>();
    resources.forEach(
        (resource, list) -> copy.put(resource, list.stream().sorted(DeviceOrder.BY_ID).toList()));
    return Collections.unmodifiableSortedMap(copy);
  }

  /** From any maps. */
  public static DeviceAssignments of(
      Map<String, ? extends Map<String, ? extends Map<String, List<String>>>> ids) {
    SortedMap<String, SortedMap<String, SortedMap<String, List<String>>>> pods = new TreeMap<>();
    ids.forEach((pod, containers) -> {
      SortedMap<String, SortedMap<String, List<String>>> inner = new TreeMap<>();
      containers.forEach((container, resources) -> inner.put(container, new TreeMap<>(resources)));
      pods.put(pod, inner);
    });
    return new DeviceAssignments(pods);
  }

  /** The devices of one container, by resource. */
  public SortedMap<String, List<String>> of(String pod, String container) {
    return ids.getOrDefault(pod, Collections.emptySortedMap())
        .getOrDefault(container, Collections.emptySortedMap());
  }

  /** All devices that a pod has of a resource, each once, lowest id first. */
  public SortedSet<String> ofPod(String pod, String resource) {
    SortedSet<String> all = new TreeSet<>(DeviceOrder.BY_ID);
    ids.getOrDefault(pod, Collections.emptySortedMap())
        .values()
        .forEach(resources -> all.addAll(resources.getOrDefault(resource, List.of())));
    return Collections.unmodifiableSortedSet(all);
  }
}
