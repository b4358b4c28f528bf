package dev.berth.cgroup;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where groups are on a machine.
 *
 * @param version how settings stand in files
 * @param place what a person would call it, for example {@code cgroup v1 at /sys/fs/cgroup}
 * @param parents the group that ours is in, for each controller that can be used
 * @param name the name of our own group
 * @param unified whether all controllers share one tree, in which they are handed down by name
 * @param leafNeeded whether our own process is in the parent, where controllers cannot be handed
 *     down before it has left
 * @param homes the groups that our own process was found in, in each of the trees
 * @param notes what is not enforced, a line each
 */
record Layout(
    Dialect version,
    String place,
    Map<Controller, Path> parents,
    String name,
    boolean unified,
    boolean leafNeeded,
    List<Path> homes,
    List<String> notes) {
  Layout {
    GroupPath.checkName(name);
    parents = Map.copyOf(new EnumMap<>(parents));
    homes = List.copyOf(homes);
    notes = List.copyOf(notes);
  }

  Set<Controller> controllers() {
    return parents.keySet();
  }

  /** The parents, each once: controllers may share a tree on version 1 too. */
  Set<Path> trees() {
    Set<Path> trees = new LinkedHashSet<>();
    for (Controller controller : Controller.values()) {
      Path parent = parents.get(controller);
      if (parent != null) {
        trees.add(parent);
      }
    }
    return trees;
  }

  Path folder(Path tree, GroupPath group) {
    return group.in(tree.resolve(name));
  }

  Path folder(Controller controller, GroupPath group) {
    Path tree = parents.get(controller);
    if (tree == null) {
      throw new IllegalStateException("no controller " + controller);
    }
    return folder(tree, group);
  }
}
