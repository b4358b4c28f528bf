package dev.berth.allocation;

/**
 * Takes everything from the one last-level cache that it fills best (KEP-2621).
 *
 * <p>For requests above one core, on machines where a socket has several such caches: of those with
 * enough free CPUs the one with the fewest, then the lowest id; there whole cores by id first, then
 * single CPUs from the fullest cores. Where none has enough, it takes nothing and packing goes on.
 */
final class BestFitCache implements Rule {
  private final CacheLayout caches;
  private final boolean wholeCores;

  /**
   * A rule for requests of CPUs or of whole cores.
   *
   * @param caches those of the machine
   * @param wholeCores whether only cores that are wholly free count as free
   */
  BestFitCache(CacheLayout caches, boolean wholeCores) {
    this.caches = caches;
    this.wholeCores = wholeCores;
  }

  @Override
  public void take(Workspace work) {
    Layout layout = work.layout;
    if (!caches.split || work.needed() <= layout.cores.average) {
      return;
    }
    int best = -1;
    int least = Integer.MAX_VALUE;
    if (work.trace().on()) {
      Order order = new Order(caches.places);
      caches.list(work, order);
      work.tellBegan("L3 caches, best fit", order);
    }
    for (int cache = 0; cache < caches.places.count; cache++) {
      int free = free(work, cache);
      if (free >= work.needed() && free < least) {
        least = free;
        best = cache;
      }
    }
    if (best >= 0) {
      takeWithin(work, caches.cores[best]);
    } else if (work.trace().on()) {
      work.trace().add(new Step.Noted("no L3 cache has " + work.needed() + " CPUs free"));
    }
  }

  private int free(Workspace work, int cache) {
    Layout layout = work.layout;
    if (!wholeCores) {
      return caches.places.free(work.free, cache);
    }
    int free = 0;
    for (int core : caches.cores[cache]) {
      int size = layout.cores.sizes[core];
      free += layout.freeInCore(work.free, core) == size ? size : 0;
    }
    return free;
  }

  private static void takeWithin(Workspace work, int[] cores) {
    Layout layout = work.layout;
    for (int core : cores) {
      int size = layout.cores.sizes[core];
      if (size <= work.needed() && layout.freeInCore(work.free, core) == size) {
        work.takeThreads(core);
      }
    }
    for (int threads = 1; threads <= layout.cores.largest; threads++) {
      for (int core : cores) {
        if (!work.isSatisfied() && layout.freeInCore(work.free, core) == threads) {
          work.takeThreads(core);
        }
      }
    }
  }
}
