package dev.berth.hints;

/** Why a pod was refused, by the name that Kubernetes shows in its status. */
public enum Reason {
  /** What was asked for cannot be given: there is not enough of it left. */
  UNEXPECTED("UnexpectedAdmissionError"),
  /** Whole cores were wanted, and the request cannot be met with whole cores. */
  SMT_ALIGNMENT("SMTAlignmentError"),
  /** The resources cannot be given from NUMA nodes that the topology policy accepts. */
  TOPOLOGY_AFFINITY("TopologyAffinityError"),
  /** A pod's own budget leaves nothing for those of its containers that share. */
  EMPTY_POD_SHARED_POOL("EmptyPodSharedPoolError"),
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
