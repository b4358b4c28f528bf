package dev.berth.ledger;

import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.BestEffort;
import dev.berth.hints.Cover;
import dev.berth.hints.Demand;
import dev.berth.hints.Hint;
import dev.berth.hints.Merged;
import dev.berth.hints.Nodes;
import dev.berth.hints.Offer;
import dev.berth.hints.Preference;
import dev.berth.hints.TieBreak;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * From which sets of NUMA nodes memory could be given.
 *
 * <p>Any set of nodes that nobody uses yet, if together they have enough of every kind; a node that
 * is used by itself, by itself; nodes that are used together, just so together. A set is preferred
 * where it is as narrow as it could be on an empty machine.
 */
final class MemoryOffers {
  private static final BestEffort LOWEST = new BestEffort(TieBreak.LOWEST);

  private final MemoryBooks books;
  private final Nodes nodes;
  private final MemoryReuse reuse;

  /**
   * Offers as the books are now.
   *
   * @param reuse what init containers of the pod have left
   */
  MemoryOffers(MemoryBooks books, MemoryReuse reuse) {
    this.books = books;
    this.nodes = books.stock().nodes;
    this.reuse = reuse;
  }

  /** The same offer for every kind asked for; none where nothing fits, as upstream has it. */
  Optional<Offer> offer(SortedMap<String, Long> request) {
    return offer(request, NodeSet.EMPTY);
  }

  /**
   * The best set by itself: preferred, then narrowest, then lowest.
   *
   * @param containing nodes that it must have
   */
  Optional<Hint> best(SortedMap<String, Long> request, NodeSet containing) {
    return offer(request, containing)
        .map(offer -> LOWEST.merge(nodes, List.of(offer)))
        .map((Merged merged) -> new Hint(merged.affinity(), merged.preferred()));
  }

  private Optional<Offer> offer(SortedMap<String, Long> request, NodeSet containing) {
    if (request.isEmpty()) {
      return Optional.empty();
    }
    List<Demand> demands = new ArrayList<>();
    request.forEach((type, bytes) -> demands.add(Demand.atLeast(bytes, allocatable(type))));
    Cover onEmpty = Cover.of(nodes, nodes.all(), demands.toArray(Demand[]::new));
    int width = onEmpty.isEmpty() ? nodes.size() : onEmpty.narrowest().nodes();
    request.forEach((type, bytes) -> demands.add(Demand.atLeast(bytes, free(type))));
    if (!containing.isEmpty()) {
      demands.add(Demand.containing(nodes, containing));
    }
    Cover unused = Cover.of(nodes, unused(), demands.toArray(Demand[]::new));
    List<NodeSet> used = used(request, onEmpty, containing);
    return unused.isEmpty() && used.isEmpty()
        ? Optional.empty()
        : Optional.of(Offer.family(unused, used, Preference.ofSize(width)));
  }

  private long[] allocatable(String type) {
    int kind = books.stock().types.indexOf(type);
    return kind < 0 ? new long[nodes.size()] : books.stock().allocatable[kind];
  }

  private long[] free(String type) {
    long[] free = new long[nodes.size()];
    for (int position = 0; position < free.length; position++) {
      free[position] = books.free(type, position);
    }
    return free;
  }

  private NodeSet unused() {
    int[] ids = new int[nodes.size()];
    int count = 0;
    for (int position = 0; position < ids.length; position++) {
      if (!books.isAssigned(position)) {
        ids[count++] = nodes.id(position);
      }
    }
    return NodeSet.of(Arrays.copyOf(ids, count));
  }

  /** The groups in use, those of one node included, that have enough. */
  private List<NodeSet> used(SortedMap<String, Long> request, Cover onEmpty, NodeSet containing) {
    Set<NodeSet> groups = new HashSet<>();
    List<NodeSet> fitting = new ArrayList<>();
    for (int position = 0; position < nodes.size(); position++) {
      NodeSet group = books.group(position);
      if (books.isAssigned(position)
          && groups.add(group)
          && containing.isSubsetOf(group)
          && onEmpty.contains(group)
          && hasEnough(request, group)) {
        fitting.add(group);
      }
    }
    return fitting;
  }

  private boolean hasEnough(SortedMap<String, Long> request, NodeSet group) {
    for (Map.Entry<String, Long> wanted : request.entrySet()) {
      String type = wanted.getKey();
      if (books.free(type, group) + reuse.of(group, type) < wanted.getValue()) {
        return false;
      }
    }
    return true;
  }

  /** Whether these nodes have enough free, what could be used again not counted. */
  boolean satisfies(SortedMap<String, Long> request, Affinity affinity) {
    return affinity instanceof Affinity.To(var set)
        && request.entrySet().stream()
            .allMatch(wanted -> books.free(wanted.getKey(), set) >= wanted.getValue());
  }
}
