package dev.berth.agent;

import dev.berth.cgroup.Changes;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Device;
import dev.berth.ledger.Node;
import dev.berth.observe.Counter;
import dev.berth.observe.Gauge;
import dev.berth.observe.Histogram;
import dev.berth.observe.Registry;
import dev.berth.workload.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * What the agent counts, one call for each occasion. On the loop only.
 *
 * <p>Counters begin at 0 with every agent, as Kubernetes' do; what is so now is looked up when
 * somebody asks.
 */
final class Metrics {
  private static final List<Double> SECONDS =
      List.of(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0);

  private static final String HEALTHY = "healthy";
  private static final String UNHEALTHY = "unhealthy";

  private final Registry registry = new Registry();
  private final ManagerMetrics managers = new ManagerMetrics(registry);
  private final DeviceMetrics devices = new DeviceMetrics(registry);
  private final Histogram admission;
  private final Histogram stateWrites;
  private final Counter stateFailures;
  private final Histogram reconcile;
  private final Counter repairs;
  private final Counter groupFailures;
  private final Counter putBack;
  private final Gauge foreign;
  private final Gauge unknown;
  private final Counter bounded;
  private final Counter rotations;
  private final Counter reloads;
  private final Counter faults;
  private final Gauge ready;
  private final Gauge pods;
  private final Gauge containers;
  private final Gauge displaced;
  private final Gauge shared;
  private final Gauge deviceCount;
  private final RuntimeMetrics runtime;
  private final ProcessMetrics process;

  Metrics(String version) {
    admission =
        registry.histogram(
            "berth_admission_seconds", "Time until a pod is in or refused, disk and all.", SECONDS);
    stateWrites =
        registry.histogram(
            "berth_state_write_seconds", "Time of a write to the state folder.", SECONDS);
    stateFailures =
        registry.counter(
            "berth_state_write_failures_total", "Writes to the state folder that failed.");
    reconcile =
        registry.histogram(
            "berth_reconcile_seconds", "Time of a look at all groups and their repair.", SECONDS);
    repairs =
        registry.counter(
            "berth_reconcile_repairs_total", "Settings that others had changed and we undid.");
    groupFailures =
        registry.counter(
            "berth_group_write_failures_total", "Changes of groups that the kernel refused.");
    putBack =
        registry.counter(
            "berth_processes_put_back_total",
            "Processes of containers that were outside their cgroup and were put back.");
    foreign =
        registry.gauge(
            "berth_foreign_processes",
            "Processes in cgroups of ours that no container of ours started.");
    unknown =
        registry.gauge(
            "berth_unknown_holders",
            "Holders of CPUs of whom no record tells, and containers too.");
    bounded =
        registry.counter(
            "berth_topology_merges_bounded_total",
            "Decisions for which a better place may have existed than was searched for.");
    rotations =
        registry.counter("berth_container_log_rotations_total", "Logs of containers cut short.");
    reloads =
        registry.counter(
            "berth_reloads_total", "Times the configuration was read anew.", "outcome");
    reloads.add(0, "done");
    reloads.add(0, "refused");
    faults = registry.counter("berth_internal_errors_total", "Defects of Berth that showed.");
    ready = registry.gauge("berth_ready", "1 where the agent can be counted on, as /readyz.");
    pods = registry.gauge("berth_pods", "Pods by phase.", "phase");
    containers = registry.gauge("berth_containers", "Containers by what they do.", "state");
    displaced =
        registry.gauge(
            "berth_displaced_pods", "Pods on the shared pool that are owed CPUs of their own.");
    shared = registry.gauge("berth_shared_cpus", "CPUs of the shared pool, reserved ones too.");
    deviceCount =
        registry.gauge(
            "berth_devices",
            "Devices that are known, of plugins and others.",
            "resource",
            "health");
    registry
        .gauge("berth_build_info", "Always 1; the version that runs.", "version", "java")
        .set(1, version, Runtime.version().toString());
    runtime = new RuntimeMetrics(registry);
    process = new ProcessMetrics(registry);
  }

  /** What there is; for documents and checks. */
  Registry registry() {
    return registry;
  }

  RuntimeMetrics runtime() {
    return runtime;
  }

  DeviceMetrics devices() {
    return devices;
  }

  /** The engine has decided on a pod, and it is in for good or not. */
  void decided(Pod pod, Decision decision, boolean stays, Node node, boolean atBound, long nanos) {
    managers.decided(pod, decision, stays, node, nanos);
    bounded.add(atBound ? 1 : 0);
  }

  /** A pod has its answer. */
  void answered(long nanos) {
    admission.observe(nanos / 1e9);
  }

  /** Something was to be written down. */
  void written(boolean succeeded, long nanos) {
    stateWrites.observe(nanos / 1e9);
    stateFailures.add(succeeded ? 0 : 1);
  }

  /** Groups were brought to what is wanted. */
  void groups(Changes changes) {
    repairs.add(changes.repaired());
    groupFailures.add(changes.failures().size());
  }

  /** A process that was outside its cgroup is in it again. */
  void putBack() {
    putBack.increment();
  }

  /** So many processes are in cgroups of ours and not ours. */
  void foreignProcesses(int count) {
    foreign.set(count);
  }

  /** There are so many unknown holders. */
  void unknownHolders(int count) {
    unknown.set(count);
  }

  /** All groups were looked at. */
  void reconciled(long nanos) {
    reconcile.observe(nanos / 1e9);
  }

  /** Logs were cut short. */
  void rotated(int count) {
    rotations.add(count);
  }

  /** The configuration was read anew. */
  void reloaded(boolean succeeded) {
    reloads.increment(succeeded ? "done" : "refused");
  }

  /** A defect of ours showed. */
  void fault() {
    faults.increment();
  }

  private void count(List<Device> all) {
    deviceCount.clear();
    for (Device device : all) {
      deviceCount.set(0, device.resource(), HEALTHY);
      deviceCount.set(0, device.resource(), UNHEALTHY);
    }
    for (Device device : all) {
      String health = device.healthy() ? HEALTHY : UNHEALTHY;
      deviceCount.set(deviceCount.value(device.resource(), health) + 1, device.resource(), health);
    }
  }

  /** All of it as text, with what is so now. */
  String text(boolean isReady, Node node, Collection<? extends Resident> residents) {
    managers.refresh(node);
    count(node.devices());
    process.refresh();
    ready.set(isReady ? 1 : 0);
    shared.set(node.shared().size());
    for (PodLife.Phase phase : PodLife.Phase.values()) {
      long count = residents.stream().filter(r -> r.life().phase() == phase).count();
      pods.set((double) count, Descriptions.phase(phase));
    }
    for (ContainerLife.State state : ContainerLife.State.values()) {
      long count =
          residents.stream()
              .filter(r -> !r.life().phase().isOver())
              .flatMap(r -> r.life().containers().stream())
              .filter(c -> c.state() == state)
              .count();
      containers.set((double) count, state.name().toLowerCase(Locale.ROOT));
    }
    displaced.set(
        (double)
            residents.stream()
                .filter(r -> !r.life().phase().isOver() && r.displaced().isPresent())
                .count());
    return registry.text();
  }
}
