package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Node;
import dev.berth.ledger.TopologySettings;
import dev.berth.observe.Registry;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Kubernetes' metrics: what counts, and what does not. */
class ManagerMetricsTest {
  private static final Configuration STATIC = Configuration.staticPolicy(CpuSet.of(0, 64));

  private final Registry registry = new Registry();
  private final ManagerMetrics metrics = new ManagerMetrics(registry);
  private Node node = Node.start(Machines.parse("epyc-7702p"), STATIC);

  private void start(String machine, Configuration configuration) {
    node = Node.start(Machines.parse(machine), configuration);
  }

  private Decision admit(Pod pod) {
    Decision decision = node.admit(pod);
    metrics.decided(pod, decision, decision instanceof Decision.Granted, node, 1_500_000);
    metrics.refresh(node);
    return decision;
  }

  private String value(String line) {
    return registry
        .text()
        .lines()
        .filter(text -> text.startsWith("kubelet_" + line + " "))
        .map(text -> text.substring(text.lastIndexOf(' ') + 1))
        .findFirst()
        .orElse("absent");
  }

  private static Container container(String name, Role role, int cpus) {
    return new Container(
        name,
        role,
        Resources.guaranteed(
            Map.of(Resources.CPU, Quantity.of(cpus), Resources.MEMORY, Quantity.of(1L << 30))));
  }

  @Test
  void linesAreThereBeforeAnythingHappened() {
    for (String kind : List.of("count", "failure_count")) {
      String name = "container_aligned_compute_resources_" + kind;
      assertThat(value(name + "{scope=\"container\",boundary=\"physical_cpu\"}")).isEqualTo("0");
      assertThat(value(name + "{scope=\"container\",boundary=\"numa_node\"}")).isEqualTo("0");
      assertThat(value(name + "{scope=\"pod\",boundary=\"numa_node\"}")).isEqualTo("0");
    }
    assertThat(uncoreCache()).isEqualTo("0");
    assertThat(value("topology_manager_admission_duration_ms_count")).isEqualTo("0");
  }

  private String uncoreCache() {
    return value(
        "container_aligned_compute_resources_count{scope=\"container\",boundary=\"uncore_cache\"}");
  }

  @Test
  void aCacheCountsForLessThanAndExactlyItsCpusAndNotForMore() {
    start("epyc-7702p", STATIC.withOption("prefer-align-cpus-by-uncorecache", "true"));
    admit(Pod.guaranteed("less", 6));
    assertThat(uncoreCache()).isEqualTo("1");
    admit(Pod.guaranteed("exactly", 8));
    assertThat(uncoreCache()).isEqualTo("2");
    admit(Pod.guaranteed("more", 10));
    assertThat(uncoreCache()).isEqualTo("2");
    assertThat(value("cpu_manager_pinning_requests_total")).isEqualTo("3");
    assertThat(value("cpu_manager_exclusive_cpu_allocation_count")).isEqualTo("24");
  }

  @Test
  void wholeCoresCountOnlyWhereTheyAreGuaranteed() {
    String line = "{scope=\"container\",boundary=\"physical_cpu\"}";
    admit(Pod.guaranteed("packed", 2));
    assertThat(value("container_aligned_compute_resources_count" + line)).isEqualTo("0");
    start("epyc-7702p", STATIC.withOption("full-pcpus-only", "true"));
    admit(Pod.guaranteed("whole", 2));
    assertThat(value("container_aligned_compute_resources_count" + line)).isEqualTo("1");
    assertThat(admit(Pod.guaranteed("odd", 3))).isInstanceOf(Decision.Refused.class);
    assertThat(value("container_aligned_compute_resources_failure_count" + line)).isEqualTo("1");
    assertThat(value("cpu_manager_pinning_errors_total")).isEqualTo("1");
    assertThat(value("topology_manager_admission_errors_total")).as("policy none").isEqualTo("0");
  }

  @Test
  void aNumaNodeCountsOnlyUnderSingleNumaNodeAndByItsScope() {
    String machine = "pack:1 node:2 core:4 pu:1";
    Configuration single =
        Configuration.staticPolicy(CpuSet.of(0))
            .with(
                new TopologySettings(
                    TopologySettings.Policy.SINGLE_NUMA_NODE,
                    TopologySettings.Scope.CONTAINER,
                    Map.of()));
    start(machine, single);
    Pod two =
        Pod.of("two", List.of(container("init", Role.INIT, 1), container("app", Role.APP, 2)));
    admit(two);
    String container = "{scope=\"container\",boundary=\"numa_node\"}";
    assertThat(value("container_aligned_compute_resources_count" + container)).isEqualTo("2");
    assertThat(admit(Pod.guaranteed("wide", 5))).isInstanceOf(Decision.Refused.class);
    assertThat(value("container_aligned_compute_resources_failure_count" + container))
        .isEqualTo("1");
    assertThat(value("topology_manager_admission_requests_total")).isEqualTo("2");
    assertThat(value("topology_manager_admission_errors_total")).isEqualTo("1");
    assertThat(value("cpu_manager_pinning_requests_total"))
        .as("the CPU manager was not asked for the one without a place")
        .isEqualTo("2");
    assertThat(value("cpu_manager_pinning_errors_total")).isEqualTo("0");
    start(
        machine,
        single.with(
            new TopologySettings(
                TopologySettings.Policy.SINGLE_NUMA_NODE, TopologySettings.Scope.POD, Map.of())));
    admit(two);
    assertThat(
            value(
                "container_aligned_compute_resources_count"
                    + "{scope=\"pod\",boundary=\"numa_node\"}"))
        .isEqualTo("1");
  }

  @Test
  void requestsAreCountedUpToTheContainerThatFailed() {
    start("pack:1 core:4 pu:1", Configuration.staticPolicy(CpuSet.of(0)));
    Pod pod =
        Pod.of(
            "three",
            List.of(
                container("a", Role.APP, 2),
                container("b", Role.APP, 2),
                container("c", Role.APP, 1)));
    assertThat(admit(pod)).isInstanceOf(Decision.Refused.class);
    assertThat(value("cpu_manager_pinning_requests_total")).isEqualTo("2");
    assertThat(value("cpu_manager_pinning_errors_total")).isEqualTo("1");
    assertThat(
            value(
                "resource_manager_allocation_errors_total{resource_name=\"cpu\",source=\"node\"}"))
        .isEqualTo("1");
    assertThat(value("cpu_manager_exclusive_cpu_allocation_count")).isEqualTo("0");
  }

  @Test
  void thoseWhoShareAskForNoCpus() {
    Pod shared = Pod.of("shared", List.of(new Container("app", Role.APP, Resources.NONE)));
    admit(shared);
    assertThat(value("cpu_manager_pinning_requests_total")).isEqualTo("0");
    assertThat(value("topology_manager_admission_requests_total")).isEqualTo("1");
    assertThat(value("topology_manager_admission_duration_ms_sum")).isEqualTo("1.5");
    assertThat(value("topology_manager_admission_duration_ms_bucket{le=\"1.6\"}")).isEqualTo("1");
  }

  @Test
  void thePoolShrinksByWhatIsGivenAwayAndReservedCpusAreNotInIt() {
    metrics.refresh(node);
    assertThat(value("cpu_manager_shared_pool_size_millicores")).isEqualTo("126000");
    admit(Pod.guaranteed("some", 6));
    assertThat(value("cpu_manager_shared_pool_size_millicores")).isEqualTo("120000");
  }

  @Test
  void theSpreadOverNumaNodesIsThatOfTheProposal() {
    String machine = "pack:1 node:2 core:8 pu:1";
    Configuration packed = Configuration.staticPolicy(CpuSet.of(15));
    start(machine, packed);
    admit(Pod.guaranteed("eight", 8));
    for (String name : List.of("numa_allocation_spread", "allocation_per_numa")) {
      assertThat(value("cpu_manager_" + name + "{numa_node=\"0\"}")).isEqualTo("8");
      assertThat(value("cpu_manager_" + name + "{numa_node=\"1\"}")).isEqualTo("0");
    }
    node.remove("eight");
    metrics.refresh(node);
    assertThat(value("cpu_manager_numa_allocation_spread{numa_node=\"0\"}")).isEqualTo("0");
    start(machine, packed.withOption("distribute-cpus-across-numa", "true"));
    admit(Pod.guaranteed("ten", 10));
    assertThat(value("cpu_manager_numa_allocation_spread{numa_node=\"0\"}")).isEqualTo("5");
    assertThat(value("cpu_manager_numa_allocation_spread{numa_node=\"1\"}")).isEqualTo("5");
  }

  @Test
  void memoryIsCountedUnderItsStaticPolicyOnly() {
    admit(Pod.guaranteed("before", 2));
    assertThat(value("memory_manager_pinning_requests_total")).isEqualTo("0");
    start(
        "epyc-7702p",
        STATIC.with(
            new MemorySettings(
                MemorySettings.Policy.STATIC, Map.of(0, Map.of("memory", 1L << 30)))));
    admit(Pod.guaranteed("after", 2));
    assertThat(value("memory_manager_pinning_requests_total")).isEqualTo("1");
    assertThat(
            value(
                "resource_manager_container_assignments"
                    + "{resource_name=\"memory\",assignment_type=\"node_exclusive\"}"))
        .isEqualTo("1");
    Pod huge =
        Pod.of(
            "huge",
            List.of(
                new Container(
                    "app",
                    Role.APP,
                    Resources.guaranteed(
                        Map.of(
                            Resources.CPU,
                            Quantity.of(1),
                            Resources.MEMORY,
                            Quantity.of(1L << 50))))));
    assertThat(admit(huge)).isInstanceOf(Decision.Refused.class);
    assertThat(value("memory_manager_pinning_errors_total")).isEqualTo("1");
    assertThat(value("cpu_manager_pinning_errors_total")).isEqualTo("0");
  }

  @Test
  void onePolicyNoneHasNothingToGive() {
    start("epyc-7702p", Configuration.DEFAULTS);
    admit(Pod.guaranteed("free", 2));
    assertThat(value("cpu_manager_pinning_requests_total")).isEqualTo("0");
    assertThat(value("cpu_manager_shared_pool_size_millicores")).isEqualTo("0");
    assertThat(value("cpu_manager_allocation_per_numa{numa_node=\"0\"}")).isEqualTo("0");
  }
}
