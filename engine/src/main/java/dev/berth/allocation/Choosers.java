package dev.berth.allocation;

import dev.berth.topology.Machine;

/**
 * Makes the chooser that a machine and the options ask for.
 *
 * <p>Immutable and safe for several threads; every chooser it makes has its own working space.
 */
public final class Choosers {
  private final Layout layout;
  private final StaticOptions options;

  /** Prepares a machine for choosing by these options. */
  public Choosers(Machine machine, StaticOptions options) {
    this.layout = Layout.of(machine);
    this.options = options;
  }

  /** A new chooser. */
  public Chooser make() {
    Chooser packed = packed();
    if (!options.has(StaticOption.DISTRIBUTE_ACROSS_NUMA)) {
      return packed;
    }
    int group = options.has(StaticOption.FULL_PCPUS_ONLY) ? layout.cores.average : 1;
    return new DistributedChooser(layout, packed, group);
  }

  private Chooser packed() {
    if (options.has(StaticOption.DISTRIBUTE_ACROSS_CORES)) {
      return PackedChooser.acrossCores(layout);
    }
    if (options.cacheBestFit()) {
      return PackedChooser.withCaches(
          layout, new BestFitCache(caches(), options.has(StaticOption.FULL_PCPUS_ONLY)));
    }
    if (options.has(StaticOption.PREFER_ALIGN_BY_CACHE)
        || (options.has(StaticOption.STRICT_ALIGN_BY_CACHE) && caches().split)) {
      return PackedChooser.withCaches(layout, new FirstFitCaches(layout));
    }
    return PackedChooser.plain(layout);
  }

  private CacheLayout caches() {
    return CacheLayout.of(layout.machine);
  }
}
