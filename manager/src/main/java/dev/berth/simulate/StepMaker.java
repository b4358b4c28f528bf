package dev.berth.simulate;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.Hint;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Node;
import dev.berth.story.Alignment;
import dev.berth.story.Boundary;
import dev.berth.story.Step;
import dev.berth.workload.Pod;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Puts what the engine decided into steps of a story. */
final class StepMaker {
  private final Node node;
  private final Alignment alignment;
  private final boolean onlyCpus;
  private CpuSet shared;

  StepMaker(Node node) {
    this.node = node;
    alignment = Alignment.on(node.machine());
    onlyCpus =
        node.configuration().memory().policy() == MemorySettings.Policy.NONE
            && node.devices().isEmpty();
    shared = node.shared();
  }

  Step admitted(Event event, Pod pod, Decision.Granted granted) {
    SortedMap<String, NodeSet> places = new TreeMap<>();
    node.placesOf(pod.uid()).forEach((container, hint) -> place(places, container, hint));
    SortedMap<String, Set<Boundary>> aligned = new TreeMap<>();
    granted.cpus().forEach((container, cpus) -> aligned.put(container, alignment.of(cpus)));
    Step step = Step.of(event.at() / 1000.0, Step.Kind.ADMITTED, event.visitor());
    return withPool(step.with(holding(pod, granted)).placed(places, aligned));
  }

  private static void place(SortedMap<String, NodeSet> places, String container, Hint hint) {
    switch (hint.affinity()) {
      case Affinity.Any _ -> {}
      case Affinity.To(NodeSet nodes) -> places.put(container, nodes);
    }
  }

  /**
   * Asking for all holdings takes longer the more there are, so that is left to who may have some.
   */
  private Holding holding(Pod pod, Decision.Granted granted) {
    return onlyCpus && pod.budget().isEmpty()
        ? new Holding(
            new TreeMap<>(granted.cpus()),
            CpuSet.EMPTY,
            Collections.emptySortedMap(),
            List.of(),
            Collections.emptySortedMap())
        : Holding.of(node, pod.uid());
  }

  Step refused(Event event, Decision.Refused refused) {
    return withPool(
        Step.of(event.at() / 1000.0, Step.Kind.REFUSED, event.visitor())
            .because(refused.reason().kubernetesName(), refused.message()));
  }

  Step removed(Event event) {
    return withPool(Step.of(event.at() / 1000.0, Step.Kind.REMOVED, event.visitor()));
  }

  private Step withPool(Step step) {
    CpuSet now = node.shared();
    if (now.equals(shared)) {
      return step;
    }
    shared = now;
    return step.shared(now);
  }
}
