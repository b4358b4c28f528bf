package dev.berth.ledger;

import dev.berth.allocation.Chooser;
import dev.berth.allocation.Step;
import dev.berth.allocation.Trace;
import dev.berth.cpu.CpuSet;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One pod's admission under the static policy, container by container, on values of its own: the
 * node takes over the outcome of an admission that succeeded, and nothing of one that did not.
 *
 * <p>An init container's CPUs are free again for those that come after it in its pod; a sidecar's
 * and an app's are not. A container that holds CPUs already keeps them, whatever the options say by
 * now, so admitting a pod twice is the same as once.
 */
final class Admission {
  /** Why an admission ended early. */
  record Refusal(Reason reason, String message) {}

  private final StaticPolicy policy;
  private final Chooser chooser;
  private final Pod pod;
  private final Map<String, CpuSet> held;
  private final Trace trace;
  private final Map<String, CpuSet> granted = new LinkedHashMap<>();
  private CpuSet shared;
  private CpuSet reusable = CpuSet.EMPTY;

  Admission(
      StaticPolicy policy,
      Chooser chooser,
      Pod pod,
      Map<String, CpuSet> held,
      CpuSet shared,
      Trace trace) {
    this.policy = policy;
    this.chooser = chooser;
    this.pod = pod;
    this.held = held;
    this.shared = shared;
    this.trace = trace;
  }

  /** The CPUs of each container that has some of its own. */
  Map<String, CpuSet> granted() {
    return granted;
  }

  /** The shared pool afterwards. */
  CpuSet shared() {
    return shared;
  }

  /** Goes through the containers; null where all got what they are owed. */
  @Nullable Refusal run() {
    for (Container container : pod.containers()) {
      CpuSet cpus = held.get(container.name());
      if (cpus != null) {
        tellKept(container, cpus);
        grant(container, cpus);
        continue;
      }
      int count = pod.exclusiveCpus(container);
      if (count == 0) {
        tellShared(container);
        continue;
      }
      Refusal refusal = allocate(container, count);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  private @Nullable Refusal allocate(Container container, int count) {
    CpuSet available = shared.difference(policy.reserved).union(reusable);
    tellAsked(container, count, available);
    Refusal refusal = refuseSplitCores(count);
    if (refusal == null && count > available.size()) {
      refusal =
          new Refusal(
              Reason.UNEXPECTED,
              "Allocate failed due to not enough cpus available to satisfy request: requested="
                  + count
                  + ", available="
                  + available.size()
                  + ", which is unexpected");
    }
    if (refusal != null) {
      return refusal;
    }
    CpuSet cpus = chooser.choose(available, count, trace);
    if (policy.strictCaches && count <= policy.largestCache && !policy.onOneCache(cpus)) {
      CpuSet together = chooseOnOneCache(available, count);
      if (together == null) {
        return new Refusal(Reason.CACHE_ALIGNMENT, splitMessage(count, available));
      }
      cpus = together;
    }
    shared = shared.difference(cpus);
    grant(container, cpus);
    return null;
  }

  private void grant(Container container, CpuSet cpus) {
    granted.put(container.name(), cpus);
    reusable =
        container.role() == Container.Role.INIT ? reusable.union(cpus) : reusable.difference(cpus);
  }

  private @Nullable Refusal refuseSplitCores(int count) {
    if (!policy.fullCoresOnly) {
      return null;
    }
    if (count % policy.cpusPerCore != 0) {
      return new Refusal(
          Reason.SMT_ALIGNMENT,
          "SMT Alignment Error: requested "
              + count
              + " cpus not multiple cpus per core = "
              + policy.cpusPerCore);
    }
    int whole = shared.difference(policy.reservedCores).size();
    return count <= whole
        ? null
        : new Refusal(
            Reason.SMT_ALIGNMENT,
            "SMT Alignment Error: not enough free physical CPUs: available physical CPUs = "
                + whole
                + ", requested CPUs = "
                + count
                + ", CPUs per core = "
                + policy.cpusPerCore);
  }

  /**
   * The CPUs on the fullest cache that still has enough, then the lowest id; null where none has.
   */
  private @Nullable CpuSet chooseOnOneCache(CpuSet available, int count) {
    CpuSet best = null;
    for (Domain cache : policy.machine.domains(Level.CACHE)) {
      CpuSet free = cache.cpus().intersection(available);
      if (free.size() >= count && (best == null || free.size() < best.size())) {
        best = free;
      }
    }
    return best == null ? null : chooser.choose(best, count, trace);
  }

  private String splitMessage(int count, CpuSet available) {
    int most = 0;
    for (Domain cache : policy.machine.domains(Level.CACHE)) {
      most = Math.max(most, cache.cpus().sharedWith(available));
    }
    return "Uncore Cache Alignment Error: requested "
        + count
        + " cpus would be split: the most that one cache has free = "
        + most;
  }

  private void tellAsked(Container container, int count, CpuSet available) {
    if (trace.on()) {
      String reused =
          reusable.isEmpty() ? "" : ", " + reusable + " of them again after init containers";
      trace.add(
          new Step.Asked(
              "container "
                  + container.name()
                  + " asks for "
                  + count
                  + " CPUs; assignable are "
                  + available.size()
                  + ": "
                  + available
                  + reused));
    }
  }

  private void tellKept(Container container, CpuSet cpus) {
    if (trace.on()) {
      trace.add(new Step.Asked("container " + container.name() + " keeps " + cpus));
    }
  }

  private void tellShared(Container container) {
    if (trace.on()) {
      String because =
          switch (pod.qosClass()) {
            case GUARANTEED -> "its CPU request is not a whole number";
            case BURSTABLE, BEST_EFFORT -> "its pod is " + pod.qosClass().kubernetesName();
          };
      trace.add(
          new Step.Asked("container " + container.name() + " runs on the shared pool: " + because));
    }
  }
}
