package dev.berth.explain;

import dev.berth.ledger.Node;
import dev.berth.workload.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is there when somebody asks.
 *
 * @param node a copy, which nobody else has
 * @param movable those who are there and could be moved
 * @param names by uid, what people call everybody
 */
public record Scene(Node node, List<Pod> movable, Map<String, String> names) {
  private static final Pattern WORD = Pattern.compile("[^\\s,:;()]+");

  /** Takes copies. */
  public Scene {
    movable = List.copyOf(movable);
    names = Map.copyOf(names);
  }

  /** The same, with somebody more who has a name. */
  Scene and(String uid, String name) {
    Map<String, String> more = new HashMap<>(names);
    more.put(uid, name);
    return new Scene(node, movable, more);
  }

  /** What people call a pod. */
  String name(String uid) {
    return names.getOrDefault(uid, uid);
  }

  /** The same line, with names in the place of uids. */
  String named(String line) {
    return WORD.matcher(line).replaceAll(word -> Matcher.quoteReplacement(name(word.group())));
  }
}
