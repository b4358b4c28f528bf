package dev.berth.cri;

import dev.berth.protocols.cri.ContainerState;

/** Where a container is in its life. */
public enum CriState {
  /** Set up, and no process of it runs yet. */
  CREATED,
  /** Its first process runs. */
  RUNNING,
  /** Its first process has ended. */
  EXITED,
  /** The runtime lost track, or says what nobody has heard of yet. */
  UNKNOWN;

  static CriState of(ContainerState state) {
    return switch (state) {
      case CONTAINER_CREATED -> CREATED;
      case CONTAINER_RUNNING -> RUNNING;
      case CONTAINER_EXITED -> EXITED;
      case CONTAINER_UNKNOWN, UNRECOGNIZED -> UNKNOWN;
    };
  }
}
