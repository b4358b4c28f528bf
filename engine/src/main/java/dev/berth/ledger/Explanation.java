package dev.berth.ledger;

import dev.berth.allocation.Step;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * How a decision came about: what was looked at in which order, what was taken at which step, why
 * the others were passed over.
 *
 * <p>Decisions are pure, so an explanation is the same decision taken once more with a pen in hand.
 * Until somebody asks it costs a reference to what was known then. Safe for several threads.
 */
public final class Explanation {
  private final Supplier<List<Step>> again;
  private final Supplier<List<Remedy>> helping;

  Explanation(Supplier<List<Step>> again) {
    this(again, List::of);
  }

  /**
   * With what would have helped.
   *
   * @param again what led to the decision
   * @param helping what would have led to another
   */
  Explanation(Supplier<List<Step>> again, Supplier<List<Remedy>> helping) {
    this.again = again;
    this.helping = helping;
  }

  /** The steps, first taken first, and what would have helped as the last of them. */
  public List<Step> steps() {
    return Stream.concat(
            again.get().stream(), remedies().stream().map(one -> new Step.Noted(one.text())))
        .toList();
  }

  /** The steps alone. */
  public List<Step> account() {
    return again.get();
  }

  /**
   * What else would have let a refused pod in, each tried on a node of its own as things were then;
   * none for one that was let in.
   */
  public List<Remedy> remedies() {
    return helping.get();
  }

  /** The steps as lines for a person; what belongs to a question or a rule is set in below it. */
  public List<String> lines() {
    return lines(steps());
  }

  /** Some steps as lines. */
  public static List<String> lines(List<Step> steps) {
    return steps.stream().map(step -> indent(step) + step.text()).toList();
  }

  private static String indent(Step step) {
    return switch (step) {
      case Step.Asked asked -> "";
      case Step.Noted noted -> "  ";
      case Step.Offered offered -> "  ";
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
