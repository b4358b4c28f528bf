package dev.berth.hints;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is left once each offer has chosen one of its named sets, or has left the choice to its
 * cover: every pair of nodes and covers once, in the order in which it was added.
 *
 * <p>Masks lie in one array and are found by hashing their words: a walk adds hundreds of thousands
 * of them, most of which are there already.
 */
final class Choices {
  /** Each costs a search at least; lists on ordinary machines leave a few. */
  static final int MOST = 4096;

  /** The covers that still have to choose a member, each list of them once. */
  static final class Pending {
    private final List<List<Cover>> lists = new ArrayList<>(List.of(List.of()));

    List<Cover> of(int id) {
      return lists.get(id);
    }

    private int with(int id, Cover cover) {
      List<Cover> longer = new ArrayList<>(lists.get(id));
      longer.add(cover);
      lists.add(List.copyOf(longer));
      return lists.size() - 1;
    }
  }

  private static final int[] NO_SLOTS = {};

  private final int wordsEach;
  private final Pending pending;
  private long[] words;
  private int[] covers;

  /** By hash, the number of a choice from 1, or 0. */
  private int[] slots = NO_SLOTS;

  private int count;

  private Choices(long[] words, int[] covers, int wordsEach, Pending pending) {
    this.words = words;
    this.covers = covers;
    this.wordsEach = wordsEach;
    this.pending = pending;
  }

  /** All nodes, and no cover yet. */
  static Choices ofAll(int nodes) {
    long[] all = Masks.all(nodes);
    Choices choices = new Choices(all, new int[1], all.length, new Pending());
    choices.count = 1;
    return choices;
  }

  private Choices empty() {
    Choices empty = new Choices(new long[4 * wordsEach], new int[4], wordsEach, pending);
    empty.slots = new int[16];
    return empty;
  }

  int count() {
    return count;
  }

  long[] left(int index) {
    return Arrays.copyOfRange(words, index * wordsEach, (index + 1) * wordsEach);
  }

  int sizeLeft(int index) {
    int size = 0;
    for (int word = index * wordsEach; word < (index + 1) * wordsEach; word++) {
      size += Long.bitCount(words[word]);
    }
    return size;
  }

  /** Whether no cover has to choose any more. */
  boolean isOfLists(int index) {
    return covers[index] == 0;
  }

  List<Cover> covers(int index) {
    return pending.of(covers[index]);
  }

  /**
   * The choices that there are once one more offer has chosen.
   *
   * @param named the sets that it names
   * @param any whether it may leave all nodes
   * @param cover its cover; none at all where it has none
   * @param most how many meetings of a choice and a set may be looked at; each choice that is
   *     looked at meets all sets
   * @return them, and whether they are all
   */
  Walked walk(long[][] named, boolean any, List<Cover> cover, long most) {
    if (named.length == 0 && !any) {
      cover.forEach(this::leaveTo);
      return cover.isEmpty() ? new Walked(empty(), true) : new Walked(this, true);
    }
    Choices after = empty();
    Map<Integer, Integer> longer = cover.isEmpty() ? Map.of() : new HashMap<>();
    long looked = 0;
    for (int index = 0; index < count; index++) {
      if (looked > most) {
        return new Walked(after, false);
      }
      long[] left = left(index);
      if (any) {
        after.add(left, covers[index]);
      }
      for (Cover one : cover) {
        after.add(left, longer.computeIfAbsent(covers[index], before -> pending.with(before, one)));
      }
      for (long[] set : named) {
        after.addMeeting(left, set, covers[index]);
        if (after.count >= MOST) {
          return new Walked(after, false);
        }
      }
      looked += named.length + 1;
    }
    return new Walked(after, true);
  }

  /** The usual case: nothing to walk, each choice is left to one cover more. */
  private void leaveTo(Cover cover) {
    int last = -1;
    int longer = 0;
    for (int index = 0; index < count; index++) {
      if (covers[index] != last) {
        last = covers[index];
        longer = pending.with(last, cover);
      }
      covers[index] = longer;
    }
  }

  /**
   * What came of a walk.
   *
   * @param choices those found
   * @param complete whether there are no others
   */
  record Walked(Choices choices, boolean complete) {}

  private void addMeeting(long[] left, long[] set, int id) {
    if (wordsEach > 1) {
      if (Masks.intersects(left, set)) {
        add(Masks.and(left, set), id);
      }
      return;
    }
    long both = left[0] & set[0];
    if (both == 0) {
      return;
    }
    int slot = slot(both, id);
    while (slots[slot] != 0) {
      int there = slots[slot] - 1;
      if (words[there] == both && covers[there] == id) {
        return;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    int at = append(slot, id);
    words[at] = both;
    spreadIfCrowded();
  }

  private void add(long[] mask, int id) {
    int slot = slot(hash(mask, 0), id);
    while (slots[slot] != 0) {
      int there = slots[slot] - 1;
      int from = there * wordsEach;
      if (covers[there] == id && Arrays.equals(words, from, from + wordsEach, mask, 0, wordsEach)) {
        return;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    int at = append(slot, id);
    System.arraycopy(mask, 0, words, at * wordsEach, wordsEach);
    spreadIfCrowded();
  }

  private long hash(long[] mask, int from) {
    long hash = 0;
    for (int word = from; word < from + wordsEach; word++) {
      hash = 31 * hash + mask[word];
    }
    return hash;
  }

  private int slot(long hash, int id) {
    long mixed = (hash + id) * 0x9e3779b97f4a7c15L;
    return (int) (mixed >>> 40) & (slots.length - 1);
  }

  /** Takes the slot for one more choice, and tells its index. */
  private int append(int slot, int id) {
    if (count == covers.length) {
      covers = Arrays.copyOf(covers, 2 * count);
      words = Arrays.copyOf(words, 2 * count * wordsEach);
    }
    covers[count] = id;
    slots[slot] = ++count;
    return count - 1;
  }

  /** Gives the choices four times as many slots where they take half of them. */
  private void spreadIfCrowded() {
    if (2 * count < slots.length) {
      return;
    }
    slots = new int[4 * slots.length];
    for (int index = 0; index < count; index++) {
      int slot = slot(hash(words, index * wordsEach), covers[index]);
      while (slots[slot] != 0) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = index + 1;
    }
  }
}
