package dev.berth.explain;

import dev.berth.ledger.Node;
import dev.berth.workload.Pod;
import java.util.List;
import java.util.Map;

/**
 * What is there when somebody asks.
 *
 * @param node a copy, which nobody else has
 * @param movable those who are there and could be moved
 * @param names what people call everybody
 */
public record Scene(Node node, List<Pod> movable, Names names) {
  /** Takes a copy. */
  public Scene {
    movable = List.copyOf(movable);
  }

  /** The same, with the names by uid. */
  public Scene(Node node, List<Pod> movable, Map<String, String> names) {
    this(node, movable, new Names(names));
  }

  /** The same, with somebody more who has a name. */
  Scene and(String uid, String name) {
    return new Scene(node, movable, names.and(uid, name));
  }

  /** What people call a pod. */
  String name(String uid) {
    return names.of(uid);
  }

  /** The same line, with names in the place of uids. */
  String named(String line) {
    return names.in(line);
  }
}
