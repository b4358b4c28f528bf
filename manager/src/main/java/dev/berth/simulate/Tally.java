package dev.berth.simulate;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Node;
import dev.berth.simulate.Figures.Aligned;
import dev.berth.story.Alignment;
import dev.berth.story.Boundary;
import dev.berth.story.Step;
import dev.berth.topology.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts while a simulation runs. */
final class Tally {
  private final Node node;
  private final Alignment alignment;
  private final Fragmentation byNode;
  private final Fragmentation byCache;
  private final int givable;
  private final double length;
  private final boolean timed;
  private final Timeline timeline;
  private final Map<Boundary, int[]> counts = new EnumMap<>(Boundary.class);
  private final Map<String, Integer> refused = new TreeMap<>();
  private final List<Step> firstRefused = new ArrayList<>();
  private int containers;
  private int admitted;
  private int exclusive;
  private int compact;
  private int refusals;
  private int steps;

  /**
   * Nothing so far.
   *
   * @param millis how long the simulation lasts; 0 where no time passes
   * @param steps how many steps it has at most
   */
  Tally(Node node, long millis, int steps) {
    this.node = node;
    alignment = Alignment.on(node.machine());
    CpuSet all = node.assignable().union(node.exclusive());
    givable = all.size();
    byNode = new Fragmentation(node.machine(), Level.NODE, all);
    byCache = new Fragmentation(node.machine(), Level.CACHE, all);
    timed = millis > 0;
    length = timed ? millis : steps;
    timeline = new Timeline(length);
    for (Boundary boundary : Boundary.values()) {
      counts.put(boundary, new int[3]);
    }
    hold(0);
  }

  /** A pod was let in, with these CPUs of its containers' own, aligned so. */
  void admitted(Map<String, CpuSet> cpus, Collection<Set<Boundary>> aligned) {
    admitted++;
    if (cpus.isEmpty()) {
      return;
    }
    exclusive++;
    compact += aligned.stream().allMatch(met -> met.size() == Boundary.values().length) ? 1 : 0;
    cpus.values().forEach(this::container);
  }

  private void container(CpuSet cpus) {
    containers++;
    counts.forEach((boundary, count) -> {
      int fewest = alignment.fewest(boundary, cpus.size());
      int spread = alignment.spread(boundary, cpus);
      count[0] += fewest <= 1 ? 1 : 0;
      count[1] += spread <= 1 ? 1 : 0;
      count[2] += spread <= fewest ? 1 : 0;
    });
  }

  /** Counts a refusal; how many there are now. */
  int refused(String reason) {
    refused.merge(reason, 1, Integer::sum);
    return ++refusals;
  }

  /** How many refusals there were so far. */
  int refusals() {
    return refusals;
  }

  void keep(Step refusal) {
    firstRefused.add(refusal);
  }

  /**
   * After a step, at its time; where steps are the time, what one leads to lasts until the next.
   */
  void measure(long millis) {
    hold(timed ? (double) millis : steps++);
  }

  private void hold(double from) {
    CpuSet free = node.assignable();
    timeline.from(
        from,
        givable == 0 ? 0 : 1 - (double) free.size() / givable,
        byNode.of(free),
        byCache.of(free));
  }

  Figures figures(List<String> surprises, List<String> unchecked) {
    Map<Boundary, Aligned> aligned = new EnumMap<>(Boundary.class);
    counts.forEach((boundary, count) ->
        aligned.put(boundary, new Aligned(containers, count[0], count[1], count[2])));
    return new Figures(
        timed ? length / 1000 : 0,
        timed,
        admitted,
        new TreeMap<>(refused),
        exclusive,
        compact,
        aligned,
        timeline.use(),
        timeline.nodeFragmentation(),
        timeline.cacheFragmentation(),
        timeline.series(timed ? 1000 : 1),
        firstRefused,
        surprises,
        unchecked);
  }
}
