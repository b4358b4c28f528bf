package dev.berth.hints;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
  /** Each costs a search at least; lists on ordinary machines leave a few. */
  private static final int MOST_CHOICES = 4096;

  private final Nodes nodes;
  private final TieBreak tieBreak;
  private final Budget budget;
  private boolean cutShort;

  ReachableSearch(Nodes nodes, TieBreak tieBreak, Budget budget) {
    this.nodes = nodes;
    this.tieBreak = tieBreak;
    this.budget = budget;
  }

  /** The nodes that the named sets leave, and the covers that still have to choose a member. */
  private static final class Choice {
    final long[] left;
    final List<Cover> covers;

    Choice(long[] left, List<Cover> covers) {
      this.left = left;
      this.covers = covers;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Choice choice
          && Arrays.equals(left, choice.left)
          && covers.equals(choice.covers);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(left) + covers.hashCode();
    }
  }

  /** Whether the answer may not be the best one. */
  boolean isCutShort() {
    return cutShort || budget.isExhausted();
  }

  /** The best set; all nodes where nothing meets or the budget ended before a set was found. */
  long[] find(List<Offer> offers) {
    int target = target(offers);
    List<Choice> choices = choices(offers);
    for (int place = 0; place < nodes.size() && !budget.isExhausted(); place++) {
      int size = Best.sizeAt(place, target, nodes.size());
      Best best = new Best(nodes, tieBreak, target);
      for (Choice choice : choices) {
        long[] found = find(choice, size);
        if (found != null) {
          best.consider(found);
        }
      }
      long[] mask = best.mask();
      if (mask != null) {
        return mask;
      }
    }
    return Masks.all(nodes.size());
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

  private long @Nullable [] find(Choice choice, int size) {
    long[] region = choice.left;
    if (choice.covers.isEmpty()) {
      return Masks.count(region) == size ? region : null;
    }
    for (Cover cover : choice.covers) {
      region = Masks.and(region, cover.universe());
    }
    if (Masks.count(region) < size) {
      return null;
    }
    return switch (tieBreak) {
      case LOWEST -> ExclusionSearch.lowest(choice.covers, region, size, budget);
      case CLOSEST -> ExclusionSearch.closest(nodes, choice.covers, region, size, budget);
    };
  }

  private List<Choice> choices(List<Offer> offers) {
    Set<Choice> choices = new LinkedHashSet<>();
    choices.add(new Choice(Masks.all(nodes.size()), List.of()));
    for (Offer offer : offers) {
      Set<Choice> next =
          switch (offer) {
            case Offer.Anything ignored -> choices;
            case Offer.Impossible ignored -> choices;
            case Listed listed -> walk(choices, listed.sets(), listed.hasAny(), null);
            case Family family ->
                walk(
                    choices,
                    family.moreMasks(),
                    false,
                    family.coverIsEmpty() ? null : family.cover());
          };
      choices = next;
    }
    return List.copyOf(choices);
  }

  private Set<Choice> walk(Set<Choice> before, long[][] named, boolean any, @Nullable Cover cover) {
    Set<Choice> after = new LinkedHashSet<>();
    for (Choice choice : before) {
      if (any) {
        after.add(choice);
      }
      if (cover != null) {
        List<Cover> covers = new ArrayList<>(choice.covers);
        covers.add(cover);
        after.add(new Choice(choice.left, List.copyOf(covers)));
      }
      for (long[] set : named) {
        if (Masks.intersects(set, choice.left)) {
          after.add(new Choice(Masks.and(set, choice.left), choice.covers));
        }
        if (after.size() >= MOST_CHOICES) {
          cutShort = true;
          return after;
        }
      }
    }
    return after;
  }
}
