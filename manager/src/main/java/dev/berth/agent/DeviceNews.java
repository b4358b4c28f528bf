package dev.berth.agent;

import dev.berth.ledger.Device;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Says in a sentence what a device plugin's list has changed. */
final class DeviceNews {
  /** More names than these fill a line, and nobody reads them. */
  private static final int NAMED = 6;

  private DeviceNews() {}

  /** What is different; nothing where a plugin said again what it had said. */
  static Optional<String> between(String resource, List<Device> before, List<Device> after) {
    Map<String, Device> old = byId(resource, before);
    Map<String, Device> now = byId(resource, after);
    List<String> came = new ArrayList<>();
    List<String> ill = new ArrayList<>();
    List<String> well = new ArrayList<>();
    List<String> moved = new ArrayList<>();
    now.forEach((id, device) -> {
      Device was = old.remove(id);
      if (was == null) {
        came.add(device.healthy() ? id : id + " (unhealthy)");
      } else if (was.healthy() != device.healthy()) {
        (device.healthy() ? well : ill).add(id);
      } else if (!was.nodes().equals(device.nodes())) {
        moved.add(id);
      }
    });
    List<String> parts = new ArrayList<>();
    add(parts, "came", came);
    add(parts, "gone", old.keySet());
    add(parts, "unhealthy", ill);
    add(parts, "healthy again", well);
    add(parts, "near other NUMA nodes", moved);
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of("devices of " + resource + ": " + String.join("; ", parts));
  }

  private static Map<String, Device> byId(String resource, List<Device> devices) {
    return devices.stream()
        .filter(device -> device.resource().equals(resource))
        .collect(Collectors.toMap(Device::id, Function.identity(), (a, _) -> a, TreeMap::new));
  }

  private static void add(List<String> parts, String what, Collection<String> ids) {
    if (!ids.isEmpty()) {
      String names = ids.stream().limit(NAMED).collect(Collectors.joining(", "));
      String more = ids.size() > NAMED ? " and " + (ids.size() - NAMED) + " more" : "";
      parts.add(what + " " + names + more);
    }
  }
}
