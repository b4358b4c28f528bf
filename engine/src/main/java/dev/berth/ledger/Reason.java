package dev.berth.ledger;

/** Why a pod was refused, by the name that Kubernetes shows in its status. */
public enum Reason {
  /** There are not enough CPUs left. */
  UNEXPECTED("UnexpectedAdmissionError"),
  /** Whole cores were wanted, and the request cannot be met with whole cores. */
  SMT_ALIGNMENT("SMTAlignmentError"),
  /** Berth's own: one last-level cache was wanted, and none has enough CPUs left. */
  CACHE_ALIGNMENT("UncoreCacheAlignmentError");

  private final String kubernetesName;

  Reason(String kubernetesName) {
    this.kubernetesName = kubernetesName;
  }

  /** The name in a pod's status. */
  public String kubernetesName() {
    return kubernetesName;
  }
}
