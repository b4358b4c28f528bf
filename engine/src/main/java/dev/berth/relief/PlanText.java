package dev.berth.relief;

import dev.berth.ledger.Holding;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What is to be done, in words. */
final class PlanText {
  private PlanText() {}

  static String line(Act act) {
    return switch (act) {
      case Act.Shift(Move move) ->
          "move "
              + move.pod()
              + " from CPUs "
              + move.from().allCpus()
              + " to "
              + move.to().allCpus();
      case Act.Stop(Move move) -> "stop " + move.pod() + " (" + place(move.from()) + ")";
      case Act.Admit(String pod, Holding place) -> "let " + pod + " in: " + place(place);
      case Act.Restart(Move move) -> "start " + move.pod() + " again: " + place(move.to());
    };
  }

  /** What one loses that ends on more NUMA nodes than it is on. */
  static String wider(Move move) {
    return move.pod()
        + " is then on "
        + move.nodesAfter()
        + " NUMA nodes instead of "
        + move.nodesBefore();
  }

  /** For one who can only take off and let in: it ends the same way. */
  static String byHand(Relief.Plan plan) {
    String away = plan.moves().stream().map(Move::pod).sorted().collect(Collectors.joining(" "));
    List<String> back = new ArrayList<>(plan.moves().stream().map(Move::pod).toList());
    back.add(plan.before(), plan.pod());
    return "or by hand, with the same end: remove " + away + ", apply " + String.join(" ", back);
  }

  /** Where not all that moves fewer could be tried. */
  static String perhapsFewer(Relief.Plan plan) {
    return "fewer moves were tried in every order up to "
        + plan.ruledOut()
        + ", and beyond that with "
        + plan.pod()
        + " let in first";
  }

  private static String place(Holding holding) {
    return holding.allCpus().isEmpty() ? "no CPUs of its own" : "CPUs " + holding.allCpus();
  }
}
