package dev.berth.replay;

import dev.berth.ledger.Device;
import dev.berth.ledger.PreferredAllocation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Advises to take devices from the places that were recorded for one pod.
 *
 * <p>Which of several devices that will do is taken, upstream leaves to chance, also where they are
 * in different places. We take the lowest id. To see whether a recorded answer differs in nothing
 * but luck, the same case is run once more with this as advice: it can only choose among devices
 * that the engine would have given anyway.
 */
final class RecordedChoice implements PreferredAllocation {
  private final Deque<Map<String, Integer>> containers = new ArrayDeque<>();

  /**
   * Follows what was recorded of one resource.
   *
   * @param names the pod's containers, in their order
   * @param devices the step's recorded devices
   */
  RecordedChoice(List<String> names, JsonNode devices, String resource) {
    for (String name : names) {
      Map<String, Integer> counts = new HashMap<>();
      JsonNode places = devices.path(name).path(resource);
      places.propertyNames().forEach(place -> counts.put(place, places.path(place).asInt(0)));
      if (!counts.isEmpty()) {
        containers.add(counts);
      }
    }
  }

  @Override
  public Collection<String> prefer(List<Device> available, List<Device> included, int size) {
    Map<String, Integer> wanted = nextOf(size);
    List<String> chosen = new ArrayList<>();
    included.forEach(device -> {
      wanted.merge(CaseDevices.place(device), -1, Integer::sum);
      chosen.add(device.id());
    });
    for (Device device : available) {
      String place = CaseDevices.place(device);
      if (!chosen.contains(device.id()) && wanted.getOrDefault(place, 0) > 0) {
        wanted.merge(place, -1, Integer::sum);
        chosen.add(device.id());
      }
    }
    return chosen;
  }

  /** Containers are asked about in order, but not all of them: the next with that many. */
  private Map<String, Integer> nextOf(int size) {
    while (!containers.isEmpty()) {
      Map<String, Integer> next = containers.remove();
      if (next.values().stream().mapToInt(Integer::intValue).sum() == size) {
        return next;
      }
    }
    return new HashMap<>();
  }
}
