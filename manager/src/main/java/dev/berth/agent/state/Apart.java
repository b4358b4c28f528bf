package dev.berth.agent.state;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Assignments;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryAssignments;
import dev.berth.ledger.MemoryBlock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Containers that are on their own here, and together in their pods in Kubernetes' files.
 *
 * <p>What one is known by here has a slash in it, {@code POD-UID/CONTAINER}; a pod's uid never has.
 * A pod with a budget of its own stays whole: what is the budget's is no container's.
 */
final class Apart {
  private static final char SEPARATOR = '/';

  private Apart() {}

  static boolean isApart(String uid) {
    return uid.indexOf(SEPARATOR) >= 0;
  }

  static Assignments joined(Assignments apart) {
    return isWhole(apart.exclusive())
        ? apart
        : new Assignments(
            apart.policy(), apart.shared(), joined(apart.exclusive()), apart.budgets());
  }

  /** Whether there is nothing to join, as with pods that are started here: no copy is needed. */
  private static boolean isWhole(SortedMap<String, ?> byUid) {
    for (String uid : byUid.keySet()) {
      if (isApart(uid)) {
        return false;
      }
    }
    return true;
  }

  static MemoryAssignments joined(MemoryAssignments apart) {
    return isWhole(apart.blocks())
        ? apart
        : new MemoryAssignments(apart.nodes(), joined(apart.blocks()), apart.budgets());
  }

  private static <T> SortedMap<String, SortedMap<String, T>> joined(
      SortedMap<String, SortedMap<String, T>> apart) {
    SortedMap<String, SortedMap<String, T>> pods = new TreeMap<>();
    apart.forEach((uid, containers) -> {
      int at = uid.indexOf(SEPARATOR);
      pods.computeIfAbsent(at < 0 ? uid : uid.substring(0, at), _ -> new TreeMap<>())
          .putAll(containers);
    });
    return pods;
  }

  static MemoryAssignments split(MemoryAssignments joined) {
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> blocks = new TreeMap<>();
    joined
        .blocks()
        .forEach((uid, containers) -> {
          if (joined.budgets().containsKey(uid)) {
            blocks.put(uid, containers);
          } else {
            containers.forEach((name, list) ->
                blocks.put(uid + SEPARATOR + name, new TreeMap<>(Map.of(name, list))));
          }
        });
    return new MemoryAssignments(joined.nodes(), blocks, joined.budgets());
  }

  static SortedMap<String, Holding> split(SortedMap<String, Holding> joined) {
    SortedMap<String, Holding> apart = new TreeMap<>();
    joined.forEach((uid, holding) -> {
      boolean whole =
          !holding.budget().isEmpty()
              || !holding.memoryBudget().isEmpty()
              || !holding.others().isEmpty();
      if (isApart(uid) || whole) {
        apart.put(uid, holding);
        return;
      }
      SortedSet<String> names = new TreeSet<>(holding.cpus().keySet());
      names.addAll(holding.memory().keySet());
      names.addAll(holding.devices().keySet());
      names.forEach(name -> apart.put(uid + SEPARATOR + name, of(holding, name)));
    });
    return apart;
  }

  private static Holding of(Holding pod, String name) {
    return new Holding(
        only(pod.cpus(), name),
        CpuSet.EMPTY,
        only(pod.memory(), name),
        List.of(),
        only(pod.devices(), name));
  }

  private static <T> SortedMap<String, T> only(SortedMap<String, T> containers, String name) {
    SortedMap<String, T> one = new TreeMap<>();
    Optional.ofNullable(containers.get(name)).ifPresent(part -> one.put(name, part));
    return one;
  }
}
