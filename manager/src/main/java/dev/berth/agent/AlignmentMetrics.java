package dev.berth.agent;

import dev.berth.allocation.StaticOption;
import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.ledger.TopologySettings;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.observe.Counter;
import dev.berth.observe.Registry;
import dev.berth.topology.Level;
import dev.berth.workload.Pod;
import java.util.List;

/** How often CPUs lie within a core, a cache or a NUMA node, as Kubernetes counts it. */
final class AlignmentMetrics {
  private static final String CONTAINER = "container";
  private static final String PHYSICAL_CPU = "physical_cpu";
  private static final String NUMA_NODE = "numa_node";
  private static final String UNCORE_CACHE = "uncore_cache";

  private final Counter aligned;
  private final Counter failures;

  AlignmentMetrics(Registry registry) {
    String boundary = "kubelet_container_aligned_compute_resources_";
    aligned =
        registry.counter(
            boundary + "count",
            "Containers and pods whose CPUs lie within a boundary.",
            "scope",
            "boundary");
    failures =
        registry.counter(
            boundary + "failure_count",
            "Containers and pods that were refused because their CPUs would not.",
            "scope",
            "boundary");
    beThere();
  }

  /** Lines that are to be there before anything happened. */
  private void beThere() {
    for (Counter counter : List.of(aligned, failures)) {
      counter.add(0, CONTAINER, PHYSICAL_CPU);
      counter.add(0, CONTAINER, NUMA_NODE);
      counter.add(0, "pod", NUMA_NODE);
    }
    aligned.add(0, CONTAINER, UNCORE_CACHE);
  }

  /** Containers got CPUs of their own. */
  void granted(Decision.Granted granted, Node node) {
    boolean cores = isByCores(node.configuration());
    for (CpuSet cpus : granted.cpus().values()) {
      if (cores) {
        aligned.increment(CONTAINER, PHYSICAL_CPU);
      }
      if (isInOneCache(node, cpus)) {
        aligned.increment(CONTAINER, UNCORE_CACHE);
      }
    }
  }

  /** A pod was let in, whatever it got. */
  void admitted(Pod pod, TopologySettings topology) {
    if (topology.policy() == Policy.SINGLE_NUMA_NODE) {
      int times = topology.scope() == Scope.POD ? 1 : pod.containers().size();
      aligned.add(times, topology.scope().kubernetesName(), NUMA_NODE);
    }
  }

  /** CPUs could not be given. */
  void refusedCpus(Configuration configuration) {
    if (isByCores(configuration)) {
      failures.increment(CONTAINER, PHYSICAL_CPU);
    }
  }

  /** No NUMA nodes could be agreed on. */
  void refusedPlace(TopologySettings topology) {
    if (topology.policy() == Policy.SINGLE_NUMA_NODE) {
      failures.increment(topology.scope().kubernetesName(), NUMA_NODE);
    }
  }

  private static boolean isByCores(Configuration configuration) {
    return configuration.optionsOn().contains(StaticOption.FULL_PCPUS_ONLY.kubernetesName());
  }

  /** One of more CPUs than a cache has cannot be. */
  private static boolean isInOneCache(Node node, CpuSet cpus) {
    return node.machine().domains(Level.CACHE).stream()
        .anyMatch(cache -> cpus.isSubsetOf(cache.cpus()));
  }
}
