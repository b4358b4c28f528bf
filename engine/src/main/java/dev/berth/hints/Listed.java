package dev.berth.hints;

import java.util.Arrays;
import java.util.List;

/**
 * An offer that names every hint, one by one.
 *
 * <p>The list is kept as it was given, as masks and flags in arrays. A merge reads these from their
 * beginning to their end, where hints would have it follow four pointers each. What a merge makes
 * of them is no part of the offer.
 */
public final class Listed implements Offer {
  /** From so many hints on, their table is smaller than the list. */
  private static final int TABLE_FROM = 64;

  private final Nodes nodes;

  /** The masks, each of as many words as a mask of these nodes has. */
  private final long[] words;

  private final int wordsEach;

  /** One a mask. */
  private final boolean[] preferred;

  private final boolean any;
  private final boolean anyPreferred;

  Listed(Nodes nodes, List<Hint> hints) {
    this.nodes = nodes;
    wordsEach = Masks.none(nodes.size()).length;
    long[] masks = new long[hints.size() * wordsEach];
    boolean[] flags = new boolean[hints.size()];
    int count = 0;
    boolean anySeen = false;
    boolean anySeenPreferred = false;
    for (Hint hint : hints) {
      if (hint.affinity() instanceof Affinity.To to) {
        nodes.writeMask("hint", to.nodes(), masks, count * wordsEach);
        flags[count++] = hint.preferred();
      } else {
        anySeen = true;
        anySeenPreferred |= hint.preferred();
      }
    }
    any = anySeen;
    anyPreferred = anySeenPreferred;
    words = count == hints.size() ? masks : Arrays.copyOf(masks, count * wordsEach);
    preferred = count == hints.size() ? flags : Arrays.copyOf(flags, count);
  }

  @Override
  public boolean isFor(Nodes others) {
    return nodes.all().equals(others.all());
  }

  /** Whether a table of it is quicker to make and to use than a search is. */
  boolean isWorthATable() {
    return nodes.size() <= 8
        || (preferred.length >= TABLE_FROM && nodes.size() <= Table.MOST_NODES);
  }

  /** How many sets are named, one a hint that is not about any node. */
  int count() {
    return preferred.length;
  }

  /** One of them, in a new array. */
  long[] set(int index) {
    return Arrays.copyOfRange(words, index * wordsEach, (index + 1) * wordsEach);
  }

  /** All of them, in new arrays. */
  long[][] sets() {
    long[][] sets = new long[preferred.length][];
    for (int index = 0; index < sets.length; index++) {
      sets[index] = set(index);
    }
    return sets;
  }

  /** One of them, on a machine of at most 64 nodes. */
  long word(int index) {
    return words[index];
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

  /** Whether exactly this set is named and preferred. */
  boolean prefers(long[] set) {
    for (int index = 0; index < preferred.length; index++) {
      if (preferred[index] && isAt(index, set)) {
        return true;
      }
    }
    return false;
  }

  /** Whether exactly this set is named. */
  boolean contains(long[] set) {
    for (int index = 0; index < preferred.length; index++) {
      if (isAt(index, set)) {
        return true;
      }
    }
    return false;
  }

  private boolean isAt(int index, long[] set) {
    int from = index * wordsEach;
    return Arrays.equals(words, from, from + wordsEach, set, 0, wordsEach);
  }

  /** The size of the narrowest set; 0 where only "any" is named. */
  int narrowest() {
    int narrowest = Integer.MAX_VALUE;
    for (int index = 0; index < preferred.length; index++) {
      int size = 0;
      for (int word = index * wordsEach; word < (index + 1) * wordsEach; word++) {
        size += Long.bitCount(words[word]);
      }
      narrowest = Math.min(narrowest, size);
    }
    return preferred.length == 0 ? 0 : narrowest;
  }
}
