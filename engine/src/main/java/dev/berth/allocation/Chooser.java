package dev.berth.allocation;

import dev.berth.cpu.CpuSet;

/**
 * Chooses CPUs for a request; each implementation is one way to go about it.
 *
 * <p>The same input always gives the same answer. Instances keep working space and are not safe for
 * several threads.
 */
public interface Chooser {
  /**
   * Chooses exactly {@code count} CPUs, all of them from {@code available}.
   *
   * @param available CPUs of the machine that may be taken, at least {@code count} of them
   * @param count how many, from 0
   * @param trace told every step
   */
  CpuSet choose(CpuSet available, int count, Trace trace);
}
