package dev.berth.simulate;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.Hint;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.ledger.Objection;
import dev.berth.story.Alignment;
import dev.berth.story.Boundary;
import dev.berth.story.Step;
import dev.berth.workload.Pod;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Puts what the engine decided into steps of a story. */
final class StepMaker {
  private final Node node;
  private final Alignment alignment;
  private CpuSet shared;

  StepMaker(Node node) {
    this.node = node;
    alignment = Alignment.on(node.machine());
    shared = node.shared();
  }

  Step admitted(Event event, Pod pod, Decision.Granted granted) {
    SortedMap<String, NodeSet> places = new TreeMap<>();
    node.placesOf(pod.uid()).forEach((container, hint) -> place(places, container, hint));
    SortedMap<String, Set<Boundary>> aligned = new TreeMap<>();
    granted.cpus().forEach((container, cpus) -> aligned.put(container, alignment.of(cpus)));
    Step step = Step.of(event.at() / 1000.0, Step.Kind.ADMITTED, event.visitor());
    return withPool(step.with(Holding.of(node, pod.uid())).placed(places, aligned));
  }

  private static void place(SortedMap<String, NodeSet> places, String container, Hint hint) {
    switch (hint.affinity()) {
      case Affinity.Any _ -> {}
      case Affinity.To(NodeSet nodes) -> places.put(container, nodes);
    }
  }

  Step refused(Event event, Decision.Refused refused) {
    return refused(event, new Objection(refused.reason().kubernetesName(), refused.message()));
  }

  Step refused(Event event, Objection objection) {
    return withPool(
        Step.of(event.at() / 1000.0, Step.Kind.REFUSED, event.visitor())
            .because(objection.reason(), objection.message()));
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
