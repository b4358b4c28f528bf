package dev.berth.simulate;

import dev.berth.kubelet.OwnSettings;
import dev.berth.ledger.Conditions;
import dev.berth.ledger.Node;
import dev.berth.ledger.Objection;
import dev.berth.ledger.Uncounted;
import dev.berth.ledger.WhyShared;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Who is on the machine now, and what an agent there would have against those that come, beside the
 * engine. What neither of them checks is remembered.
 */
final class Presence {
  private final Scenario scenario;
  private final Node node;
  private final BitSet present = new BitSet();
  private final BitSet sharing = new BitSet();
  private final Uncounted uncounted;
  private final SortedSet<String> unseen = new TreeSet<>();
  private final Map<String, List<String>> surprised = new LinkedHashMap<>();
  private boolean hugepages;

  Presence(Scenario scenario, Node node) {
    this.scenario = scenario;
    this.node = node;
    uncounted = new Uncounted(node);
  }

  private Visitor visitor(int number) {
    return scenario.workload().visitors().get(number);
  }

  /** A visitor has what it was given. */
  void come(int number) {
    Visitor one = visitor(number);
    Pod pod = one.pod();
    present.set(number);
    sharing.set(
        number,
        pod.containers().stream()
            .anyMatch(container ->
                container.role() != Container.Role.INIT
                    && node.cpusOf(pod.uid(), container.name()).isEmpty()));
    if (one.known()) {
      WhyShared.of(pod, node.configuration())
          .map(why -> why.line("shared pool"))
          .ifPresent(line ->
              surprised.computeIfAbsent(line, why -> new ArrayList<>()).add(one.told().title()));
      uncounted.add(pod);
      hugepages |= Conditions.asksForHugepages(pod);
      for (Container container : pod.containers()) {
        unseen.addAll(container.resources().limits().keySet());
      }
    }
  }

  void leave(int number) {
    present.clear(number);
    sharing.clear(number);
    if (visitor(number).known()) {
      uncounted.remove(visitor(number).pod());
    }
  }

  boolean contains(int number) {
    return present.get(number);
  }

  List<Pod> movable() {
    return present.stream()
        .mapToObj(this::visitor)
        .filter(Visitor::known)
        .map(Visitor::pod)
        .toList();
  }

  /** What an agent with these settings has against a pod that the engine has admitted. */
  Optional<Objection> objection(Pod pod) {
    OwnSettings own = scenario.settings().own();
    boolean isolated = own.partition() == OwnSettings.CpuPartition.ISOLATED;
    return new Conditions(
            isolated || !sharing.isEmpty(),
            own.allowEmptySharedPool(),
            true,
            scenario.workload().elsewhere())
        .against(pod, node);
  }

  /** Who shares though it looks guaranteed, and why: a line a reason. */
  List<String> surprises() {
    List<String> lines = new ArrayList<>();
    surprised.forEach((why, pods) -> {
      int more = pods.size() - 1;
      lines.add(pods.getFirst() + (more == 0 ? "" : " and " + more + " more") + ": " + why);
    });
    return lines;
  }

  /** What was asked for and admitted, and checked by nobody; a line each. */
  List<String> unchecked() {
    List<String> lines = new ArrayList<>(uncounted.lines());
    if (hugepages) {
      lines.add(Conditions.HUGEPAGES_UNSEEN);
    }
    unseen.retainAll(scenario.workload().elsewhere());
    unseen.forEach(resource ->
        lines.add(resource + ": the story's plugin had devices of it, which are not known here"));
    return lines;
  }
}
