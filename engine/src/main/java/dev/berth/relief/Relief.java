package dev.berth.relief;

import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.List;

/** What moving others can do for a refused pod. */
public sealed interface Relief {
  /**
   * Looks for the fewest moves that let a pod in. The node is left as it is.
   *
   * @param movable those who may be moved; others who have something stay where they are
   */
  static Relief search(Node node, List<Pod> movable, Pod refused) {
    return search(node, movable, refused, Effort.DEFAULT);
  }

  /** The same, at another cost. */
  static Relief search(Node node, List<Pod> movable, Pod refused, Effort effort) {
    return node.hasExternalProviders()
        ? new Unknown(-1, movable.size())
        : new Search(node, movable, refused, effort).run();
  }

  /** It as lines for a person; pods by uid. */
  List<String> lines();

  /**
   * The fewest moves that let the pod in.
   *
   * @param pod the refused pod's uid
   * @param place what it gets
   * @param moves who is taken off and let in again, in the order of their return; none where the
   *     pod fits as it is
   * @param before how many of them return before the pod is let in
   * @param ruledOut no plan has so few moves or fewer, in whatever order; one less than these moves
   *     unless that took too long
   * @param acts how to do it on a machine that runs, first done first
   */
  record Plan(String pod, Holding place, List<Move> moves, int before, int ruledOut, List<Act> acts)
      implements Relief {
    /** Takes copies. */
    public Plan {
      moves = List.copyOf(moves);
      acts = List.copyOf(acts);
    }

    /** Whether nobody has to be stopped. */
    public boolean isLive() {
      return acts.stream().noneMatch(Act.Stop.class::isInstance);
    }

    @Override
    public List<String> lines() {
      List<String> lines = new ArrayList<>();
      if (moves.isEmpty()) {
        return List.of("it fits as things are now");
      }
      String many = moves.size() == 1 ? "1 pod moves" : moves.size() + " pods move";
      lines.add(
          "fits if "
              + many
              + (isLive()
                  ? "; nobody has to stop, one step after the other:"
                  : "; not all can while they run:"));
      acts.forEach(act -> lines.add("  " + PlanText.line(act)));
      moves.stream()
          .filter(move -> move.nodesAfter() > move.nodesBefore())
          .forEach(move -> lines.add("  " + PlanText.wider(move)));
      lines.add("  " + PlanText.byHand(this));
      if (ruledOut < moves.size() - 1) {
        lines.add("  " + PlanText.perhapsFewer(this));
      }
      return lines;
    }
  }

  /** No moving helps, and that is proved. */
  record Impossible(Proof proof) implements Relief {
    @Override
    public List<String> lines() {
      return List.of("moving others cannot help: " + proof.text());
    }
  }

  /**
   * None was found, and the search was ended before all were tried.
   *
   * @param searchedUpTo no plan has so few moves or fewer, in whatever order; -1 where nothing
   *     could be tried, because providers that are not ours take part
   * @param movable how many pods there are that could move
   */
  record Unknown(int searchedUpTo, int movable) implements Relief {
    @Override
    public List<String> lines() {
      if (searchedUpTo < 0) {
        return List.of("whether moving others helps cannot be tried here");
      }
      return List.of(
          "moving up to "
              + searchedUpTo
              + " of the "
              + movable
              + " pods that could move does not help; more than that was not searched to the end");
    }
  }
}
