package dev.berth.hints;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The best set that every offer prefers, found without listing what they offer.
 *
 * <p>A merged hint is preferred only where all parts are preferred and equal, or say "any". So the
 * question is which sets all offers share. Where one of them is a list, its few preferred sets are
 * tried on the others. Otherwise all are families: either the set is one that a family names, and
 * those are tried likewise; or it belongs to every family's cover, and the sets that do are a cover
 * themselves.
 */
final class PreferredSearch {
  private final Nodes nodes;
  private final List<Offer> offers;
  private final Budget budget;
  private final Best best;
  private final TieBreak tieBreak;
  private final List<Listed> strictLists = new ArrayList<>();
  private final List<Family> families = new ArrayList<>();

  private PreferredSearch(Nodes nodes, List<Offer> offers, TieBreak tieBreak, Budget budget) {
    this.nodes = nodes;
    this.offers = offers;
    this.tieBreak = tieBreak;
    this.budget = budget;
    best = new Best(nodes, tieBreak, 0);
  }

  /** The best set, or null where there is none or the budget ended before one was found. */
  static long @Nullable [] find(Nodes nodes, List<Offer> offers, TieBreak tieBreak, Budget budget) {
    PreferredSearch search = new PreferredSearch(nodes, offers, tieBreak, budget);
    if (search.sort()) {
      search.run();
    }
    return search.best.mask();
  }

  /** Sorts the offers by kind; false where one of them prefers nothing at all. */
  private boolean sort() {
    for (Offer offer : offers) {
      switch (offer) {
        case Offer.Anything ignored -> {}
        case Offer.Impossible ignored -> {
          return false;
        }
        case Listed listed -> {
          if (!listed.prefersAny()) {
            strictLists.add(listed);
          }
        }
        case Family family -> families.add(family);
      }
    }
    return true;
  }

  private void run() {
    if (!strictLists.isEmpty()) {
      considerList(strictLists.getFirst());
    } else if (families.isEmpty()) {
      best.consider(Masks.all(nodes.size()));
      for (Offer offer : offers) {
        if (offer instanceof Listed listed) {
          considerList(listed);
        }
      }
    } else {
      considerFamilies();
    }
  }

  private void considerList(Listed listed) {
    for (int index = 0; index < listed.count(); index++) {
      if (listed.isPreferred(index)) {
        long[] set = listed.set(index);
        if (isShared(set)) {
          best.consider(set);
        }
      }
    }
  }

  private boolean isShared(long[] set) {
    for (Listed listed : strictLists) {
      if (!listed.prefers(set)) {
        return false;
      }
    }
    for (Family family : families) {
      if (!family.prefers(set)) {
        return false;
      }
    }
    return true;
  }

  private void considerFamilies() {
    for (Family family : families) {
      for (long[] named : family.moreMasks()) {
        if (isShared(named)) {
          best.consider(named);
        }
      }
    }
    int only = onlySize();
    if (only == 1) {
      considerSingles();
    } else if (only != 0) {
      considerCovers(only);
    }
  }

  /**
   * The one size that all families allow, 0 where they allow none together, -1 where any may do.
   */
  private int onlySize() {
    int only = -1;
    for (Family family : families) {
      int size = family.preference().size();
      if (family.preference().sockets().isEmpty()) {
        if (only >= 0 && only != size) {
          return 0;
        }
        only = size;
      }
    }
    return only;
  }

  private void considerSingles() {
    for (int position = 0; position < nodes.size(); position++) {
      long[] single = Masks.none(nodes.size());
      Masks.add(single, position);
      if (isShared(single)) {
        best.consider(single);
        if (tieBreak == TieBreak.LOWEST) {
          return;
        }
      }
    }
  }

  private void considerCovers(int only) {
    Cover common = families.getFirst().cover();
    for (Family family : families.subList(1, families.size())) {
      common = common.and(family.cover());
    }
    common = common.tightened();
    if (common.isEmpty()) {
      return;
    }
    int widest = only > 0 ? only : Masks.count(common.universe());
    for (int size = Math.max(only, 1); size <= widest && !isSettled(size); size++) {
      considerSize(common, size);
    }
  }

  private boolean isSettled(int size) {
    long[] known = best.mask();
    return budget.isExhausted() || (known != null && Masks.count(known) < size);
  }

  private void considerSize(Cover common, int size) {
    List<Preference.Sockets> rules = new ArrayList<>();
    for (Family family : families) {
      if (!family.preference().prefersSize(size)) {
        rules.add(family.preference().sockets().orElseThrow());
      }
    }
    considerRules(common, size, rules);
  }

  /** Tries every choice of sockets for the first rule, then for the next one. */
  private void considerRules(Cover common, int size, List<Preference.Sockets> rules) {
    if (rules.isEmpty()) {
      long[] found = search(common, size);
      if (found != null) {
        best.consider(found);
      }
      return;
    }
    Preference.Sockets rule = rules.getFirst();
    int[] sockets = rule.among(common.universe());
    if (rule.count() > sockets.length || rule.count() <= 0) {
      return;
    }
    int[] chosen = first(rule.count());
    do {
      Cover restricted = rule.restrict(common, pick(sockets, chosen));
      if (!restricted.isEmpty()) {
        considerRules(restricted, size, rules.subList(1, rules.size()));
      }
    } while (budget.step() && advance(chosen, sockets.length));
  }

  private long @Nullable [] search(Cover cover, int size) {
    if (Masks.count(cover.universe()) < size) {
      return null;
    }
    List<Cover> one = List.of(cover);
    return switch (tieBreak) {
      case LOWEST -> ExclusionSearch.lowest(one, cover.universe(), size, budget);
      case CLOSEST -> ExclusionSearch.closest(nodes, one, cover.universe(), size, budget);
    };
  }

  private static int[] first(int count) {
    int[] indices = new int[count];
    Arrays.setAll(indices, i -> i);
    return indices;
  }

  private static int[] pick(int[] values, int[] indices) {
    return Arrays.stream(indices).map(index -> values[index]).toArray();
  }

  /** Moves on to the next combination; false after the last one. */
  private static boolean advance(int[] indices, int bound) {
    int at = indices.length - 1;
    while (at >= 0 && indices[at] == bound - indices.length + at) {
      at--;
    }
    if (at < 0) {
      return false;
    }
    indices[at]++;
    for (int i = at + 1; i < indices.length; i++) {
      indices[i] = indices[i - 1] + 1;
    }
    return true;
  }
}
