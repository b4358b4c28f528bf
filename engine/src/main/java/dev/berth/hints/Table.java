package dev.berth.hints;

import java.util.List;

/**
 * An offer on a machine of few nodes as a table with one bit for each set of nodes.
 *
 * <p>Bit s stands for the set whose positions are the one-bits of s, so whole collections of sets
 * are intersected, united and counted 64 at a time.
 */
final class Table {
  /** Beyond this a table would be larger than 8 KiB and the search is faster anyway. */
  static final int MOST_NODES = 16;

  /** Entry k: the numbers below 64 that have k one-bits. */
  private static final long[] LAYERS = layers();

  /** Entry b: the numbers below 64 whose bit b is 0. */
  private static final long[] WITHOUT_BIT = {
    0x5555555555555555L,
    0x3333333333333333L,
    0x0f0f0f0f0f0f0f0fL,
    0x00ff00ff00ff00ffL,
    0x0000ffff0000ffffL,
    0x00000000ffffffffL
  };

  final int nodes;

  /** The sets on offer; "any" counts as the set of all nodes. */
  final long[] reach;

  /** The sets named as preferred; "any" is not among them. */
  final long[] preferred;

  /** Whether "any" is named as preferred. */
  final boolean prefersAny;

  /** The size of the narrowest named set, 0 where only "any" is named. */
  final int narrowest;

  private Table(int nodes, long[] reach, long[] preferred, boolean prefersAny, int narrowest) {
    this.nodes = nodes;
    this.reach = reach;
    this.preferred = preferred;
    this.prefersAny = prefersAny;
    this.narrowest = narrowest;
  }

  private static long[] layers() {
    long[] layers = new long[7];
    for (int number = 0; number < 64; number++) {
      layers[Integer.bitCount(number)] |= 1L << number;
    }
    return layers;
  }

  static long[] empty(int nodes) {
    return new long[words(nodes)];
  }

  /** How many words a table of so many nodes has. */
  static int words(int nodes) {
    return nodes <= 6 ? 1 : 1 << (nodes - 6);
  }

  static Table of(int nodes, Listed listed) {
    long[] reach = empty(nodes);
    long[] preferred = empty(nodes);
    // One word at a time, in variables: neighbours in a list mostly are in a table too.
    int word = 0;
    long reachOfWord = 0;
    long preferredOfWord = 0;
    for (int i = 0; i < listed.count(); i++) {
      int set = (int) listed.word(i);
      if (set >> 6 != word) {
        reach[word] |= reachOfWord;
        preferred[word] |= preferredOfWord;
        word = set >> 6;
        reachOfWord = 0;
        preferredOfWord = 0;
      }
      reachOfWord |= 1L << set;
      preferredOfWord |= listed.isPreferred(i) ? 1L << set : 0;
    }
    reach[word] |= reachOfWord;
    preferred[word] |= preferredOfWord;
    int narrowest = narrowest(reach, nodes);
    if (listed.hasAny()) {
      add(reach, (1 << nodes) - 1);
    }
    return new Table(nodes, reach, preferred, listed.prefersAny(), narrowest);
  }

  private static int narrowest(long[] sets, int nodes) {
    for (int size = 0; size <= nodes; size++) {
      for (int word = 0; word < sets.length; word++) {
        if ((sets[word] & layer(word, size)) != 0) {
          return size;
        }
      }
    }
    return 0;
  }

  static Table of(int nodes, Family family) {
    long[] reach = empty(nodes);
    long[][] sums = sums(nodes, family.cover().demands());
    int universe = (int) family.cover().universe()[0];
    for (int set = 1; set < 1 << nodes; set++) {
      if ((set & ~universe) == 0 && meetsAll(sums, set, family.cover().demands())) {
        add(reach, set);
      }
    }
    for (long[] named : family.moreMasks()) {
      add(reach, (int) named[0]);
    }
    Table table = new Table(nodes, reach, empty(nodes), false, narrowest(reach, nodes));
    table.prefer(family.preference());
    return table;
  }

  private void prefer(Preference preference) {
    long[] mask = new long[1];
    for (int word = 0; word < reach.length; word++) {
      for (long bits = reach[word]; bits != 0; bits &= bits - 1) {
        int set = (word << 6) + Long.numberOfTrailingZeros(bits);
        mask[0] = set;
        if (preference.prefers(mask)) {
          add(preferred, set);
        }
      }
    }
  }

  private static long[][] sums(int nodes, List<Demand> demands) {
    long[][] sums = new long[demands.size()][1 << nodes];
    for (int d = 0; d < sums.length; d++) {
      long[] weights = demands.get(d).weights;
      for (int set = 1; set < 1 << nodes; set++) {
        sums[d][set] = sums[d][set & (set - 1)] + weights[Integer.numberOfTrailingZeros(set)];
      }
    }
    return sums;
  }

  private static boolean meetsAll(long[][] sums, int set, List<Demand> demands) {
    for (int d = 0; d < sums.length; d++) {
      Demand demand = demands.get(d);
      long sum = sums[d][set];
      for (long[] group : demand.groups) {
        sum += (group[0] & set) != 0 ? 1 : 0;
      }
      if (sum < demand.threshold) {
        return false;
      }
    }
    return true;
  }

  private static void add(long[] sets, int set) {
    sets[set >> 6] |= 1L << set;
  }

  static boolean has(long[] sets, int set) {
    return (sets[set >> 6] & 1L << set) != 0;
  }

  /** Whether the set of all nodes is on offer, so that every set lies within one that is. */
  boolean reachesAll() {
    return has(reach, (1 << nodes) - 1);
  }

  /** Of the sets whose bits are in this word, those of {@code size} nodes. */
  static long layer(int word, int size) {
    int rest = size - Integer.bitCount(word);
    return rest < 0 || rest > 6 ? 0 : LAYERS[rest];
  }

  /** Adds to a collection of sets all of their subsets. */
  static void addSubsets(long[] sets, int nodes) {
    for (int bit = 0; bit < Math.min(nodes, 6); bit++) {
      for (int word = 0; word < sets.length; word++) {
        sets[word] |= sets[word] >>> (1 << bit) & WITHOUT_BIT[bit];
      }
    }
    for (int stride = 1; stride < sets.length; stride <<= 1) {
      for (int word = 0; word < sets.length; word++) {
        if ((word & stride) == 0) {
          sets[word] |= sets[word | stride];
        }
      }
    }
  }
}
