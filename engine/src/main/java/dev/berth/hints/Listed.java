package dev.berth.hints;

import dev.berth.cpu.NodeSet;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An offer that names every hint, one by one. */
public final class Listed implements Offer {
  /** From so many hints on, their table is smaller than the list. */
  private static final int TABLE_FROM = 64;

  private final NodeSet nodes;
  private final List<Hint> hints;
  private final long[][] sets;
  private final boolean[] preferred;
  private final boolean any;
  private final boolean anyPreferred;
  private final @Nullable Table table;

  Listed(Nodes nodes, List<Hint> hints) {
    this.nodes = nodes.all();
    this.hints = List.copyOf(hints);
    boolean anySeen = false;
    boolean anySeenPreferred = false;
    int count = 0;
    long[][] masks = new long[hints.size()][];
    boolean[] flags = new boolean[hints.size()];
    for (Hint hint : hints) {
      switch (hint.affinity()) {
        case Affinity.Any ignored -> {
          anySeen = true;
          anySeenPreferred |= hint.preferred();
        }
        case Affinity.To(var set) -> {
          masks[count] = nodes.mask("hint", set);
          flags[count++] = hint.preferred();
        }
      }
    }
    any = anySeen;
    anyPreferred = anySeenPreferred;
    sets = Arrays.copyOf(masks, count);
    preferred = Arrays.copyOf(flags, count);
    boolean worthIt =
        nodes.size() <= 8 || (count >= TABLE_FROM && nodes.size() <= Table.MOST_NODES);
    table = worthIt ? Table.of(nodes.size(), this) : null;
  }

  @Override
  public boolean isFor(Nodes others) {
    return nodes.equals(others.all());
  }

  /** The hints, as they were given. */
  public List<Hint> hints() {
    return hints;
  }

  /** The sets that are named, one a hint that is not about any node. */
  long[][] sets() {
    return sets;
  }

  boolean isPreferred(int index) {
    return preferred[index];
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
    for (int i = 0; i < sets.length; i++) {
      if (preferred[i] && Arrays.equals(sets[i], set)) {
        return true;
      }
    }
    return false;
  }

  /** Whether exactly this set is named. */
  boolean contains(long[] set) {
    return Arrays.stream(sets).anyMatch(named -> Arrays.equals(named, set));
  }

  /** The size of the narrowest set; 0 where only "any" is named. */
  int narrowest() {
    int narrowest = Integer.MAX_VALUE;
    for (long[] set : sets) {
      narrowest = Math.min(narrowest, Masks.count(set));
    }
    return sets.length == 0 ? 0 : narrowest;
  }
}
