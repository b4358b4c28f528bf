package dev.berth.kubelet;

import dev.berth.workload.CpuWish;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A pod that can be started without a container runtime: its commands run on the host's own root.
 *
 * <p>Read more strictly than {@link PodManifest}: a field that the embedded runtime cannot honour
 * and whose neglect would change what the pod means (a volume, a probe, a capability) is refused.
 * What only a scheduler or an image registry would read is passed over, with a warning where a
 * person may have counted on it.
 *
 * @param manifest what it asks for
 * @param restart what follows when a container has ended
 * @param grace how long its containers have to end after SIGTERM
 * @param wishes what it asks of CPUs of its own
 * @param launches how each container is started, init containers and sidecars first
 * @param warnings what was passed over, a line each
 * @param text the pod as JSON, which {@link #read} makes the same pod of
 */
public record RunnablePod(
    PodManifest manifest,
    RestartPolicy restart,
    Duration grace,
    Set<CpuWish> wishes,
    List<Launch> launches,
    List<String> warnings,
    String text) {
  /** Takes copies. */
  public RunnablePod {
    wishes = Set.copyOf(wishes);
    launches = List.copyOf(launches);
    warnings = List.copyOf(warnings);
  }

  /**
   * Reads the pods of a file.
   *
   * @param source what the file is called in an error
   * @throws dev.berth.cpu.InvalidInputException naming line, path, what was expected and found
   */
  public static List<RunnablePod> read(String source, String text) {
    return PodReader.read(source, text).stream().map(RunnableReader::read).toList();
  }

  /** What it is known by. */
  public String uid() {
    return manifest.pod().uid();
  }
}
