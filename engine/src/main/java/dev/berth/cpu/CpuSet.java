package dev.berth.cpu;

import java.util.Arrays;

/**
 * An immutable set of logical CPUs, by the kernel's numbers.
 *
 * <p>Ties anywhere in Berth break on the lowest CPU, which is the first one of a set. Safe for use
 * by any number of threads.
 */
public final class CpuSet extends IdSet<CpuSet> {
  /** The set without a CPU. */
  public static final CpuSet EMPTY = new CpuSet(new long[0]);

  private CpuSet(long[] words) {
    super(words);
  }

  /** The set of the given CPUs, in any order. */
  public static CpuSet of(int... cpus) {
    return cpus.length == 0 ? EMPTY : new CpuSet(wordsOf("CPU", cpus));
  }

  /**
   * The CPUs from {@code first} to {@code last}, both included; empty where they are in the wrong
   * order.
   */
  public static CpuSet range(int first, int last) {
    return EMPTY.make(wordsOfRange("CPU", first, last));
  }

  /**
   * Reads Linux list syntax: {@code 0-3,8}, and {@code 0-31:2/8} for the first 2 of every 8.
   *
   * @throws InvalidInputException naming the column where something else was expected
   */
  public static CpuSet parse(String list) {
    return EMPTY.make(ListSyntax.parse("cpuset", list));
  }

  /**
   * The set whose bits these words are, word 0 holding CPUs 0 to 63.
   *
   * @param words copied, so the caller may go on using them
   */
  public static CpuSet ofWords(long[] words) {
    if (words.length > ID_LIMIT >> 6) {
      throw new InvalidInputException(
          "cpuset: expected at most " + (ID_LIMIT >> 6) + " words, found " + words.length);
    }
    int length = words.length;
    while (length > 0 && words[length - 1] == 0) {
      length--;
    }
    return EMPTY.make(Arrays.copyOf(words, length));
  }

  @Override
  CpuSet make(long[] trimmedWords) {
    return trimmedWords.length == 0 ? EMPTY : new CpuSet(trimmedWords);
  }

  @Override
  CpuSet self() {
    return this;
  }
}
