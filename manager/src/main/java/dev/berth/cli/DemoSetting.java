package dev.berth.cli;

import dev.berth.demo.Phase;

/**
 * What a demonstration is asked to do.
 *
 * @param cpus how many the probe gets for itself
 * @param seconds how long each of shared and exclusive is measured
 * @param pairs in how many slices that is done
 * @param awake whether the probe asks for its own CPUs to be kept awake
 */
record DemoSetting(int cpus, int seconds, int pairs, boolean awake) {
  /** How long one slice takes; that of the idle machine is as long as two. */
  double sliceSeconds(Phase phase) {
    double slice = (double) seconds / pairs;
    return phase == Phase.IDLE ? 2 * slice : slice;
  }
}
