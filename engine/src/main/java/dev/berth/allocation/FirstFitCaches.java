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
  private final CacheLayout caches;
  private final Order order;
  private final Order scan;
  private final long[] part;

  FirstFitCaches(Layout layout) {
    this.layout = layout;
    caches = CacheLayout.of(layout.machine);
    order = new Order(caches.places);
    scan = new Order(caches.places);
    part = new long[layout.words];
  }

  @Override
  public void take(Workspace work) {
    caches.list(work, scan);
    work.tellBegan("L3 caches, first fit", scan);
    for (int i = 0; i < scan.count() && !work.isSatisfied(); i++) {
      if (work.needed() >= caches.places.average) {
        takeWholeCaches(work);
      }
      if (!work.isSatisfied()) {
        takePart(work, scan.at(i));
      }
    }
  }

  private void takeWholeCaches(Workspace work) {
    caches.list(work, order);
    for (int i = 0; i < order.count(); i++) {
      int cache = order.at(i);
      if (work.needed() >= caches.places.sizes[cache] && work.isFree(caches.places, cache)) {
        work.takeWhole(caches.places, cache);
      }
    }
  }

  private void takePart(Workspace work, int cache) {
    if (fillPart(work, cache) == work.needed()) {
      work.take(caches.places, cache, part);
    } else {
      work.tellPassedOver(caches.places, cache, "its cores do not give just what is needed");
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
    for (int core : caches.cores[cache]) {
      int inCore = layout.freeInCore(work.free, core);
      if (inCore == 0) {
        continue;
      }
      if (coresWanted-- == 0) {
        break;
      }
      cpus += inCore;
      for (int at = layout.threadsFrom[core]; at < layout.threadsFrom[core + 1]; at++) {
        int cpu = layout.threads[at];
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
