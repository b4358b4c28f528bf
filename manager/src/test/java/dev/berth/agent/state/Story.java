package dev.berth.agent.state;

import dev.berth.ledger.Before;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Migration;
import dev.berth.ledger.Node;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** A node and its state folder, and things that happen to both, one after the other. */
final class Story {
  /** Something that happens: decided in memory first, then written down. */
  enum Step {
    SETTLE,
    ADMIT_ONE,
    ADMIT_SHARED,
    ADMIT_TWO,
    STOP_ONE,
    REFUSE,
    END_ONE,
    REMOVE_ONE,
    ADMIT_THREE
  }

  private final StateFolder state;
  private Node node;

  Story(StateFolder state) {
    this.state = state;
    node = Fixture.node(state.recovered());
  }

  /** What the node says that everybody has. */
  SortedMap<String, Holding> holdings() {
    return Holding.all(node);
  }

  /** Decides, writes down, and takes the decision back where that fails. */
  void happen(Step step) throws IOException {
    Node before = copy(node);
    try {
      switch (step) {
        case SETTLE -> state.settled("boot-1", node, Map.of());
        case ADMIT_ONE -> admit(Pod.guaranteed("one", 2));
        case ADMIT_SHARED -> admit(Fixture.shared("shared"));
        case ADMIT_TWO -> admit(Pod.guaranteed("two", 3));
        case STOP_ONE -> state.stopping("one");
        case REFUSE -> state.refused(Pod.guaranteed("large", 99), "{}", "no room");
        case END_ONE -> {
          node.remove("one");
          state.ended("one", "Failed", "{\"app\":1}", node);
        }
        case REMOVE_ONE -> {
          node.remove("one");
          state.removed("one", node);
        }
        case ADMIT_THREE -> admit(Pod.guaranteed("three", 1));
      }
    } catch (IOException e) {
      node = before;
      throw e;
    }
  }

  private static Node copy(Node node) {
    return Migration.plan(
            Node.builder(node.machine(), node.configuration()), Before.of(node, List.of()))
        .node();
  }

  private void admit(Pod pod) throws IOException {
    Fixture.admit(node, pod);
    state.admitted(pod, Fixture.spec(pod.uid()), node);
  }
}
