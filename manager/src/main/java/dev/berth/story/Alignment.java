package dev.berth.story;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * How well sets of CPUs lie on one machine: in how few cores, L3 caches, NUMA nodes and sockets.
 *
 * <p>The measure is the machine with nobody on it: as few as possible means that no set of as many
 * CPUs lies in fewer. Immutable, and safe for use by any number of threads.
 */
public final class Alignment {
  private final Machine machine;
  private final Map<Level, int[]> capacity = new EnumMap<>(Level.class);

  private Alignment(Machine machine) {
    this.machine = machine;
    for (Boundary boundary : Boundary.values()) {
      capacity.put(boundary.level(), capacities(machine, boundary.level()));
    }
  }

  /** The measure of a machine, made once and kept with it. */
  public static Alignment on(Machine machine) {
    return machine.derived(Alignment.class, Alignment::new);
  }

  /** How many CPUs the largest place has, the two largest have, and so on. */
  private static int[] capacities(Machine machine, Level level) {
    int[] sums =
        machine.domains(level).stream()
            .map(Domain::size)
            .sorted(Comparator.reverseOrder())
            .mapToInt(Integer::intValue)
            .toArray();
    Arrays.parallelPrefix(sums, Integer::sum);
    return sums;
  }

  /** In how many places of a kind the CPUs lie. */
  public int spread(Boundary boundary, CpuSet cpus) {
    int places = 0;
    CpuSet rest = cpus;
    while (!rest.isEmpty()) {
      rest = rest.difference(machine.domainOf(boundary.level(), rest.first()).cpus());
      places++;
    }
    return places;
  }

  /** The fewest places of a kind in which so many CPUs can lie. */
  public int fewest(Boundary boundary, int cpus) {
    int[] sums = capacity.getOrDefault(boundary.level(), new int[0]);
    int places = 0;
    while (places < sums.length && (places == 0 ? 0 : sums[places - 1]) < cpus) {
      places++;
    }
    return places;
  }

  /** The kinds of place in as few of which as possible the CPUs lie; all for no CPU. */
  public Set<Boundary> of(CpuSet cpus) {
    Set<Boundary> met = EnumSet.noneOf(Boundary.class);
    for (Boundary boundary : Boundary.values()) {
      if (spread(boundary, cpus) <= fewest(boundary, cpus.size())) {
        met.add(boundary);
      }
    }
    return met;
  }
}
