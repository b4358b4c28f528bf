package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import dev.berth.linux.ResumeLatency;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is to be done so that some CPUs are awake, and all others as they were before. Looks at
 * values only; somebody else reads and writes.
 *
 * @param former what each CPU had that is to be awake or is to be given back: to be written down
 *     before anything is done
 * @param wake the CPUs that are to be kept awake and are not
 * @param repaired those of them that were, until somebody else changed it
 * @param restore the values to be given back, by CPU
 */
record AwakePlan(
    SortedMap<Integer, String> former,
    CpuSet wake,
    CpuSet repaired,
    SortedMap<Integer, String> restore) {
  /**
   * Plans.
   *
   * <p>The latest value that somebody else wrote is what a CPU gets back: one that another changed
   * while it was kept awake gets that. A CPU that is not awake any more when it is given back is
   * left as it is, for another has written it since.
   *
   * @param wanted the CPUs that are to be awake
   * @param former what each CPU had that was to be awake until now
   * @param seen what CPUs have now. Of one that is not in it nothing is known: if it was to be
   *     awake and still is, it is taken to be so; if it is not to be any more, it is forgotten
   */
  static AwakePlan of(
      CpuSet wanted, SortedMap<Integer, String> former, SortedMap<Integer, String> seen) {
    SortedMap<Integer, String> remembered = new TreeMap<>(former);
    SortedMap<Integer, String> restore = new TreeMap<>();
    CpuSet wake = CpuSet.EMPTY;
    CpuSet repaired = CpuSet.EMPTY;
    for (Map.Entry<Integer, String> one : seen.entrySet()) {
      int cpu = one.getKey();
      boolean awake = one.getValue().equals(ResumeLatency.NONE);
      if (!wanted.contains(cpu)) {
        String value = former.getOrDefault(cpu, ResumeLatency.NONE);
        if (awake && !value.equals(ResumeLatency.NONE)) {
          restore.put(cpu, value);
        }
      } else if (!awake) {
        wake = wake.union(CpuSet.of(cpu));
        repaired = former.containsKey(cpu) ? repaired.union(CpuSet.of(cpu)) : repaired;
        remembered.put(cpu, one.getValue());
      } else {
        remembered.putIfAbsent(cpu, ResumeLatency.NONE);
      }
    }
    return new AwakePlan(remembered, wake, repaired, restore);
  }
}
