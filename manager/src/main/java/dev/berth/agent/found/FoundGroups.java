package dev.berth.agent.found;

import dev.berth.cgroup.GroupPath;
import dev.berth.cgroup.GroupState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The cgroups of ours, sorted into containers and processes that are in no container.
 *
 * @param containers those with processes, by path
 * @param loose processes in a cgroup that holds other cgroups and should hold no process itself
 */
public record FoundGroups(
    List<FoundContainer> containers, SortedMap<GroupPath, SortedSet<Long>> loose) {
  /** Nothing runs. */
  public static final FoundGroups NONE = new FoundGroups(List.of(), new TreeMap<>());

  private static final String PODS = "pods";
  private static final char APART = '~';

  /** Takes copies. */
  public FoundGroups {
    containers = List.copyOf(containers);
    loose = Collections.unmodifiableSortedMap(new TreeMap<>(loose));
  }

  /**
   * Sorts them.
   *
   * @param states our own group and all below it, from the top down
   * @param agent the group of the agent and of the shells that watch containers
   */
  public static FoundGroups of(List<GroupState> states, GroupPath agent) {
    Map<GroupPath, GroupState> byPath = new HashMap<>();
    states.forEach(state -> byPath.put(state.group(), state));
    SortedMap<GroupPath, SortedSet<Long>> members = new TreeMap<>();
    SortedMap<GroupPath, SortedSet<Long>> loose = new TreeMap<>();
    for (GroupState state : states) {
      GroupPath at = container(state.group());
      if (state.processes().isEmpty() || at.equals(agent)) {
        continue;
      }
      boolean inner = at.isOwn() || isInner(at);
      (inner ? loose : members).computeIfAbsent(at, _ -> new TreeSet<>()).addAll(state.processes());
    }
    List<FoundContainer> containers = new ArrayList<>();
    members.forEach((group, processes) -> {
      GroupState state = byPath.get(group);
      if (state != null) {
        containers.add(
            new FoundContainer(
                uid(group), name(group), group, state.cpus(), state.partition(), processes));
      }
    });
    return new FoundGroups(containers, loose);
  }

  /** The container's group that a group is in, or the group itself where it is in none. */
  private static GroupPath container(GroupPath group) {
    List<String> names = group.segments();
    boolean pods = !names.isEmpty() && names.getFirst().equals(PODS);
    int depth = pods ? 3 : 1;
    return names.size() <= depth
        ? group
        : GroupPath.of(names.subList(0, depth).toArray(String[]::new));
  }

  /** Whether it is the group of all pods or of one. */
  private static boolean isInner(GroupPath group) {
    return group.segments().getFirst().equals(PODS) && group.segments().size() < 3;
  }

  private static String uid(GroupPath group) {
    List<String> names = group.segments();
    if (names.size() == 3) {
      return names.get(1);
    }
    int apart = names.getFirst().indexOf(APART);
    return apart < 0 ? names.getFirst() : names.getFirst().substring(0, apart);
  }

  private static String name(GroupPath group) {
    String last = group.segments().getLast();
    return last.substring(last.indexOf(APART) + 1);
  }
}
