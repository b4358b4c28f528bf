package dev.berth.relief;

import dev.berth.ledger.Decision;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The orders in which a set of pods that were taken off and the refused one are let in.
 *
 * <p>Mostly the refused pod comes first: it is the one that found no room. But where it comes first
 * it may take what another needs, so that it has to be let in later. Each is tried on a copy:
 * memory that several nodes give together may be taken back in another way than it was given.
 */
final class Orders {
  private static final String STRICT_CACHES = "strict-align-cpus-by-uncorecache";

  /** Beyond this, offers may be merged by a search that does not see all. */
  private static final int FEW_NODES = 8;

  private final Node node;
  private final Pod refused;
  private final int most;
  private final boolean monotone;
  private int admissions;

  /**
   * What is tried.
   *
   * @param most how many pods may be let in
   */
  Orders(Node node, Pod refused, int most) {
    this.node = node;
    this.refused = refused;
    this.most = most;
    monotone =
        refused.containers().size() == 1
            && refused.budget().isEmpty()
            && node.memoryAssignments().isEmpty()
            && node.machine().nodes().size() <= FEW_NODES
            && !node.configuration().optionsOn().contains(STRICT_CACHES);
  }

  /**
   * One that works.
   *
   * @param after the node with all of them in
   * @param order who came in, the refused one among them
   */
  record Found(Node after, List<Pod> order) {}

  /** How many more may be let in. */
  int left() {
    return Math.max(0, most - admissions);
  }

  boolean isSpent() {
    return admissions >= most;
  }

  private Node without(List<Pod> away) {
    Node trial = node.copy();
    away.forEach(one -> trial.remove(one.uid()));
    return trial;
  }

  private boolean letIn(Node trial, Pod one) {
    admissions++;
    return trial.admit(one) instanceof Decision.Granted;
  }

  /** Those that begin with the refused pod. */
  Optional<Found> refusedFirst(List<Pod> away) {
    Node trial = without(away);
    List<Pod> order = new ArrayList<>(List.of(refused));
    return letIn(trial, refused) ? letIn(trial, away, order) : Optional.empty();
  }

  /**
   * All others, where those and all orders of fewer pods are known not to work: then one who comes
   * first must not come back to where it was, for it might as well have stayed.
   */
  Optional<Found> refusedLater(List<Pod> away) {
    Node trial = without(away);
    // A single request that finds no room finds none in less room either. That it is tried was
    // counted before, where it came first.
    if (monotone && trial.copy().admit(refused) instanceof Decision.Refused) {
      return Optional.empty();
    }
    Set<Mover.Shape> tried = new HashSet<>(Set.of(Mover.shape(refused)));
    for (int i = 0; i < away.size() && !isSpent(); i++) {
      Pod next = away.get(i);
      if (!tried.add(Mover.shape(next))) {
        continue;
      }
      Node after = trial.copy();
      if (letIn(after, next) && hasMoved(after, next)) {
        List<Pod> rest = new ArrayList<>(away);
        rest.set(i, refused);
        Optional<Found> found = letIn(after, rest, new ArrayList<>(List.of(next)));
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /** Memory may be accounted for in another way although everybody has the same. */
  private boolean hasMoved(Node after, Pod one) {
    return node.memoryAssignments().isPresent()
        || !Holding.of(after, one.uid()).equals(Holding.of(node, one.uid()));
  }

  /** All orders of the rest. Of two that ask for the same, it does not matter who comes first. */
  private Optional<Found> letIn(Node trial, List<Pod> rest, List<Pod> order) {
    if (rest.isEmpty()) {
      return Optional.of(new Found(trial, List.copyOf(order)));
    }
    Set<Mover.Shape> tried = new HashSet<>();
    for (int i = 0; i < rest.size() && !isSpent(); i++) {
      Pod next = rest.get(i);
      if (!tried.add(Mover.shape(next))) {
        continue;
      }
      Node after = trial.copy();
      if (letIn(after, next)) {
        List<Pod> left = new ArrayList<>(rest);
        left.remove(i);
        order.add(next);
        Optional<Found> found = letIn(after, left, order);
        if (found.isPresent()) {
          return found;
        }
        order.removeLast();
      }
    }
    return Optional.empty();
  }
}
