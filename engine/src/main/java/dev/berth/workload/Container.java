package dev.berth.workload;

import dev.berth.cpu.InvalidInputException;

/**
 * A container of a pod.
 *
 * @param name unique in its pod
 * @param role when it runs
 * @param resources what it asks for
 */
public record Container(String name, Role role, Resources resources) {
  /** When a container runs, and so whose CPUs may be used again. */
  public enum Role {
    /** Runs to its end before the next one starts; its CPUs are free for those after it. */
    INIT,
    /** Starts among the init containers and stays as long as the pod: nobody else's CPUs. */
    SIDECAR,
    /** Runs for the life of the pod, beside the others. */
    APP
  }

  /** Refuses a container without a name. */
  public Container {
    if (name.isEmpty()) {
      throw new InvalidInputException("container: expected a name, found none");
    }
  }
}
