package dev.berth.allocation;

import java.util.Arrays;

/**
 * Takes whole last-level caches, then the rest from the first one that it fits in (KEP-4800).
 *
 * <p>Order: NUMA node by NUMA node (fewest free CPUs first), there the cache with the fewest free
 * CPUs, then the lowest id. Part of a cache is taken core by core from the lowest id, cores that
 * are half in use included, and only where that gives exactly what is needed: for an odd number the
 * last thread is left. This rule prefers and never refuses.
 */
final class FirstFitCaches implements Rule {
  private final Layout layout;
  private final Order scan;
  private final long[] part;

  FirstFitCaches(Layout layout) {
    this.layout = layout;
    scan = new Order(layout.caches);
    part = new long[layout.words];
  }

  @Override
  public void take(Workspace work) {
    Order order = work.orderCaches();
    scan.copy(order);
    work.tellBegan("L3 caches, first fit", scan);
    for (int i = 0; i < scan.count() && !work.isSatisfied(); i++) {
      if (work.needed() >= layout.caches.average) {
        takeWholeCaches(work);
      }
      if (!work.isSatisfied()) {
        takePart(work, scan.at(i));
      }
    }
  }

  private void takeWholeCaches(Workspace work) {
    Order order = work.orderCaches();
    for (int i = 0; i < order.count(); i++) {
      int cache = order.at(i);
      if (work.needed() >= layout.caches.sizes[cache] && work.isFree(layout.caches, cache)) {
        work.takeWhole(layout.caches, cache);
      }
    }
  }

  private void takePart(Workspace work, int cache) {
    if (fillPart(work, cache) == work.needed()) {
      work.take(layout.caches, cache, part);
    } else {
      work.tellPassedOver(layout.caches, cache, "its cores do not give just what is needed");
    }
  }

  /** Collects the lowest cores that should do, and says how many CPUs they have. */
  private int fillPart(Workspace work, int cache) {
    int needed = work.needed();
    int perCore = layout.cores.average;
    int coresWanted = (needed + perCore - 1) / perCore;
    Arrays.fill(part, 0);
    int cpus = 0;
    int highest = -1;
    for (int core : layout.coresOfCache[cache]) {
      int inCore = layout.freeInCore(work.free, core);
      if (inCore == 0) {
        continue;
      }
      if (coresWanted-- == 0) {
        break;
      }
      cpus += inCore;
      for (int cpu : layout.threads(core)) {
        long bit = work.free[cpu >> 6] & 1L << cpu;
        part[cpu >> 6] |= bit;
        highest = bit != 0 ? Math.max(highest, cpu) : highest;
      }
    }
    if (needed % 2 != 0 && perCore > 1 && cpus > needed) {
      part[highest >> 6] &= ~(1L << highest);
      cpus--;
    }
    return cpus;
  }
}
