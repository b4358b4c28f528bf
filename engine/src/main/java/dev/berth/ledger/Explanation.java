package dev.berth.ledger;

import dev.berth.allocation.Step;
import java.util.List;
import java.util.function.Supplier;

/**
 * How a decision came about: what was looked at in which order, what was taken at which step, why
 * the others were passed over.
 *
 * <p>Decisions are pure, so an explanation is the same decision taken once more with a pen in hand.
 * Until somebody asks it costs a reference to what was known then. Safe for several threads.
 */
public final class Explanation {
  private final Supplier<List<Step>> again;

  Explanation(Supplier<List<Step>> again) {
    this.again = again;
  }

  /** The steps, first taken first. */
  public List<Step> steps() {
    return again.get();
  }

  /** The steps as lines for a person; what belongs to a question or a rule is set in below it. */
  public List<String> lines() {
    return steps().stream().map(step -> indent(step) + step.text()).toList();
  }

  private static String indent(Step step) {
    return switch (step) {
      case Step.Asked asked -> "";
      case Step.Noted noted -> "  ";
      case Step.Began began -> "  ";
      case Step.Looked looked -> "    ";
      case Step.Took took -> "    ";
      case Step.PassedOver passedOver -> "    ";
    };
  }

  @Override
  public String toString() {
    return String.join("\n", lines());
  }
}
