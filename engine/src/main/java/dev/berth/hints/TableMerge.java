package dev.berth.hints;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The merge over tables: exact on any offers, for machines of up to {@link Table#MOST_NODES} nodes.
 *
 * <p>Two facts make it short. A preferred result exists only where all parts are equal, so the
 * preferred results are the intersection of the tables. And where there is none, the flags no
 * longer matter: what remains is which sets are intersections of one set from each table. A set on
 * one table that lies within a set of every other table is one at once. The others, which few
 * inputs have, come from counting: the number of ways in which two tables meet in at least a set is
 * a product, and inclusion and exclusion turn "at least" into "exactly".
 */
final class TableMerge {
  private final Nodes nodes;
  private final TieBreak tieBreak;
  private final Table[] tables;
  private final boolean impossible;
  private final int words;

  TableMerge(Nodes nodes, TieBreak tieBreak, Table[] tables, boolean impossible) {
    this.nodes = nodes;
    this.tieBreak = tieBreak;
    this.tables = tables;
    this.impossible = impossible;
    words = Table.words(nodes.size());
  }

  /** The best preferred set, or 0. */
  int preferred() {
    if (impossible || !hasPreferred()) {
      return 0;
    }
    for (int size = 1; size <= nodes.size(); size++) {
      int best = best(null, size);
      if (best != 0) {
        return best;
      }
    }
    return 0;
  }

  private boolean hasPreferred() {
    for (int word = 0; word < words; word++) {
      if (preferredWord(word) != 0) {
        return true;
      }
    }
    return false;
  }

  private long preferredWord(int word) {
    long common = -1;
    long either = 0;
    boolean strict = false;
    for (Table table : tables) {
      either |= table.preferred[word];
      if (!table.prefersAny) {
        common &= table.preferred[word];
        strict = true;
      }
    }
    int all = (1 << nodes.size()) - 1;
    return strict ? common : either | (word == all >> 6 ? 1L << all : 0);
  }

  /** The best set that is not preferred; all nodes where nothing meets. */
  int reachable() {
    int all = (1 << nodes.size()) - 1;
    if (tables.length == 0) {
      return all;
    }
    int target = 0;
    for (Table table : tables) {
      target = Math.max(target, table.narrowest);
    }
    long[] certain = union();
    long[] candidates = tables.length == 1 ? certain : withinAll();
    for (int place = 0; place < nodes.size(); place++) {
      int size = Best.sizeAt(place, target, nodes.size());
      int best = best(candidates, size);
      if (best != 0 && !isCertain(best, certain, candidates, size)) {
        candidates = meets();
        certain = candidates;
        best = best(candidates, size);
      }
      if (best != 0) {
        return best;
      }
    }
    return all;
  }

  /** Whether the best candidate is an intersection for sure, and no other one could be closer. */
  private boolean isCertain(int best, long[] certain, long[] candidates, int size) {
    if (tieBreak == TieBreak.LOWEST) {
      return Table.has(certain, best);
    }
    for (int word = 0; word < words; word++) {
      if ((candidates[word] & ~certain[word] & layer(word, size)) != 0) {
        return false;
      }
    }
    return true;
  }

  private long[] union() {
    long[] union = new long[words];
    for (Table table : tables) {
      for (int word = 0; word < words; word++) {
        union[word] |= table.reach[word];
      }
    }
    return union;
  }

  /** The sets that lie within some set of every table. */
  private long[] withinAll() {
    long[] all = new long[words];
    Arrays.fill(all, -1);
    for (Table table : tables) {
      if (!table.reachesAll()) {
        long[] subsets = table.reach.clone();
        Table.addSubsets(subsets, nodes.size());
        for (int word = 0; word < words; word++) {
          all[word] &= subsets[word];
        }
      }
    }
    return all;
  }

  /**
   * The best set of one size among {@code sets}, or among the preferred ones where that is null; or
   * 0.
   */
  private int best(long @Nullable [] sets, int size) {
    int best = 0;
    long bestSpread = Long.MAX_VALUE;
    for (int word = 0; word < words; word++) {
      long layer = layer(word, size);
      long bits = layer == 0 ? 0 : layer & (sets == null ? preferredWord(word) : sets[word]);
      if (bits != 0 && tieBreak == TieBreak.LOWEST) {
        return (word << 6) + Long.numberOfTrailingZeros(bits);
      }
      for (; bits != 0; bits &= bits - 1) {
        int set = (word << 6) + Long.numberOfTrailingZeros(bits);
        long spread = nodes.spread(new long[] {set});
        if (spread < bestSpread) {
          bestSpread = spread;
          best = set;
        }
      }
    }
    return best;
  }

  private long layer(int word, int size) {
    long layer = Table.layer(word, size);
    return nodes.size() >= 6 ? layer : layer & (1L << (1 << nodes.size())) - 1;
  }

  /** Exactly the sets that are an intersection of one set from each table. */
  private long[] meets() {
    long[] result = tables[0].reach;
    for (int i = 1; i < tables.length; i++) {
      result = meets(result, tables[i].reach);
    }
    return result;
  }

  private long[] meets(long[] some, long[] others) {
    long[] ways = supersets(some);
    long[] otherWays = supersets(others);
    for (int set = 0; set < ways.length; set++) {
      ways[set] *= otherWays[set];
    }
    for (int bit = 1; bit < ways.length; bit <<= 1) {
      for (int set = 0; set < ways.length; set++) {
        ways[set] -= (set & bit) == 0 ? ways[set | bit] : 0;
      }
    }
    long[] result = new long[words];
    for (int set = 0; set < ways.length; set++) {
      result[set >> 6] |= ways[set] > 0 ? 1L << set : 0;
    }
    return result;
  }

  /** For each set, how many of these contain it; at most 2^16, so that products fit a long. */
  private long[] supersets(long[] sets) {
    long[] counts = new long[1 << nodes.size()];
    for (int set = 0; set < counts.length; set++) {
      counts[set] = Table.has(sets, set) ? 1 : 0;
    }
    for (int bit = 1; bit < counts.length; bit <<= 1) {
      for (int set = 0; set < counts.length; set++) {
        counts[set] += (set & bit) == 0 ? counts[set | bit] : 0;
      }
    }
    return counts;
  }
}
