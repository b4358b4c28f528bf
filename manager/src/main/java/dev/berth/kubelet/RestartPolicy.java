package dev.berth.kubelet;

/** What follows when a container of a pod has ended. */
public enum RestartPolicy {
  /** It is started again, however it ended. */
  ALWAYS("Always"),
  /** It is started again unless its exit code was 0. */
  ON_FAILURE("OnFailure"),
  /** It has ended for good. */
  NEVER("Never");

  private final String kubernetesName;

  RestartPolicy(String kubernetesName) {
    this.kubernetesName = kubernetesName;
  }

  /** Its name in a manifest. */
  public String kubernetesName() {
    return kubernetesName;
  }

  /** Whether a container that ended with this code is to be started again. */
  public boolean again(int code) {
    return switch (this) {
      case ALWAYS -> true;
      case ON_FAILURE -> code != 0;
      case NEVER -> false;
    };
  }

  static RestartPolicy of(YamlField field) {
    for (RestartPolicy policy : values()) {
      if (policy.kubernetesName.equals(field.text())) {
        return policy;
      }
    }
    throw field.error("Always, OnFailure or Never");
  }
}
