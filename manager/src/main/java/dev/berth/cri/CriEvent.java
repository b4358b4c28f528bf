package dev.berth.cri;

import dev.berth.protocols.cri.ContainerEventResponse;
import java.util.Optional;

/**
 * Something happened to a container, or to a pod's sandbox, which counts as one.
 *
 * @param id of the container or the sandbox
 * @param sandbox of the pod, where the runtime still knew it
 * @param at nanoseconds since 1970
 */
public record CriEvent(String id, Kind kind, Optional<String> sandbox, long at) {
  /** What happened. */
  public enum Kind {
    /** It was set up. */
    CREATED,
    /** Its first process was started. */
    STARTED,
    /** Its first process has ended. */
    STOPPED,
    /** It was removed. */
    DELETED,
    /** What nobody has heard of yet. */
    OTHER
  }

  /** Whether it is about the sandbox itself. */
  public boolean isOfSandbox() {
    return sandbox.filter(id::equals).isPresent();
  }

  static CriEvent of(ContainerEventResponse event) {
    Kind kind =
        switch (event.getContainerEventType()) {
          case CONTAINER_CREATED_EVENT -> Kind.CREATED;
          case CONTAINER_STARTED_EVENT -> Kind.STARTED;
          case CONTAINER_STOPPED_EVENT -> Kind.STOPPED;
          case CONTAINER_DELETED_EVENT -> Kind.DELETED;
          case UNRECOGNIZED -> Kind.OTHER;
        };
    return new CriEvent(
        event.getContainerId(),
        kind,
        Optional.of(event.getPodSandboxStatus().getId()).filter(id -> !id.isEmpty()),
        event.getCreatedAt());
  }
}
