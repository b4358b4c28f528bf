package dev.berth.kubelet;

import dev.berth.workload.Pod;
import java.util.List;

/**
 * A pod as a file describes it.
 *
 * @param namespace {@code default} where none is named
 * @param name unique in its namespace
 * @param pod what the engine decides on; its uid is the file's, or {@code NAMESPACE_NAME}
 * @param place where it stands, {@code pods.yaml:12}
 */
public record PodManifest(String namespace, String name, Pod pod, String place) {
  /**
   * Reads the pods of a file: documents of kind Pod, or List of such.
   *
   * <p>What the API server would fill in is filled in (requests from limits, a pod's own budget),
   * and what it would refuse is refused where passing over it would change what is decided.
   *
   * @param source what the file is called in an error
   * @throws dev.berth.cpu.InvalidInputException naming line, path, what was expected and found
   */
  public static List<PodManifest> read(String source, String text) {
    return PodReader.read(source, text).stream().map(PodReader.Read::manifest).toList();
  }
}
