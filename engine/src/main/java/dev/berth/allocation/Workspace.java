package dev.berth.allocation;

import dev.berth.cpu.CpuSet;
import java.util.ArrayList;
import java.util.List;

/**
 * One choice in progress: the CPUs that may still be taken, those taken, and how many are needed.
 *
 * <p>A CPU leaves {@link #free} the moment it is taken and only CPUs in it are ever taken, which is
 * why no rule can give away what is not available. Used again and again, so that choosing allocates
 * little more than its result; not safe for several threads.
 */
final class Workspace {
  final Layout layout;

  /** The CPUs that may be taken, as words; written only here. */
  final long[] free;

  private final long[] taken;
  private final Order outer;
  private final Order inner;
  private int needed;
  private Trace trace = Trace.OFF;

  Workspace(Layout layout) {
    this.layout = layout;
    free = new long[layout.words];
    taken = new long[layout.words];
    outer = new Order(layout.outer);
    inner = new Order(layout.inner);
  }

  void begin(CpuSet available, int count, Trace toldTo) {
    for (int word = 0; word < free.length; word++) {
      free[word] = available.word(word);
      taken[word] = 0;
    }
    needed = count;
    trace = toldTo;
  }

  int needed() {
    return needed;
  }

  boolean isSatisfied() {
    return needed == 0;
  }

  Trace trace() {
    return trace;
  }

  CpuSet result() {
    return CpuSet.ofWords(taken);
  }

  /** The outer places that have free CPUs; like every order here, overwritten by the next call. */
  Order orderOuter() {
    outer.clear();
    outer.addAll(free);
    return outer;
  }

  /** The inner places that have free CPUs, outer place by outer place. */
  Order orderInner() {
    orderOuter();
    inner.clear();
    for (int i = 0; i < outer.count(); i++) {
      int group = outer.at(i);
      inner.addWithin(free, layout.outer, group, layout.innerOfOuter[group]);
    }
    return inner;
  }

  Order orderNodes() {
    return layout.outer == layout.nodes ? orderOuter() : orderInner();
  }

  Order orderSockets() {
    return layout.outer == layout.sockets ? orderOuter() : orderInner();
  }

  /** Whether every CPU of the place may be taken. */
  boolean isFree(Places places, int place) {
    return places.free(free, place) == places.sizes[place];
  }

  /** Takes every CPU of a place that is free. */
  void takeWhole(Places places, int place) {
    if (!isFree(places, place)) {
      throw new IllegalStateException(
          places.level.noun() + " " + places.id(place) + " is not free");
    }
    takeLowest(places, place);
  }

  /** Takes the lowest free CPUs of a place until no more are needed. */
  void takeLowest(Places places, int place) {
    CpuSet before = trace.on() ? result() : CpuSet.EMPTY;
    for (int word = 0; word < free.length; word++) {
      long candidates = places.mask(place, word) & free[word];
      if (Long.bitCount(candidates) <= needed) {
        move(word, candidates);
        continue;
      }
      for (; needed > 0; candidates &= candidates - 1) {
        move(word, Long.lowestOneBit(candidates));
      }
    }
    tellTook(places, place, before);
  }

  /** Takes a core's free CPUs, lowest first, until no more are needed. */
  void takeThreads(int core) {
    CpuSet before = trace.on() ? result() : CpuSet.EMPTY;
    for (int at = layout.threadsFrom[core]; at < layout.threadsFrom[core + 1]; at++) {
      int cpu = layout.threads[at];
      if (needed > 0 && (free[cpu >> 6] >>> cpu & 1) != 0) {
        move(cpu >> 6, 1L << cpu);
      }
    }
    tellTook(layout.cores, core, before);
  }

  /** Takes the CPUs in {@code words} that are free; they must not be more than are needed. */
  void take(Places places, int place, long[] words) {
    CpuSet before = trace.on() ? result() : CpuSet.EMPTY;
    for (int word = 0; word < free.length; word++) {
      move(word, words[word] & free[word]);
    }
    tellTook(places, place, before);
  }

  private void move(int word, long bits) {
    free[word] &= ~bits;
    taken[word] |= bits;
    needed -= Long.bitCount(bits);
  }

  private void tellTook(Places places, int place, CpuSet before) {
    if (trace.on()) {
      CpuSet fresh = result().difference(before);
      // A place that spans several groups is listed in each, and used up at the second sight.
      if (!fresh.isEmpty()) {
        trace.add(new Step.Took(places.level, places.id(place), fresh, needed));
      }
    }
  }

  /** Writes down that a rule begins and what it is about to look at, if anybody asked. */
  void tellBegan(String rule, Order order) {
    if (trace.on()) {
      trace.add(new Step.Began(rule, needed));
      List<Step.Place> seen = new ArrayList<>();
      for (int i = 0; i < order.count(); i++) {
        seen.add(seen(order.places, order.at(i)));
      }
      trace.add(new Step.Looked(order.places.level, seen));
    }
  }

  /** Writes down that a place was passed over, if anybody asked. */
  void tellPassedOver(Places places, int place, String why) {
    if (trace.on()) {
      trace.add(new Step.PassedOver(places.level, seen(places, place), why));
    }
  }

  private Step.Place seen(Places places, int place) {
    return new Step.Place(places.id(place), places.free(free, place), places.sizes[place]);
  }
}
