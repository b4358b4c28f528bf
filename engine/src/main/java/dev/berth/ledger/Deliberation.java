package dev.berth.ledger;

import dev.berth.allocation.Step;
import dev.berth.allocation.Trace;
import dev.berth.hints.Draft;
import dev.berth.hints.Nodes;
import dev.berth.hints.Refusal;
import dev.berth.hints.TopologyPolicy;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a node comes to a decision, and how it tells of one: the part of it that never changes, so
 * that a decision can be taken once more at any time.
 */
final class Deliberation {
  private final Machine machine;
  private final Configuration configuration;
  private final Nodes nodes;
  private final @Nullable TopologyPolicy merge;

  Deliberation(Machine machine, Configuration configuration, Nodes nodes) {
    this.machine = machine;
    this.configuration = configuration;
    this.nodes = nodes;
    merge = configuration.topology().merge().orElse(null);
  }

  /** Whether the containers of a pod are placed together. */
  boolean byPod() {
    return merge != null && configuration.topology().scope() == TopologySettings.Scope.POD;
  }

  /** Whether the pod is in already and misses nothing, so that no rule may turn it away. */
  static boolean stays(List<Draft> drafts) {
    boolean held = false;
    for (Draft draft : drafts) {
      switch (draft.standing()) {
        case NOTHING_OWED -> {}
        case HELD -> held = true;
        case MISSING -> {
          return false;
        }
      }
    }
    return held;
  }

  static Explanation kept(Pod pod) {
    return new Explanation(
        () -> List.of(new Step.Asked("pod " + pod.uid() + " is in already and keeps what it has")));
  }

  Admission admission(List<Draft> drafts, Trace trace) {
    return new Admission(merge, nodes, drafts, new TopologyExplainer(trace, nodes));
  }

  /** Takes a pod through; null where all providers could give what it is owed. */
  @Nullable Refusal run(Admission admission, Pod pod) {
    boolean budget = new CpuNeeds(pod, configuration.gates()).hasBudget();
    return byPod() ? admission.byPod(pod, budget) : admission.byContainer(pod, budget);
  }

  /** How a pod was let in. */
  Explanation whyGranted(Pod pod, List<Draft> drafts) {
    return new Explanation(() -> {
      Trace trace = Trace.recording();
      again(pod, drafts, trace);
      return trace.steps();
    });
  }

  /**
   * How a pod was refused.
   *
   * @param frozen who had what
   * @param policy the static CPU policy, if there is one
   * @param alone whether all providers are ours, so that others can be tried from what they had
   */
  Explanation whyRefused(
      Pod pod,
      List<Draft> drafts,
      Supplier<Snapshot> frozen,
      @Nullable StaticPolicy policy,
      boolean alone) {
    return new Explanation(
        () -> refusal(pod, drafts, frozen.get(), policy),
        () -> alone ? new WhatIf(machine, configuration, frozen.get(), pod).remedies() : List.of());
  }

  private List<Step> refusal(
      Pod pod, List<Draft> drafts, Snapshot then, @Nullable StaticPolicy policy) {
    Trace trace = Trace.recording();
    again(pod, drafts, trace);
    if (policy != null) {
      Holders.tell(trace, policy, then.cpus());
    }
    then.memory().ifPresent(memory -> MemoryHolders.tell(trace, memory, needs(pod)));
    DeviceHolders.tell(trace, then, pod);
    return trace.steps();
  }

  private MemoryNeeds needs(Pod pod) {
    return new MemoryNeeds(pod, configuration.gates());
  }

  private void again(Pod pod, List<Draft> drafts, Trace trace) {
    if (drafts.isEmpty()) {
      trace.add(new Step.Asked("policy none: every container runs where the kernel likes"));
    }
    List<Draft> fresh = drafts.stream().map(draft -> draft.again(trace)).toList();
    Refusal refusal = run(admission(fresh, trace), pod);
    if (refusal != null) {
      trace.add(
          new Step.Asked(
              "refused: " + refusal.reason().kubernetesName() + ": " + refusal.message()));
    }
  }
}
