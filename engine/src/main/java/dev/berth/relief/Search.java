package dev.berth.relief;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.ledger.Owed;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One search: sets of pods by their number, each tried on a copy of the node. */
final class Search {
  private final Node node;
  private final Pod pod;
  private final List<Mover> movers;
  private final Places places;
  private final Effort effort;
  private int admissions;

  Search(Node node, List<Pod> movable, Pod pod, Effort effort) {
    this.node = node;
    this.pod = pod;
    this.effort = effort;
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
    for (int size = 0; size <= movers.size(); size++) {
      Optional<List<int[]>> sets = subsets.of(size, effort.admissions() - admissions);
      if (sets.isEmpty()) {
        return new Relief.Unknown(size - 1, movers.size());
      }
      for (int[] set : sets.get()) {
        Optional<Relief.Plan> plan = attempt(set);
        if (plan.isPresent()) {
          return plan.get();
        }
        if (isSpent()) {
          return new Relief.Unknown(size - 1, movers.size());
        }
      }
    }
    return new Relief.Impossible(new Proof.Exhausted(movers.size()));
  }

  private boolean isSpent() {
    return admissions >= effort.admissions();
  }

  private Optional<Relief.Plan> attempt(int[] set) {
    Node trial = node.copy();
    List<Pod> away = new ArrayList<>();
    for (int index : set) {
      Pod one = movers.get(index).pod();
      trial.remove(one.uid());
      away.add(one);
    }
    List<Pod> order = new ArrayList<>();
    return letIn(trial, pod)
        ? letBack(trial, away, order).map(after -> plan(after, order))
        : Optional.empty();
  }

  private boolean letIn(Node trial, Pod one) {
    admissions++;
    return trial.admit(one) instanceof Decision.Granted;
  }

  /**
   * The node with all of them in again; tries all orders. Of two that ask for the same, it does not
   * matter who comes first. Each is tried on a copy: memory that several nodes give together may be
   * taken back in another way than it was given.
   */
  private Optional<Node> letBack(Node trial, List<Pod> away, List<Pod> order) {
    if (away.isEmpty()) {
      return Optional.of(trial);
    }
    Set<Mover.Shape> tried = new HashSet<>();
    for (int i = 0; i < away.size() && !isSpent(); i++) {
      Pod next = away.get(i);
      Node after = trial.copy();
      if (tried.add(Mover.shape(next)) && letIn(after, next)) {
        List<Pod> left = new ArrayList<>(away);
        left.remove(i);
        order.add(next);
        Optional<Node> all = letBack(after, left, order);
        if (all.isPresent()) {
          return all;
        }
        order.removeLast();
      }
    }
    return Optional.empty();
  }

  private int nodes(Holding holding) {
    return (int)
        node.machine().nodes().stream()
            .filter(one -> one.cpus().intersects(holding.allCpus()))
            .count();
  }

  private Relief.Plan plan(Node trial, List<Pod> order) {
    List<Move> moves = new ArrayList<>();
    for (Pod one : order) {
      Holding from = Holding.of(node, one.uid());
      Holding to = Holding.of(trial, one.uid());
      moves.add(new Move(one.uid(), from, to, nodes(from), nodes(to)));
    }
    Holding place = Holding.of(trial, pod.uid());
    CpuSet taken = node.exclusive();
    return new Relief.Plan(pod.uid(), place, moves, Schedule.of(pod.uid(), place, moves, taken));
  }
}
