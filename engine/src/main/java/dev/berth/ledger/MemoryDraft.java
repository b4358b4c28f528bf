package dev.berth.ledger;

import dev.berth.allocation.Step;
import dev.berth.allocation.Trace;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.Draft;
import dev.berth.hints.Hint;
import dev.berth.hints.Offer;
import dev.berth.hints.Reason;
import dev.berth.hints.Refusal;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One pod's admission under the static memory policy.
 *
 * <p>What an init container leaves on just the same nodes, later containers of the pod use again;
 * its block then shrinks by as much, so that the blocks of a pod always add up to what the pod has.
 */
final class MemoryDraft implements Draft {
  private final MemoryLedger ledger;
  private final Pod pod;
  private final MemoryNeeds needs;
  private final Map<String, List<MemoryBlock>> held;
  private final MemoryBooks before;
  private final MemoryBooks books;
  private final Trace trace;
  private final MemoryReuse reuse = new MemoryReuse();
  private final Map<String, List<MemoryBlock>> granted = new LinkedHashMap<>();
  private List<MemoryBlock> budget = List.of();

  MemoryDraft(
      MemoryLedger ledger,
      Pod pod,
      Map<String, List<MemoryBlock>> held,
      MemoryBooks before,
      Trace trace) {
    this.ledger = ledger;
    this.pod = pod;
    this.needs = new MemoryNeeds(pod, ledger.gates());
    this.held = held;
    this.before = before;
    this.books = before.copy();
    this.trace = trace;
  }

  @Override
  public Draft again(Trace toldTo) {
    return new MemoryDraft(ledger, pod, held, before, toldTo);
  }

  @Override
  public Standing standing() {
    if (!needs.isOwed()) {
      return Standing.NOTHING_OWED;
    }
    boolean all = pod.names().allMatch(held::containsKey);
    return all ? Standing.HELD : Standing.MISSING;
  }

  private MemoryOffers offersNow() {
    return new MemoryOffers(books, reuse);
  }

  @Override
  public Map<String, Offer> offers(Container container) {
    if (!needs.isOwed()) {
      return Map.of();
    }
    List<MemoryBlock> kept = held.get(container.name());
    return kept != null ? offersKept(kept) : offers(needs.of(container));
  }

  @Override
  public Map<String, Offer> offers() {
    if (!needs.isOwed()) {
      return Map.of();
    }
    SortedMap<String, Long> request = needs.ofPod();
    if (needs.hasBudget() && needs.emptySharedPart().isPresent()) {
      Map<String, Offer> none = new LinkedHashMap<>();
      request.keySet().forEach(type -> none.put(type, Offer.IMPOSSIBLE));
      return none;
    }
    for (Container container : pod.containers()) {
      List<MemoryBlock> kept = held.get(container.name());
      if (kept != null) {
        return offersKept(kept);
      }
    }
    return offers(request);
  }

  private Map<String, Offer> offers(SortedMap<String, Long> request) {
    Optional<Offer> offer = offersNow().offer(request);
    Map<String, Offer> offers = new LinkedHashMap<>();
    offer.ifPresent(same -> request.keySet().forEach(type -> offers.put(type, same)));
    return offers;
  }

  private Map<String, Offer> offersKept(List<MemoryBlock> kept) {
    Map<String, Offer> offers = new LinkedHashMap<>();
    for (MemoryBlock block : kept) {
      Hint there = new Hint(Affinity.to(block.nodes()), true);
      offers.put(block.type(), Offer.listed(books.stock().nodes, List.of(there)));
    }
    return offers;
  }

  @Override
  public Optional<Refusal> allocate(Container container, Hint place) {
    if (!needs.isOwed()) {
      return Optional.empty();
    }
    List<MemoryBlock> kept = held.get(container.name());
    if (kept != null) {
      reuse.count(container.role(), kept);
      granted.put(container.name(), kept);
      return Optional.empty();
    }
    SortedMap<String, Long> request = needs.of(container);
    return settle(place, request, nodes -> give(container, request, nodes));
  }

  /** Finds the nodes: those agreed on, or the best that have them all and enough. */
  private Optional<Refusal> settle(
      Hint place, SortedMap<String, Long> request, Consumer<NodeSet> give) {
    MemoryOffers offers = offersNow();
    Hint best = place;
    if (best.affinity() instanceof Affinity.Any) {
      Optional<Hint> byItself = offers.best(request, NodeSet.EMPTY);
      if (byItself.isEmpty()) {
        return refuse(
            "failed to get the default NUMA affinity, no NUMA nodes with enough memory"
                + " is available");
      }
      best = byItself.get();
      if (place.preferred() && !best.preferred()) {
        return refuse("failed to find the default preferred hint");
      }
    }
    if (!offers.satisfies(request, best.affinity())) {
      Optional<Hint> wider = offers.best(request, nodesOf(best));
      if (wider.isEmpty()) {
        return refuse("failed to find NUMA nodes to extend the current topology hint");
      }
      if (best.preferred() && !wider.get().preferred()) {
        return refuse("failed to find the extended preferred hint");
      }
      best = wider.get();
    }
    if (!books.allows(nodesOf(best))) {
      return refuse("preferred hint violates NUMA node allocation");
    }
    give.accept(nodesOf(best));
    return Optional.empty();
  }

  private static NodeSet nodesOf(Hint hint) {
    return hint.affinity() instanceof Affinity.To(var nodes) ? nodes : NodeSet.EMPTY;
  }

  private Optional<Refusal> refuse(String why) {
    return Optional.of(Refusal.unexpected("[memorymanager] " + why));
  }

  private void give(Container container, SortedMap<String, Long> request, NodeSet nodes) {
    List<MemoryBlock> blocks = new ArrayList<>();
    request.forEach((type, bytes) -> {
      MemoryBlock block = new MemoryBlock(nodes, type, bytes);
      blocks.add(block);
      books.give(block.withSize(Math.max(bytes - reuse.of(nodes, type), 0)));
      tell(container.name(), block);
    });
    reuse.count(container.role(), blocks);
    granted.put(container.name(), List.copyOf(blocks));
    blocks.forEach(block -> shrinkInit(container, block));
  }

  /** Takes what a container uses again off the init containers before it. */
  private void shrinkInit(Container container, MemoryBlock used) {
    long rest = used.size();
    for (Container earlier : pod.containers()) {
      if (earlier.name().equals(container.name())) {
        return;
      }
      List<MemoryBlock> blocks = granted.getOrDefault(earlier.name(), List.of());
      if (earlier.role() != Role.INIT || blocks.isEmpty()) {
        continue;
      }
      List<MemoryBlock> shrunk = new ArrayList<>();
      for (MemoryBlock block : blocks) {
        boolean same = block.type().equals(used.type()) && block.nodes().equals(used.nodes());
        long part = same ? Math.min(rest, block.size()) : 0;
        rest -= part;
        shrunk.add(block.withSize(block.size() - part));
      }
      granted.put(earlier.name(), List.copyOf(shrunk));
    }
  }

  @Override
  public Optional<Refusal> allocateBudget(Hint place) {
    if (!needs.isOwed()) {
      return Optional.empty();
    }
    Optional<String> empty = needs.emptySharedPart();
    if (empty.isPresent()) {
      return Optional.of(new Refusal(Reason.EMPTY_POD_SHARED_POOL, empty.get()));
    }
    SortedMap<String, Long> whole = needs.ofPod();
    Optional<Refusal> refusal = settle(place, whole, nodes -> split(whole, nodes));
    return refusal.isPresent() ? refusal : promiseBeyond(whole.keySet());
  }

  /**
   * The budget is what counts; a container's part says from where and how much of it. Where one
   * asks for more than the budget has, or for a kind that it does not have, its part says so, and
   * the part that the others share is empty.
   */
  private void split(SortedMap<String, Long> whole, NodeSet nodes) {
    SortedMap<String, Long> pool = new TreeMap<>(MemoryNeeds::memoryFirst);
    pool.putAll(whole);
    for (Container container : pod.containers()) {
      SortedMap<String, Long> own = needs.of(container);
      if (!own.isEmpty()) {
        granted.put(container.name(), blocks(own, nodes));
        if (container.role() != Role.INIT) {
          own.forEach((type, bytes) ->
              pool.computeIfPresent(type, (same, left) -> Math.max(left - bytes, 0)));
        }
      } else if (container.role() == Role.INIT) {
        granted.put(container.name(), blocks(pool, nodes));
      }
    }
    for (Container container : pod.containers()) {
      granted.computeIfAbsent(container.name(), name -> blocks(pool, nodes));
    }
    budget = blocks(whole, nodes);
    budget.forEach(books::give);
    budget.forEach(block -> tell("pod " + pod.uid(), block));
  }

  /**
   * Sets aside what containers have of kinds that the budget does not have, all of it or nothing.
   */
  private Optional<Refusal> promiseBeyond(Set<String> budgeted) {
    Map<String, Long> asked = new TreeMap<>();
    List<MemoryBlock> beyond =
        granted.values().stream()
            .flatMap(Collection::stream)
            .filter(block -> !budgeted.contains(block.type()))
            .toList();
    for (MemoryBlock block : beyond) {
      long free = books.free(block.type(), block.nodes());
      if (asked.merge(block.type(), block.size(), Long::sum) > free) {
        granted.clear();
        return refuse("not enough " + block.type() + " beyond the pod's budget");
      }
    }
    beyond.forEach(books::promise);
    return Optional.empty();
  }

  private static List<MemoryBlock> blocks(SortedMap<String, Long> amounts, NodeSet nodes) {
    List<MemoryBlock> blocks = new ArrayList<>();
    amounts.forEach((type, bytes) -> {
      if (bytes > 0) {
        blocks.add(new MemoryBlock(nodes, type, bytes));
      }
    });
    return List.copyOf(blocks);
  }

  private void tell(String who, MemoryBlock block) {
    if (trace.on()) {
      trace.add(
          new Step.Noted(
              who
                  + " gets "
                  + Bytes.shown(block.size())
                  + " of "
                  + block.type()
                  + (block.nodes().size() == 1 ? " from NUMA node " : " from NUMA nodes ")
                  + block.nodes()));
    }
  }

  /**
   * Nodes that are used together are one account. Which of them a block lies on shows only in their
   * single accounts, and giving back starts at the lowest node, as upstream does.
   */
  @Override
  public void abandon() {
    if (held.isEmpty() && !granted.isEmpty()) {
      commit();
      ledger.remove(pod.uid());
    }
  }

  @Override
  public void commit() {
    ledger.take(pod.uid(), books, granted, budget);
  }
}
