package dev.berth.cri;

import dev.berth.cpu.InvalidInputException;
import dev.berth.protocols.cri.PodSandbox;
import dev.berth.protocols.cri.PodSandboxMetadata;
import dev.berth.protocols.cri.PodSandboxState;
import dev.berth.protocols.cri.PodSandboxStatus;
import java.util.Map;

/**
 * A pod's sandbox, in which its containers are.
 *
 * @param id the runtime's, of the sandbox
 * @param uid the pod's, which stays when the sandbox is made anew
 * @param isReady whether it runs; containers of one that does not have ended
 */
public record CriPod(
    String id,
    String uid,
    String name,
    String namespace,
    boolean isReady,
    Labels labels,
    Map<String, String> annotations) {
  /** Refuses one without an id, for nothing could be asked about it. */
  public CriPod {
    if (id.isEmpty()) {
      throw new InvalidInputException("pod sandbox: expected an id, found none");
    }
    annotations = Map.copyOf(annotations);
  }

  static CriPod of(PodSandbox pod) {
    return of(
        pod.getId(),
        pod.getMetadata(),
        pod.getState(),
        pod.getLabelsMap(),
        pod.getAnnotationsMap());
  }

  static CriPod of(PodSandboxStatus pod) {
    return of(
        pod.getId(),
        pod.getMetadata(),
        pod.getState(),
        pod.getLabelsMap(),
        pod.getAnnotationsMap());
  }

  private static CriPod of(
      String id,
      PodSandboxMetadata metadata,
      PodSandboxState state,
      Map<String, String> labels,
      Map<String, String> annotations) {
    return new CriPod(
        id,
        metadata.getUid(),
        metadata.getName(),
        metadata.getNamespace(),
        state == PodSandboxState.SANDBOX_READY,
        new Labels(labels),
        annotations);
  }
}
