package dev.berth.agent;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.TopologySettings;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.QosClass;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;

/**
 * What the managers are asked for by a pod, for counting.
 *
 * @param pod who asks
 * @param configuration what holds
 */
record Owed(Pod pod, Configuration configuration) {
  /** Who said no. */
  enum Refuser {
    CPUS,
    MEMORY,
    TOPOLOGY,
    OTHERS
  }

  /**
   * Who refused a pod. Where the reason alone does not tell, Kubernetes' own sentence does, which
   * recorded cases hold us to.
   */
  static Refuser refuser(Decision.Refused refused) {
    return switch (refused.reason()) {
      case SMT_ALIGNMENT, CACHE_ALIGNMENT -> Refuser.CPUS;
      case TOPOLOGY_AFFINITY -> Refuser.TOPOLOGY;
      case EMPTY_POD_SHARED_POOL ->
          refused.message().contains("cpu") ? Refuser.CPUS : Refuser.MEMORY;
      case UNEXPECTED -> {
        if (refused.message().contains("not enough cpus available")) {
          yield Refuser.CPUS;
        }
        yield refused.message().contains("[memorymanager]") ? Refuser.MEMORY : Refuser.OTHERS;
      }
    };
  }

  private boolean budgetsCount() {
    FeatureGates gates = configuration.gates();
    return gates.isOn(Gate.POD_LEVEL_RESOURCE_MANAGERS) && gates.isOn(Gate.POD_LEVEL_RESOURCES);
  }

  private boolean isIgnored() {
    return pod.budget().isPresent() && !budgetsCount();
  }

  /** Whether the pod's budget is taken from the node at once, and containers have parts of it. */
  boolean asWhole() {
    return pod.budget().isPresent()
        && budgetsCount()
        && configuration.topology().scope() == TopologySettings.Scope.POD
        && configuration.topology().policy() != TopologySettings.Policy.NONE;
  }

  /** Where resources come from. */
  String source() {
    return asWhole() ? "pod" : "node";
  }

  /** How a container came to what it has. */
  String assignment(boolean own) {
    return asWhole() ? own ? "pod_exclusive" : "pod_shared" : "node_exclusive";
  }

  private boolean isOwn(Container container) {
    return !isIgnored()
        && (pod.budget().isEmpty()
            || (isFirm(container, Resources.CPU) && isFirm(container, Resources.MEMORY)));
  }

  private static boolean isFirm(Container container, String resource) {
    Quantity request = container.resources().request(resource);
    return !request.isZero() && request.equals(container.resources().limit(resource));
  }

  /** Whether a container is owed CPUs of its own. */
  boolean ownCpus(Container container) {
    return isOwn(container) && pod.exclusiveCpus(container) > 0;
  }

  /** Whether memory is counted for the pod at all. */
  boolean memory() {
    return pod.qosClass() == QosClass.GUARANTEED && !isIgnored();
  }

  /** How many kinds of memory a container is owed: ordinary memory, and each size of hugepages. */
  long kindsOfMemory(Container container) {
    return isOwn(container)
        ? container.resources().requests().keySet().stream()
            .filter(name -> name.equals(Resources.MEMORY) || name.startsWith("hugepages-"))
            .count()
        : 0;
  }
}
