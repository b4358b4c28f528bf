package dev.berth.cri;

import java.util.Map;
import java.util.Optional;

/**
 * What a kubelet wrote on a pod or a container. Whoever starts containers otherwise writes none.
 */
public record Labels(Map<String, String> values) {
  /** Keeps them as they are now. */
  public Labels {
    values = Map.copyOf(values);
  }

  /** The pod's unique id. */
  public Optional<String> podUid() {
    return value("io.kubernetes.pod.uid");
  }

  /** The pod's name. */
  public Optional<String> podName() {
    return value("io.kubernetes.pod.name");
  }

  /** The pod's namespace. */
  public Optional<String> podNamespace() {
    return value("io.kubernetes.pod.namespace");
  }

  /** The container's name in its pod; none on a pod. */
  public Optional<String> containerName() {
    return value("io.kubernetes.container.name");
  }

  private Optional<String> value(String key) {
    return Optional.ofNullable(values.get(key));
  }
}
