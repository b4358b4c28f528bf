package dev.berth.allocation;

import java.util.Arrays;

/**
 * Places of one kind in the order in which a rule looks at them: fewest free CPUs first, then
 * lowest id, group by group. Filled anew for every look; the order then stands while places are
 * taken from.
 */
final class Order {
  /** Up to here an insertion sort beats the JDK's, which has to look for runs first. */
  private static final int SMALL = 24;

  final Places places;
  private int[] listed;
  private int count;
  private long[] keys;

  Order(Places places) {
    this.places = places;
    listed = new int[places.count];
    keys = new long[places.count];
  }

  void clear() {
    count = 0;
  }

  int count() {
    return count;
  }

  /** The place at a position of this order. */
  int at(int position) {
    return listed[position];
  }

  /** Appends all places that have a free CPU. */
  void addAll(long[] free) {
    int found = 0;
    for (int place = 0; place < places.count; place++) {
      found = key(free, place, found);
    }
    append(found);
  }

  /** Appends those of {@code candidates} that have a free CPU. */
  void add(long[] free, int[] candidates) {
    int found = 0;
    for (int place : candidates) {
      found = key(free, place, found);
    }
    append(found);
  }

  /** Appends those of {@code candidates} that have a free CPU within {@code group}. */
  void addWithin(long[] free, Places groups, int group, int[] candidates) {
    int found = 0;
    for (int place : candidates) {
      if (places.meets(free, place, groups, group)) {
        found = key(free, place, found);
      }
    }
    append(found);
  }

  private int key(long[] free, int place, int found) {
    int freeCpus = places.free(free, place);
    if (freeCpus == 0) {
      return found;
    }
    keys[found] = (long) freeCpus << 32 | place;
    return found + 1;
  }

  private void append(int found) {
    sort(found);
    reserve(count + found);
    for (int i = 0; i < found; i++) {
      listed[count++] = (int) keys[i];
    }
  }

  /** A place that spans several groups, such as a cache wider than a node, is listed in each. */
  private void reserve(int wanted) {
    if (wanted > listed.length) {
      listed = Arrays.copyOf(listed, wanted * 2);
    }
  }

  private void sort(int found) {
    if (found > SMALL) {
      Arrays.sort(keys, 0, found);
      return;
    }
    for (int i = 1; i < found; i++) {
      long key = keys[i];
      int j = i - 1;
      while (j >= 0 && keys[j] > key) {
        keys[j + 1] = keys[j--];
      }
      keys[j + 1] = key;
    }
  }
}
