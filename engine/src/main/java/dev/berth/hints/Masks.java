package dev.berth.hints;

/**
 * Sets of node positions as words of 64 bits, all of one machine and so of one length.
 *
 * <p>Mutable and bare on purpose: the searches turn single bits on and off millions of times a
 * second. They never leave this package.
 */
final class Masks {
  private Masks() {}

  static long[] none(int positions) {
    return new long[(positions + 63) >> 6];
  }

  static long[] all(int positions) {
    long[] mask = none(positions);
    for (int position = 0; position < positions; position++) {
      add(mask, position);
    }
    return mask;
  }

  static boolean has(long[] mask, int position) {
    return (mask[position >> 6] & 1L << position) != 0;
  }

  static void add(long[] mask, int position) {
    mask[position >> 6] |= 1L << position;
  }

  static void remove(long[] mask, int position) {
    mask[position >> 6] &= ~(1L << position);
  }

  static boolean isEmpty(long[] mask) {
    for (long word : mask) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }

  static int count(long[] mask) {
    int count = 0;
    for (long word : mask) {
      count += Long.bitCount(word);
    }
    return count;
  }

  static boolean isSubset(long[] inner, long[] outer) {
    for (int i = 0; i < inner.length; i++) {
      if ((inner[i] & ~outer[i]) != 0) {
        return false;
      }
    }
    return true;
  }

  static boolean intersects(long[] one, long[] other) {
    for (int i = 0; i < one.length; i++) {
      if ((one[i] & other[i]) != 0) {
        return true;
      }
    }
    return false;
  }

  static long[] and(long[] one, long[] other) {
    long[] result = one.clone();
    for (int i = 0; i < result.length; i++) {
      result[i] &= other[i];
    }
    return result;
  }

  /** Whether the two share this position and no other one. */
  static boolean meetOnlyAt(long[] one, long[] other, int position) {
    for (int i = 0; i < one.length; i++) {
      long expected = i == position >> 6 ? 1L << position : 0;
      if ((one[i] & other[i]) != expected) {
        return false;
      }
    }
    return true;
  }

  /** Compares them as unsigned numbers. */
  static int compare(long[] one, long[] other) {
    for (int i = one.length - 1; i >= 0; i--) {
      if (one[i] != other[i]) {
        return Long.compareUnsigned(one[i], other[i]);
      }
    }
    return 0;
  }

  /** The positions in a new array, lowest first. */
  static int[] positions(long[] mask) {
    int[] positions = new int[count(mask)];
    int at = 0;
    for (int i = 0; i < mask.length; i++) {
      for (long word = mask[i]; word != 0; word &= word - 1) {
        positions[at++] = (i << 6) + Long.numberOfTrailingZeros(word);
      }
    }
    return positions;
  }
}
