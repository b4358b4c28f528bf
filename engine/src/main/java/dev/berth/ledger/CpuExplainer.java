package dev.berth.ledger;

import dev.berth.allocation.Step;
import dev.berth.allocation.Trace;
import dev.berth.cpu.CpuSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.Hint;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.Optional;

/** Tells a trace what the static policy is asked for, where somebody wants to know. */
final class CpuExplainer {
  private final Trace trace;
  private final Pod pod;

  CpuExplainer(Trace trace, Pod pod) {
    this.trace = trace;
    this.pod = pod;
  }

  Trace trace() {
    return trace;
  }

  void asked(String kind, String name, int count, CpuSet available, CpuSet reusable, Hint place) {
    if (trace.on()) {
      String reused =
          reusable.isEmpty() ? "" : ", " + reusable + " of them again after init containers";
      String where =
          place.affinity() instanceof Affinity.To(var nodes)
              ? "; first from NUMA nodes " + nodes
              : "";
      trace.add(
          new Step.Asked(
              kind
                  + name
                  + " asks for "
                  + (count == 1 ? "1 CPU; " : count + " CPUs; ")
                  + (available.isEmpty() ? "no CPU is assignable" : assignable(available, reused))
                  + where));
    }
  }

  private static String assignable(CpuSet available, String reused) {
    return "assignable are " + available.size() + ": " + available + reused;
  }

  void kept(Container container, CpuSet cpus) {
    if (trace.on()) {
      trace.add(new Step.Asked("container " + container.name() + " keeps " + cpus));
    }
  }

  /** No cache at the agreed place has room, one elsewhere has. */
  void cacheElsewhere(int count, Affinity affinity) {
    if (trace.on() && affinity instanceof Affinity.To(var nodes)) {
      trace.add(
          new Step.Noted(
              "no L3 cache on NUMA nodes "
                  + nodes
                  + " has "
                  + count
                  + " CPUs free; they come from one elsewhere"));
    }
  }

  /**
   * Best fit looked at the agreed nodes only, and a cache elsewhere would have been filled better.
   */
  void betterCache(StaticPolicy policy, CpuSet available, CpuSet taken, Hint place) {
    if (!trace.on()
        || !policy.options.cacheBestFit()
        || taken.size() <= policy.cpusPerCore
        || !(place.affinity() instanceof Affinity.To(var nodes))) {
      return;
    }
    Optional<CpuSet> best = OneCache.with(taken.size(), available, policy);
    CpuSet used = policy.cacheOf(taken).intersection(available);
    if (best.isPresent() && (!policy.onOneCache(taken) || best.get().size() < used.size())) {
      trace.add(
          new Step.Noted(
              "best fit of the machine would be the L3 cache with "
                  + best.get()
                  + "; on the agreed NUMA nodes "
                  + nodes
                  + " it is "
                  + (policy.onOneCache(taken) ? "the one with " + used : "none")));
    }
  }

  void shared(Container container) {
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
