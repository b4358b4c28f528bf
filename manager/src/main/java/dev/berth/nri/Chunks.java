package dev.berth.nri;

import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.protocols.nri.SynchronizeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * All that a runtime has, in as many messages as it likes, until it is complete. A message has its
 * bounds, but their number has none of its own: a runtime that never comes to an end would fill the
 * memory.
 */
final class Chunks {
  /** Some fifty times what a Kubernetes node may have: 110 pods. */
  private static final int MOST = 12_000;

  /** Of what is kept. A container with long names has half a kilobyte. */
  private static final long MOST_BYTES = 4 << 20;

  /** With one container in each there would be less than that. */
  private static final int MOST_CHUNKS = MOST;

  private final Predicate<String> annotations;
  private final List<PodSandbox> pods = new ArrayList<>();
  private final List<Container> containers = new ArrayList<>();
  private long bytes;
  private int count;

  /**
   * None yet.
   *
   * @param annotations those of pods that are kept: all of them together may have 256 KiB a pod
   */
  Chunks(Predicate<String> annotations) {
    this.annotations = annotations;
  }

  /** One more; why it is too much, if it is. */
  Optional<String> add(SynchronizeRequest request) {
    count++;
    for (PodSandbox pod : request.getPodsList()) {
      PodSandbox kept = kept(pod);
      bytes += kept.getSerializedSize();
      pods.add(kept);
    }
    for (Container container : request.getContainersList()) {
      bytes += container.getSerializedSize();
      containers.add(container);
    }
    if (pods.size() + containers.size() > MOST) {
      return Optional.of("expected at most " + MOST + " pods and containers, found more");
    }
    if (bytes > MOST_BYTES) {
      return Optional.of("expected at most " + MOST_BYTES + " bytes in all, found more");
    }
    return count > MOST_CHUNKS
        ? Optional.of("expected at most " + MOST_CHUNKS + " parts, found more")
        : Optional.empty();
  }

  private PodSandbox kept(PodSandbox pod) {
    Map<String, String> all = pod.getAnnotationsMap();
    if (all.keySet().stream().allMatch(annotations)) {
      return pod;
    }
    PodSandbox.Builder kept = pod.toBuilder().clearAnnotations();
    all.forEach((name, value) -> {
      if (annotations.test(name)) {
        kept.putAnnotations(name, value);
      }
    });
    return kept.build();
  }

  List<PodSandbox> pods() {
    return List.copyOf(pods);
  }

  List<Container> containers() {
    return List.copyOf(containers);
  }
}
