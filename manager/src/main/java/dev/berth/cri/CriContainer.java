package dev.berth.cri;

import dev.berth.cpu.InvalidInputException;
import dev.berth.protocols.cri.Container;
import java.util.Map;

/**
 * A container as a listing has it.
 *
 * @param id the runtime's
 * @param sandbox id of the pod's sandbox
 * @param name as it was created with; a kubelet's name of the container
 * @param attempt how many of this name there were before in its pod
 * @param createdAt nanoseconds since 1970
 */
public record CriContainer(
    String id,
    String sandbox,
    String name,
    int attempt,
    CriState state,
    long createdAt,
    Labels labels,
    Map<String, String> annotations) {
  /** Refuses one without an id, for nothing could be asked about it. */
  public CriContainer {
    if (id.isEmpty()) {
      throw new InvalidInputException("container: expected an id, found none");
    }
    annotations = Map.copyOf(annotations);
  }

  static CriContainer of(Container container) {
    return new CriContainer(
        container.getId(),
        container.getPodSandboxId(),
        container.getMetadata().getName(),
        container.getMetadata().getAttempt(),
        CriState.of(container.getState()),
        container.getCreatedAt(),
        new Labels(container.getLabelsMap()),
        container.getAnnotationsMap());
  }
}
