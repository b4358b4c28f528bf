package dev.berth.agent;

import dev.berth.ledger.Configuration;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.Decision;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Node;
import dev.berth.ledger.TopologySettings;
import dev.berth.observe.Counter;
import dev.berth.observe.Gauge;
import dev.berth.observe.Histogram;
import dev.berth.observe.Registry;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.List;

/**
 * The metrics of Kubernetes' CPU, memory and topology managers, under its names and with its
 * meanings. On the loop only.
 *
 * <p>What a refused pod's first containers had until the last one was refused is not counted as
 * given: they never ran with it.
 */
final class ManagerMetrics {
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";
  private static final String NUMA_NODE = "numa_node";

  private final Counter cpuRequests;
  private final Counter cpuErrors;
  private final Gauge sharedPool;
  private final Gauge exclusive;
  private final Gauge perNuma;
  private final Gauge spread;
  private final Counter memoryRequests;
  private final Counter memoryErrors;
  private final Counter admissions;
  private final Counter admissionErrors;
  private final Histogram admissionTime;
  private final AlignmentMetrics alignment;
  private final Counter allocations;
  private final Counter allocationErrors;
  private final Counter assignments;

  ManagerMetrics(Registry registry) {
    String cpus = "kubelet_cpu_manager_";
    cpuRequests =
        registry.counter(
            cpus + "pinning_requests_total", "Containers that were to get CPUs of their own.");
    cpuErrors =
        registry.counter(cpus + "pinning_errors_total", "Containers that could not get them.");
    sharedPool =
        registry.gauge(
            cpus + "shared_pool_size_millicores",
            "CPUs that can still be given away, in thousandths of a CPU.");
    exclusive =
        registry.gauge(
            cpus + "exclusive_cpu_allocation_count", "CPUs that belong to one container alone.");
    perNuma =
        registry.gauge(
            cpus + "allocation_per_numa", "CPUs that are given away, by NUMA node.", NUMA_NODE);
    spread =
        registry.gauge(
            cpus + "numa_allocation_spread",
            "How the CPUs that are given away spread over the NUMA nodes (KEP-2902).",
            NUMA_NODE);
    String memory = "kubelet_memory_manager_";
    memoryRequests =
        registry.counter(
            memory + "pinning_requests_total", "Containers that were to get memory of their own.");
    memoryErrors =
        registry.counter(memory + "pinning_errors_total", "Containers that could not get it.");
    String topology = "kubelet_topology_manager_admission_";
    admissions = registry.counter(topology + "requests_total", "Pods that were decided on.");
    admissionErrors =
        registry.counter(
            topology + "errors_total", "Pods that were refused under a topology policy.");
    admissionTime =
        registry.histogram(
            topology + "duration_ms",
            "Time of a decision, in milliseconds.",
            Registry.exponential(0.05, 2, 15));
    alignment = new AlignmentMetrics(registry);
    String resources = "kubelet_resource_manager_";
    allocations =
        registry.counter(
            resources + "allocations_total",
            "Resources given to containers alone, from the node or from their pod's budget.",
            "resource_name",
            "source");
    allocationErrors =
        registry.counter(
            resources + "allocation_errors_total",
            "Resources that could not be given.",
            "resource_name",
            "source");
    assignments =
        registry.counter(
            resources + "container_assignments",
            "Containers by how they came to what they have.",
            "resource_name",
            "assignment_type");
  }

  /** What is so now. */
  void refresh(Node node) {
    sharedPool.set(node.assignable().size() * 1000.0);
    exclusive.set(node.exclusive().size());
    for (Gauge gauge : List.of(perNuma, spread)) {
      gauge.clear();
      for (Domain numa : node.machine().domains(Level.NODE)) {
        gauge.set(numa.cpus().sharedWith(node.exclusive()), String.valueOf(numa.id()));
      }
    }
  }

  /**
   * A pod was decided on.
   *
   * @param stays whether it is in for good: one that was granted may still be turned away
   */
  void decided(Pod pod, Decision decision, boolean stays, Node node, long nanos) {
    Configuration configuration = node.configuration();
    admissions.increment();
    admissionTime.observe(nanos / 1e6);
    List<Container> tried =
        switch (decision) {
          case Decision.Granted _ -> pod.containers();
          case Decision.Refused refused ->
              pod.containers().stream().filter(c -> refused.tried().contains(c.name())).toList();
        };
    Owed owed = new Owed(pod, configuration);
    if (configuration.cpuPolicy() == CpuPolicy.STATIC) {
      cpuRequests.add((double) tried.stream().filter(owed::ownCpus).count());
    }
    if (configuration.memory().policy() == MemorySettings.Policy.STATIC && owed.memory()) {
      memoryRequests.add(tried.size() + (owed.asWhole() ? 1 : 0));
    }
    switch (decision) {
      case Decision.Granted granted -> {
        if (stays) {
          granted(pod, granted, node, owed);
        } else if (tried.stream().anyMatch(owed::ownCpus)) {
          cpuErrors.increment();
          allocationErrors.increment(CPU, owed.source());
        }
      }
      case Decision.Refused refused -> refused(refused, configuration, owed);
    }
  }

  private void granted(Pod pod, Decision.Granted granted, Node node, Owed owed) {
    for (String name : granted.cpus().keySet()) {
      allocations.increment(CPU, owed.source());
      assignments.increment(CPU, owed.assignment(owed.ownCpus(container(pod, name))));
    }
    if (node.memoryAssignments().isPresent() && owed.memory()) {
      for (Container container : pod.containers()) {
        boolean own = owed.kindsOfMemory(container) > 0;
        allocations.add(
            owed.asWhole() ? 1 : (double) owed.kindsOfMemory(container), MEMORY, owed.source());
        assignments.increment(MEMORY, owed.assignment(own));
      }
    }
    if (!owed.asWhole()) {
      alignment.granted(granted, node);
    }
    alignment.admitted(pod, node.configuration().topology());
  }

  private static Container container(Pod pod, String name) {
    return pod.containers().stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  private void refused(Decision.Refused refused, Configuration configuration, Owed owed) {
    if (configuration.topology().policy() != TopologySettings.Policy.NONE) {
      admissionErrors.increment();
    }
    switch (Owed.refuser(refused)) {
      case CPUS -> {
        cpuErrors.increment();
        allocationErrors.increment(CPU, owed.source());
        alignment.refusedCpus(configuration);
      }
      case MEMORY -> {
        memoryErrors.increment();
        allocationErrors.increment(MEMORY, owed.source());
      }
      case TOPOLOGY -> alignment.refusedPlace(configuration.topology());
      case OTHERS -> {}
    }
  }
}
