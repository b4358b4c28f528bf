package dev.berth.agent.state;

import dev.berth.ledger.Holding;
import dev.berth.workload.Pod;
import java.util.Optional;

/**
 * What is written down of a pod.
 *
 * @param pod what was decided on
 * @param spec the agent's own description of it: text that nobody looks into here
 * @param holding what it has
 * @param displaced why it runs on the shared pool although it is owed CPUs of its own, where it
 *     does
 * @param standing how far it has come
 */
public record PodRecord(
    Pod pod, String spec, Holding holding, Optional<String> displaced, Standing standing) {
  /** What the pod is known by. */
  public String uid() {
    return pod.uid();
  }

  /** Whether it was admitted and has not ended. */
  public boolean isIn() {
    return switch (standing) {
      case Standing.Admitted _, Standing.Stopping _ -> true;
      case Standing.Ended _, Standing.Refused _ -> false;
    };
  }

  /** The same pod, found running although its record says otherwise. */
  public PodRecord admitted() {
    return with(new Standing.Admitted());
  }

  PodRecord with(Standing other) {
    return new PodRecord(pod, spec, holding, displaced, other);
  }

  PodRecord with(Holding other) {
    return new PodRecord(pod, spec, other, displaced, standing);
  }

  PodRecord displacedBecause(Optional<String> why) {
    return new PodRecord(pod, spec, holding, why, standing);
  }
}
