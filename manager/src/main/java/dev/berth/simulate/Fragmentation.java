package dev.berth.simulate;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.List;

/**
 * How scattered the free CPUs are over places of one kind: 0 where the largest block that can still
 * be given within one place is as large as so many free CPUs could ever make it, nearly 1 where
 * they lie one by one.
 *
 * <p>It is 1 − L ÷ min(F, P), where F is the number of free CPUs, L the most of them in one place,
 * and P the most that a place can give on an empty machine. So an empty machine and one that is
 * full up have 0, and so has one with a free place whatever else is taken; with 16 free CPUs in
 * four places of 16, four in each, it is ¾.
 */
final class Fragmentation {
  private final List<Domain> places;
  private final int most;

  /**
   * The measure for one kind of place.
   *
   * @param givable the CPUs that can be given to one container alone while nobody has any
   */
  Fragmentation(Machine machine, Level level, CpuSet givable) {
    places = machine.domains(level);
    most = largest(givable);
  }

  double of(CpuSet free) {
    int possible = Math.min(free.size(), most);
    return possible == 0 ? 0 : 1 - (double) largest(free) / possible;
  }

  private int largest(CpuSet cpus) {
    int largest = 0;
    for (Domain place : places) {
      largest = Math.max(largest, place.cpus().sharedWith(cpus));
    }
    return largest;
  }
}
