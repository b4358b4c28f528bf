package dev.berth.hints;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The best set that is an intersection of one set from each offer, where no preferred one exists.
 *
 * <p>Each offer contributes either a set that it names, or some member of its cover. The choices of
 * named sets are walked, and equal ones walked once: what counts is only which nodes are left and
 * which covers are still to choose. What the covers can do together then is the {@link
 * ExclusionSearch}'s question. Sizes are tried in the order of the merge, so the first size with an
 * answer ends the search.
 */
final class ReachableSearch {
  /** So many meetings of two named sets take about as long as a step of the search. */
  private static final int MEETINGS_A_STEP = 256;

  private final Nodes nodes;
  private final TieBreak tieBreak;
  private final Budget budget;
  private boolean cutShort;

  ReachableSearch(Nodes nodes, TieBreak tieBreak, Budget budget) {
    this.nodes = nodes;
    this.tieBreak = tieBreak;
    this.budget = budget;
  }

  /** Whether the answer may not be the best one. */
  boolean isCutShort() {
    return cutShort || budget.isExhausted();
  }

  /**
   * The best set; all nodes where nothing meets. Where the budget ended before a set was found, the
   * best of those that need no search: what is left once every cover keeps all that it can.
   */
  long[] find(List<Offer> offers) {
    int target = target(offers);
    Choices choices = choices(offers);
    for (int place = 0; place < nodes.size() && !budget.isExhausted(); place++) {
      int size = Best.sizeAt(place, target, nodes.size());
      Best best = new Best(nodes, tieBreak, target);
      for (int index = 0; index < choices.count(); index++) {
        if (!choices.isOfLists(index)) {
          considerCovers(choices, index, size, best);
        } else if (choices.sizeLeft(index) == size) {
          best.consider(choices.left(index));
        }
      }
      long[] mask = best.mask();
      if (mask != null) {
        return mask;
      }
    }
    return budget.isExhausted() ? withoutSearch(choices, target) : Masks.all(nodes.size());
  }

  private long[] withoutSearch(Choices choices, int target) {
    Best best = new Best(nodes, tieBreak, target);
    for (int index = 0; index < choices.count(); index++) {
      best.consider(region(choices.left(index), choices.covers(index)));
    }
    long[] mask = best.mask();
    return mask == null ? Masks.all(nodes.size()) : mask;
  }

  private static long[] region(long[] left, List<Cover> covers) {
    long[] region = left;
    for (Cover cover : covers) {
      region = Masks.and(region, cover.universe());
    }
    return region;
  }

  private int target(List<Offer> offers) {
    // Of its own: an uncertain width must not leave the search itself without a step.
    Budget widths = new Budget(budget.left());
    int target = 0;
    for (Offer offer : offers) {
      int narrowest =
          switch (offer) {
            case Offer.Anything ignored -> 0;
            case Offer.Impossible ignored -> 0;
            case Listed listed -> listed.narrowest();
            case Family family -> family.narrowest(widths);
          };
      target = Math.max(target, narrowest);
    }
    cutShort |= widths.isExhausted();
    return target;
  }

  /** Each choice is a step: to set a search up takes as long as many of its steps. */
  private void considerCovers(Choices choices, int index, int size, Best best) {
    long[] found = budget.step() ? find(choices.left(index), choices.covers(index), size) : null;
    if (found != null) {
      best.consider(found);
    }
  }

  private long @Nullable [] find(long[] left, List<Cover> covers, int size) {
    long[] region = region(left, covers);
    if (Masks.count(region) < size) {
      return null;
    }
    return switch (tieBreak) {
      case LOWEST -> ExclusionSearch.lowest(covers, region, size, budget);
      case CLOSEST -> ExclusionSearch.closest(nodes, covers, region, size, budget);
    };
  }

  /** The meetings that all lists together may take count as steps: each has the same share. */
  private Choices choices(List<Offer> offers) {
    Choices choices = Choices.ofAll(nodes.size());
    long share = (long) budget.left() * MEETINGS_A_STEP / Math.max(offers.size(), 1);
    for (Offer offer : offers) {
      Choices.Walked walked =
          switch (offer) {
            case Offer.Anything ignored -> new Choices.Walked(choices, true);
            case Offer.Impossible ignored -> new Choices.Walked(choices, true);
            case Listed listed -> choices.walk(listed.sets(), listed.hasAny(), List.of(), share);
            case Family family ->
                choices.walk(
                    family.moreMasks(),
                    false,
                    family.coverIsEmpty() ? List.of() : List.of(family.cover()),
                    share);
          };
      cutShort |= !walked.complete();
      choices = walked.choices();
    }
    return choices;
  }
}
