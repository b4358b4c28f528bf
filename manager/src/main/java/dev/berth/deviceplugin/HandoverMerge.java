package dev.berth.deviceplugin;

import dev.berth.cpu.InvalidInputException;
import dev.berth.protocols.deviceplugin.CDIDevice;
import dev.berth.protocols.deviceplugin.ContainerAllocateResponse;
import dev.berth.protocols.deviceplugin.DeviceSpec;
import dev.berth.protocols.deviceplugin.Mount;
import dev.berth.rpc.Lines;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;

/**
 * Puts together what the plugins of several resources hand on to one container. Where two want the
 * same name or the same path inside the container, the first one holds, as in the kubelet; where
 * they want it differently, that is noted.
 */
final class HandoverMerge {
  private final Map<String, String> environment = new TreeMap<>();
  private final SequencedMap<String, Handover.Mount> mounts = new LinkedHashMap<>();
  private final SequencedMap<String, Handover.DeviceNode> devices = new LinkedHashMap<>();
  private final SequencedSet<String> cdiDevices = new LinkedHashSet<>();
  private final Map<String, String> annotations = new TreeMap<>();
  private final List<String> conflicts = new ArrayList<>();

  /**
   * Adds one resource's.
   *
   * @throws InvalidInputException where no container could be started with it
   */
  void add(String resource, ContainerAllocateResponse response) {
    new TreeMap<>(response.getEnvsMap())
        .forEach((name, value) -> {
          require(resource, "variable", name, !name.contains("="));
          require(resource, "value of " + name, value, true);
          put(resource, "variable", environment, name, value);
        });
    for (Mount mount : response.getMountsList()) {
      String path = path(resource, "mount", mount.getContainerPath());
      String host = path(resource, "mount", mount.getHostPath());
      put(resource, "mount", mounts, path, new Handover.Mount(path, host, mount.getReadOnly()));
    }
    for (DeviceSpec device : response.getDevicesList()) {
      String path = path(resource, "device", device.getContainerPath());
      String host = path(resource, "device", device.getHostPath());
      String permissions = device.getPermissions();
      require(resource, "permissions", permissions, permissions.matches("[rwm]*"));
      put(resource, "device", devices, path, new Handover.DeviceNode(path, host, permissions));
    }
    for (CDIDevice device : response.getCdiDevicesList()) {
      cdiDevices.add(path(resource, "CDI device", device.getName()));
    }
    new TreeMap<>(response.getAnnotationsMap())
        .forEach((name, value) -> put(resource, "annotation", annotations, name, value));
  }

  private static String path(String resource, String what, String path) {
    require(resource, what, path, !path.isEmpty());
    return path;
  }

  private static void require(String resource, String what, String text, boolean usable) {
    if (!usable || text.indexOf('\0') >= 0) {
      throw new InvalidInputException(
          "device plugin of "
              + resource
              + ": expected a "
              + what
              + " that a container can have, found \""
              + Lines.shortened(text)
              + "\"");
    }
  }

  private <T> void put(String resource, String what, Map<String, T> map, String name, T value) {
    T before = map.putIfAbsent(name, value);
    if (before != null && !Objects.equals(before, value)) {
      conflicts.add(
          what
              + " "
              + Lines.shortened(name)
              + ": "
              + resource
              + " wants it differently than a resource before it, which holds");
    }
  }

  Handover handover() {
    return new Handover(
        new TreeMap<>(environment),
        List.copyOf(mounts.values()),
        List.copyOf(devices.values()),
        List.copyOf(cdiDevices),
        new TreeMap<>(annotations),
        conflicts);
  }
}
