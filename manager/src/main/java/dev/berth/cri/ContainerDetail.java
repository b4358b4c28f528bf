package dev.berth.cri;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * All that a runtime tells of one container.
 *
 * @param sandbox id of the pod's sandbox; some runtimes do not say
 * @param resources what it may use; none where the runtime neither says so nor shows the
 *     container's specification
 * @param pid its first process, where it runs and the runtime says so
 * @param exitCode of one that has ended
 */
public record ContainerDetail(
    String id,
    Optional<String> sandbox,
    String name,
    CriState state,
    Labels labels,
    Map<String, String> annotations,
    Optional<CriResources> resources,
    OptionalLong pid,
    int exitCode) {
  /** Keeps the annotations as they are now. */
  public ContainerDetail {
    annotations = Map.copyOf(annotations);
  }
}
