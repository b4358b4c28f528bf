package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.story.Alignment;
import dev.berth.story.Boundary;
import dev.berth.story.Step;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the ledger has of a pod, as a step of a story. */
final class StorySteps {
  private StorySteps() {}

  /** A pod has from now on what the ledger says. */
  static Step given(Step.Kind kind, double at, Node node, Figure figure) {
    Holding holding = Holding.of(node, figure.uid());
    Alignment alignment = Alignment.on(node.machine());
    SortedMap<String, Set<Boundary>> aligned = new TreeMap<>();
    for (var own : holding.cpus().entrySet()) {
      CpuSet online = own.getValue().intersection(node.machine().cpus());
      if (!online.isEmpty()) {
        aligned.put(own.getKey(), alignment.of(online));
      }
    }
    return Step.of(at, kind, 0).with(holding).placed(places(node, figure.uid()), aligned);
  }

  private static SortedMap<String, NodeSet> places(Node node, String uid) {
    SortedMap<String, NodeSet> places = new TreeMap<>();
    node.placesOf(uid)
        .forEach((container, hint) -> {
          switch (hint.affinity()) {
            case Affinity.Any _ -> {}
            case Affinity.To to -> places.put(container, to.nodes());
          }
        });
    return places;
  }
}
