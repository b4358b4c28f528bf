package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import dev.berth.workload.CpuWish;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntBiFunction;
import java.util.stream.Collectors;

/** What all who live here wish of CPUs of their own, and who sees to it. On the loop only. */
final class Wishes {
  private final SortedMap<CpuWish, Fulfilment> fulfilments;

  Wishes(Map<CpuWish, Fulfilment> fulfilments) {
    this.fulfilments = new TreeMap<>(fulfilments);
  }

  /** From now on everybody has what they wish, and nobody else. */
  void keep(Seating seating, Collection<? extends Resident> residents) {
    var _ =
        each(
            seating,
            residents,
            (fulfilment, cpus) -> {
              fulfilment.keep(cpus);
              return 0;
            });
  }

  /**
   * The same, but looks at everything and repairs what others changed.
   *
   * @return how much that was
   */
  int check(Seating seating, Collection<? extends Resident> residents) {
    return each(seating, residents, Fulfilment::check);
  }

  private int each(
      Seating seating,
      Collection<? extends Resident> residents,
      ToIntBiFunction<Fulfilment, CpuSet> deed) {
    int sum = 0;
    for (Map.Entry<CpuWish, Fulfilment> one : fulfilments.entrySet()) {
      sum += deed.applyAsInt(one.getValue(), seating.wished(one.getKey(), residents));
    }
    return sum;
  }

  /** Whether CPUs are as those wish who have them to themselves. */
  boolean hold(CpuWish wish, CpuSet cpus) {
    Fulfilment fulfilment = fulfilments.get(wish);
    return fulfilment != null && fulfilment.holds(cpus);
  }

  /** What those should know who count on it; empty where they can. */
  String caution() {
    return fulfilments.values().stream()
        .map(Fulfilment::caution)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("; "));
  }
}
