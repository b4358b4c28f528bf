package dev.berth.agent;

import dev.berth.cpu.CpuSet;

/**
 * Does what is wished of CPUs that somebody has to themselves, and undoes it when they are free. On
 * the loop only.
 *
 * <p>Nobody is refused because it cannot be done. That is told once, and as long as it is so,
 * {@link #caution} says it.
 */
interface Fulfilment {
  /** From now on it holds for these CPUs and no others, as far as it is not known to. */
  void keep(CpuSet wanted);

  /**
   * The same, but looks at everything and repairs what others changed.
   *
   * @return how much that was
   */
  int check(CpuSet wanted);

  /** Whether it holds for all of these, of those for which it is to. */
  boolean holds(CpuSet cpus);

  /** What those should know who count on it; empty where they can. */
  String caution();
}
