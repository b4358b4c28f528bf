package dev.berth.hints;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An offer that names every hint, one by one.
 *
 * <p>A list is read once, when it is made: into a table where that is small, else into masks. A
 * search seldom asks for the masks of a list that has a table, so those are made for it.
 */
public final class Listed implements Offer {
  /** From so many hints on, their table is smaller than the list. */
  private static final int TABLE_FROM = 64;

  private static final long[][] NONE = {};

  private final Nodes nodes;
  private final List<Hint> hints;
  private final @Nullable Table table;
  private final long[][] sets;
  private final long[][] preferredSets;
  private final boolean any;
  private final boolean anyPreferred;

  Listed(Nodes nodes, List<Hint> hints) {
    this.nodes = nodes;
    this.hints = List.copyOf(hints);
    boolean worthIt =
        nodes.size() <= 8 || (hints.size() >= TABLE_FROM && nodes.size() <= Table.MOST_NODES);
    if (worthIt) {
      table = Table.of(nodes, this.hints);
      sets = NONE;
      preferredSets = NONE;
      any = table.any;
      anyPreferred = table.prefersAny;
    } else {
      table = null;
      sets = masks(false);
      preferredSets = masks(true);
      any = hints.stream().anyMatch(hint -> hint.affinity() instanceof Affinity.Any);
      anyPreferred =
          hints.stream()
              .anyMatch(hint -> hint.preferred() && hint.affinity() instanceof Affinity.Any);
    }
  }

  private long[][] masks(boolean onlyPreferred) {
    List<long[]> masks = new ArrayList<>(hints.size());
    for (Hint hint : hints) {
      if (hint.affinity() instanceof Affinity.To(var set) && (hint.preferred() || !onlyPreferred)) {
        masks.add(nodes.mask("hint", set));
      }
    }
    return masks.toArray(NONE);
  }

  @Override
  public boolean isFor(Nodes others) {
    return nodes.all().equals(others.all());
  }

  /** The hints, as they were given. */
  public List<Hint> hints() {
    return hints;
  }

  /** The sets that are named, one a hint that is not about any node. */
  long[][] sets() {
    return table == null ? sets : masks(false);
  }

  /** Those of them that are preferred. */
  long[][] preferredSets() {
    return table == null ? preferredSets : masks(true);
  }

  boolean hasAny() {
    return any;
  }

  boolean prefersAny() {
    return anyPreferred;
  }

  @Nullable Table table() {
    return table;
  }

  /** Whether exactly this set is named and preferred. */
  boolean prefers(long[] set) {
    return table == null ? isAmong(preferredSets, set) : Table.has(table.preferred, (int) set[0]);
  }

  /** Whether exactly this set is named, or any node and this is all of them. */
  boolean contains(long[] set) {
    return table == null ? isAmong(sets, set) : Table.has(table.reach, (int) set[0]);
  }

  private static boolean isAmong(long[][] sets, long[] set) {
    for (long[] named : sets) {
      if (Arrays.equals(named, set)) {
        return true;
      }
    }
    return false;
  }

  /** The size of the narrowest set; 0 where only "any" is named. */
  int narrowest() {
    if (table != null) {
      return table.narrowest;
    }
    int narrowest = Integer.MAX_VALUE;
    for (long[] set : sets) {
      narrowest = Math.min(narrowest, Masks.count(set));
    }
    return sets.length == 0 ? 0 : narrowest;
  }
}
