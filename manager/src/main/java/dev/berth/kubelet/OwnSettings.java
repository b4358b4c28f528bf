package dev.berth.kubelet;

import dev.berth.ledger.Device;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a file says under {@code berth:}, which a kubelet does not know.
 *
 * @param allowEmptySharedPool whether the last shared CPU may be given away while a container runs
 *     on it
 * @param partition whether the kernel schedules exclusive CPUs apart
 * @param manifests a folder whose pods are run, where one is named
 * @param devices devices that no plugin reports, by what they are called in requests
 * @param devicePlugins the folder in which device plugins register, where they may
 * @param podResources the socket on which others are told who has what, where they are
 * @param logFormat how the agent writes its log
 * @param containerLogMaxSize the bytes beyond which a container's log is rotated; 0 for never
 * @param httpNames host names by which clients may name the agent on its port
 */
public record OwnSettings(
    boolean allowEmptySharedPool,
    CpuPartition partition,
    Optional<Path> manifests,
    List<Device> devices,
    Optional<Path> devicePlugins,
    Optional<Path> podResources,
    LogFormat logFormat,
    long containerLogMaxSize,
    List<String> httpNames) {
  /** What holds where nothing is said. */
  public static final OwnSettings DEFAULTS =
      new OwnSettings(
          false,
          CpuPartition.MEMBER,
          Optional.empty(),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          LogFormat.TEXT,
          10L << 20,
          List.of());

  /** How the kernel schedules the CPUs of an exclusive container. */
  public enum CpuPartition {
    /** With the others. */
    MEMBER,
    /** Apart, without balancing load over them; cgroup v2 only. */
    ISOLATED
  }

  /** How a log is written. */
  public enum LogFormat {
    /** For people. */
    TEXT,
    /** For programs, an object a line. */
    JSON
  }

  /** Takes copies. */
  public OwnSettings {
    devices = List.copyOf(devices);
    httpNames = List.copyOf(httpNames);
  }
}
