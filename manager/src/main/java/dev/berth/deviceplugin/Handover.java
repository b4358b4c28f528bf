package dev.berth.deviceplugin;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a container is to be started with, so that it can use its devices.
 *
 * @param environment variables by name
 * @param mounts files and folders of the host, in the order of their resources
 * @param devices device nodes of the host, in the order of their resources
 * @param cdiDevices names by which a runtime finds the rest in its own files, each once
 * @param annotations for the container, by name
 * @param conflicts what two resources wanted differently, a line each; the first one's holds
 */
public record Handover(
    SortedMap<String, String> environment,
    List<Mount> mounts,
    List<DeviceNode> devices,
    List<String> cdiDevices,
    SortedMap<String, String> annotations,
    List<String> conflicts) {
  /** Nothing is handed on. */
  public static final Handover NONE =
      new Handover(new TreeMap<>(), List.of(), List.of(), List.of(), new TreeMap<>(), List.of());

  /** A file or folder of the host in the container. */
  public record Mount(String containerPath, String hostPath, boolean readOnly) {}

  /**
   * A device node of the host in the container.
   *
   * @param permissions some of r, w and m
   */
  public record DeviceNode(String containerPath, String hostPath, String permissions) {}

  /** Takes unmodifiable copies. */
  public Handover {
    environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    mounts = List.copyOf(mounts);
    devices = List.copyOf(devices);
    cdiDevices = List.copyOf(cdiDevices);
    annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    conflicts = List.copyOf(conflicts);
  }
}
