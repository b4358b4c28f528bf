package dev.berth.cli.watch;

import dev.berth.cli.watch.LoadMeter.Ticks;
import dev.berth.cpu.CpuSet;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;

/**
 * How busy CPUs were in the latest interval, in percent, and how much of it was their owner's;
 * nothing of those that were not measured.
 */
final class Load {
  static final Load NONE = new Load(new int[0], Map.of());

  private static final int UNKNOWN = -1;

  /** By the CPU's number. */
  private final int[] percent;

  /** How many CPUs an owner used, by its uid. */
  private final Map<String, Double> owners;

  private Load(int[] percent, Map<String, Double> owners) {
    this.percent = percent;
    this.owners = Map.copyOf(owners);
  }

  /** The same with what owners used, as so many CPUs. */
  Load with(Map<String, Double> used) {
    return new Load(percent, used);
  }

  /** The part of a pod's own CPUs that its own processes used; none where both are not measured. */
  OptionalInt ofOwner(String uid, CpuSet own) {
    Double used = owners.get(uid);
    OptionalInt busy = of(own);
    return used == null || busy.isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of(Math.clamp(Math.round(100 * used / own.size()), 0, busy.getAsInt()));
  }

  /** Of what was counted earlier and later; a CPU that was not there both times is unknown. */
  static Load between(Map<Integer, Ticks> before, Map<Integer, Ticks> after) {
    int[] percent = new int[after.keySet().stream().mapToInt(cpu -> cpu + 1).max().orElse(0)];
    Arrays.fill(percent, UNKNOWN);
    after.forEach((cpu, later) -> {
      Ticks earlier = before.getOrDefault(cpu, later);
      long all = later.all() - earlier.all();
      if (all > 0) {
        percent[cpu] = Math.clamp(100 * (later.busy() - earlier.busy()) / all, 0, 100);
      }
    });
    return new Load(percent, Map.of());
  }

  boolean isKnown() {
    return Arrays.stream(percent).anyMatch(value -> value != UNKNOWN);
  }

  OptionalInt of(int cpu) {
    return cpu < percent.length && percent[cpu] != UNKNOWN
        ? OptionalInt.of(percent[cpu])
        : OptionalInt.empty();
  }

  /** The average of some; none where none of them was measured. */
  OptionalInt of(CpuSet cpus) {
    int[] known = cpus.stream().mapToObj(this::of).flatMapToInt(OptionalInt::stream).toArray();
    return known.length == 0
        ? OptionalInt.empty()
        : OptionalInt.of((int) Math.round(Arrays.stream(known).average().orElse(0)));
  }
}
