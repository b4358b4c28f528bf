package dev.berth.cpu;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * An immutable set of small numbers, indexed by the number that the kernel uses.
 *
 * <p>What {@link CpuSet} and {@link NodeSet} have in common: one bit an id, in words of 64, no
 * trailing zero words. Operations that would return an equal set return an operand, so an unchanged
 * pool costs nothing.
 *
 * @param <S> the set's own type, so that sets of CPUs and of NUMA nodes cannot be mixed
 */
public abstract sealed class IdSet<S extends IdSet<S>> permits CpuSet, NodeSet {
  /**
   * One more than the highest id: far beyond any kernel's {@code NR_CPUS}, and a bound on hostile
   * input.
   */
  public static final int ID_LIMIT = 1 << 20;

  final long[] words;

  IdSet(long[] words) {
    this.words = words;
  }

  abstract S make(long[] trimmedWords);

  abstract S self();

  static long[] trim(long[] words) {
    int length = words.length;
    while (length > 0 && words[length - 1] == 0) {
      length--;
    }
    return length == words.length ? words : Arrays.copyOf(words, length);
  }

  static long[] wordsOf(String noun, int[] ids) {
    int highest = -1;
    for (int id : ids) {
      check(noun, id);
      highest = Math.max(highest, id);
    }
    long[] words = new long[(highest >> 6) + 1];
    for (int id : ids) {
      words[id >> 6] |= 1L << id;
    }
    return words;
  }

  static long[] wordsOfRange(String noun, int first, int last) {
    check(noun, first);
    check(noun, last);
    if (first > last) {
      return new long[0];
    }
    long[] words = new long[(last >> 6) + 1];
    Arrays.fill(words, first >> 6, words.length, -1L);
    words[first >> 6] &= -1L << first;
    words[last >> 6] &= -1L >>> (63 - (last & 63));
    return words;
  }

  static void check(String noun, int id) {
    if (id < 0 || id >= ID_LIMIT) {
      throw new InvalidInputException(
          noun + " id: expected 0 to " + (ID_LIMIT - 1) + ", found " + id);
    }
  }

  /** How many ids are in the set. */
  public final int size() {
    int size = 0;
    for (long word : words) {
      size += Long.bitCount(word);
    }
    return size;
  }

  /** Whether the set has no id. */
  public final boolean isEmpty() {
    return words.length == 0;
  }

  /** Whether {@code id} is in the set; any number may be asked for. */
  public final boolean contains(int id) {
    return id >= 0 && id >> 6 < words.length && (words[id >> 6] & 1L << id) != 0;
  }

  /** The lowest id, or -1 in an empty set. */
  public final int first() {
    return next(0);
  }

  /** The highest id, or -1 in an empty set. */
  public final int last() {
    return words.length == 0
        ? -1
        : (words.length << 6) - 1 - Long.numberOfLeadingZeros(words[words.length - 1]);
  }

  /** The lowest id that is at least {@code from}, or -1 where there is none. */
  public final int next(int from) {
    int index = Math.max(from, 0) >> 6;
    if (index >= words.length) {
      return -1;
    }
    long word = words[index] & (-1L << Math.max(from, 0));
    while (word == 0) {
      if (++index == words.length) {
        return -1;
      }
      word = words[index];
    }
    return (index << 6) + Long.numberOfTrailingZeros(word);
  }

  /** The ids of both sets. */
  public final S union(S other) {
    long[] a = words;
    long[] b = other.words;
    if (containsAll(a, b)) {
      return self();
    }
    if (containsAll(b, a)) {
      return other;
    }
    long[] longer = a.length >= b.length ? a : b;
    long[] shorter = a.length >= b.length ? b : a;
    long[] result = longer.clone();
    for (int i = 0; i < shorter.length; i++) {
      result[i] |= shorter[i];
    }
    return make(result);
  }

  /** The ids that are in both sets. */
  public final S intersection(S other) {
    long[] a = words;
    long[] b = other.words;
    if (containsAll(b, a)) {
      return self();
    }
    if (containsAll(a, b)) {
      return other;
    }
    long[] result = new long[Math.min(a.length, b.length)];
    for (int i = 0; i < result.length; i++) {
      result[i] = a[i] & b[i];
    }
    return make(trim(result));
  }

  /** The ids of this set that are not in {@code other}. */
  public final S difference(S other) {
    if (!intersects(other)) {
      return self();
    }
    long[] result = words.clone();
    for (int i = 0; i < Math.min(result.length, other.words.length); i++) {
      result[i] &= ~other.words[i];
    }
    return make(trim(result));
  }

  /** Whether the sets share an id. */
  public final boolean intersects(S other) {
    for (int i = 0; i < Math.min(words.length, other.words.length); i++) {
      if ((words[i] & other.words[i]) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether every id of this set is in {@code other}. */
  public final boolean isSubsetOf(S other) {
    return containsAll(other.words, words);
  }

  private static boolean containsAll(long[] outer, long[] inner) {
    if (inner.length > outer.length) {
      return false;
    }
    for (int i = 0; i < inner.length; i++) {
      if ((inner[i] & ~outer[i]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** How many ids the sets share; nothing is allocated. */
  public final int sharedWith(S other) {
    int shared = 0;
    for (int i = 0; i < Math.min(words.length, other.words.length); i++) {
      shared += Long.bitCount(words[i] & other.words[i]);
    }
    return shared;
  }

  /** Calls {@code action} with each id, lowest first. */
  public final void forEach(IntConsumer action) {
    for (int i = 0; i < words.length; i++) {
      for (long word = words[i]; word != 0; word &= word - 1) {
        action.accept((i << 6) + Long.numberOfTrailingZeros(word));
      }
    }
  }

  /** The ids, lowest first. */
  public final IntStream stream() {
    return Arrays.stream(toArray());
  }

  /** The ids in a new array, lowest first. */
  public final int[] toArray() {
    int[] ids = new int[size()];
    int at = 0;
    for (int i = 0; i < words.length; i++) {
      for (long word = words[i]; word != 0; word &= word - 1) {
        ids[at++] = (i << 6) + Long.numberOfTrailingZeros(word);
      }
    }
    return ids;
  }

  /** How many words of 64 bits the set has; the last one is not zero. */
  public final int wordCount() {
    return words.length;
  }

  /** The word of the ids {@code 64 * index} to {@code 64 * index + 63}; 0 beyond the last one. */
  public final long word(int index) {
    return index < words.length ? words[index] : 0;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof IdSet<?> set
        && getClass() == set.getClass()
        && Arrays.equals(words, set.words);
  }

  @Override
  public final int hashCode() {
    return Arrays.hashCode(words);
  }

  /** The set in Linux list syntax, for example {@code 0-3,8}; empty text for an empty set. */
  @Override
  public final String toString() {
    return ListSyntax.format(words);
  }
}
