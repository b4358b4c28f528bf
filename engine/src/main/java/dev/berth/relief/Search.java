package dev.berth.relief;

import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.ledger.Owed;
import dev.berth.relief.Orders.Found;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One search: sets of pods by their number, each tried on a copy of the node. For each number, all
 * sets are first tried with the refused pod before those who return, then in all other orders.
 */
final class Search {
  /** Orders in which the refused pod comes later seldom help, so they have a part of the effort. */
  private static final int LATER = 4;

  private final Node node;
  private final Pod pod;
  private final List<Mover> movers;
  private final Places places;
  private final Effort effort;
  private final Orders first;
  private final Orders later;

  Search(Node node, List<Pod> movable, Pod pod, Effort effort) {
    this.node = node;
    this.pod = pod;
    this.effort = effort;
    first = new Orders(node, pod, effort.admissions());
    later = new Orders(node, pod, Math.max(1, effort.admissions() / LATER));
    places = new Places(node);
    Map<String, Holding> holdings = Holding.all(node);
    movers =
        movable.stream()
            .filter(one -> holdings.containsKey(one.uid()) && !one.uid().equals(pod.uid()))
            .sorted(Comparator.comparing(Pod::uid))
            .map(one -> mover(one, holdings.getOrDefault(one.uid(), Holding.NOTHING)))
            .toList();
  }

  private Mover mover(Pod one, Holding held) {
    return new Mover(one, held, Owed.of(node, one), places.spread(held.allCpus()));
  }

  Relief run() {
    Optional<Proof> proof = new Bounds(node, pod, movers, places).proof();
    if (proof.isPresent()) {
      return new Relief.Impossible(proof.get());
    }
    Owed wanted = Owed.of(node, pod);
    Subsets subsets =
        new Subsets(places, movers, wanted, new Stock(node, places, wanted), effort.subsets());
    int ruledOut = -1;
    for (int size = 0; size <= movers.size(); size++) {
      Optional<List<int[]>> sets = subsets.of(size, first.left());
      if (sets.isEmpty()) {
        return new Relief.Unknown(ruledOut, movers.size());
      }
      Optional<Found> found = anyOf(sets.get(), first, first::refusedFirst);
      boolean inEveryOrder = ruledOut == size - 1;
      if (found.isEmpty() && !first.isSpent() && inEveryOrder) {
        found = anyOf(sets.get(), later, later::refusedLater);
      }
      if (found.isPresent()) {
        return plan(found.get(), ruledOut);
      }
      if (first.isSpent()) {
        return new Relief.Unknown(ruledOut, movers.size());
      }
      ruledOut = inEveryOrder && !later.isSpent() ? size : ruledOut;
    }
    return ruledOut == movers.size()
        ? new Relief.Impossible(new Proof.Exhausted(movers.size()))
        : new Relief.Unknown(ruledOut, movers.size());
  }

  /** The first set that works, as long as there is effort left. */
  private Optional<Found> anyOf(
      List<int[]> sets, Orders orders, Function<List<Pod>, Optional<Found>> attempt) {
    Optional<Found> found = Optional.empty();
    for (int at = 0; at < sets.size() && found.isEmpty() && !orders.isSpent(); at++) {
      found =
          attempt.apply(Arrays.stream(sets.get(at)).mapToObj(i -> movers.get(i).pod()).toList());
    }
    return found;
  }

  private int nodes(Holding holding) {
    return (int)
        node.machine().nodes().stream()
            .filter(one -> one.cpus().intersects(holding.allCpus()))
            .count();
  }

  private Relief.Plan plan(Found found, int ruledOut) {
    List<Move> moves = new ArrayList<>();
    for (Pod one : found.order()) {
      if (!one.uid().equals(pod.uid())) {
        Holding from = Holding.of(node, one.uid());
        Holding to = Holding.of(found.after(), one.uid());
        moves.add(new Move(one.uid(), from, to, nodes(from), nodes(to)));
      }
    }
    int before = found.order().indexOf(pod);
    Holding place = Holding.of(found.after(), pod.uid());
    List<Act> acts = Schedule.of(new Act.Admit(pod.uid(), place), before, moves, node.exclusive());
    return new Relief.Plan(pod.uid(), place, moves, before, ruledOut, acts);
  }
}
