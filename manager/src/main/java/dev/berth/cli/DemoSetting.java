package dev.berth.cli;

import dev.berth.demo.Phase;
import dev.berth.workload.CpuWish;
import java.util.Set;

/**
 * What a demonstration is asked to do.
 *
 * @param cpus how many the probe gets for itself
 * @param seconds how long each of shared and exclusive is measured
 * @param pairs in how many slices that is done
 * @param wishes what the probe asks of CPUs of its own
 */
record DemoSetting(int cpus, int seconds, int pairs, Set<CpuWish> wishes) {
  /** How long one slice takes; that of the idle machine is as long as two. */
  double sliceSeconds(Phase phase) {
    double slice = (double) seconds / pairs;
    return phase == Phase.IDLE ? 2 * slice : slice;
  }
}
