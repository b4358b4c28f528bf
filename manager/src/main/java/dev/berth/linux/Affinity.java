package dev.berth.linux;

import dev.berth.cpu.CpuSet;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps processes on CPUs without groups, by each thread's own affinity. A process may set its own
 * to something else at any time, and nothing stops it: this is what is left where there is no root
 * and no delegated group.
 */
public final class Affinity {
  /** A process that starts others without end must not keep us for ever. */
  private static final int MOST_PASSES = 100;

  private Affinity() {}

  /**
   * Sets the affinity of every thread of a process and of what it started. Goes over them until a
   * pass finds no thread that it has not seen, because one that starts meanwhile has its parent's.
   *
   * @return how many threads were changed
   * @throws IOException where one is not ours, or may use none of the CPUs; the others are changed
   */
  public static int apply(ProcessId root, CpuSet cpus) throws IOException {
    int changed = 0;
    Optional<IOException> failure = Optional.empty();
    Set<Long> seen = new HashSet<>();
    for (int pass = 0; pass < MOST_PASSES; pass++) {
      boolean more = false;
      for (long process : ProcessTree.of(root)) {
        for (long thread : ProcessTree.threads(process)) {
          if (seen.add(thread)) {
            more = true;
            try {
              changed += change(process, thread, cpus) ? 1 : 0;
            } catch (IOException e) {
              failure = Optional.of(e);
            }
          }
        }
      }
      if (!more) {
        break;
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    return changed;
  }

  /** Where the first thread of a process may run; none where it has ended. */
  public static Optional<CpuSet> of(ProcessId process) {
    try {
      CpuSet cpus = Posix.affinity(process.pid());
      return process.isAlive() ? Optional.of(cpus) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Lets every thread of a process run wherever its groups let it.
   *
   * @throws IOException where it is not ours
   */
  public static void widen(ProcessId process) throws IOException {
    // The kernel keeps to what a group has, and passes over CPUs that there are not.
    CpuSet everything = CpuSet.range(0, LiveMachine.highestCpu());
    for (long thread : ProcessTree.threads(process.pid())) {
      change(process.pid(), thread, everything);
    }
  }

  private static boolean change(long process, long thread, CpuSet cpus) throws IOException {
    try {
      if (Posix.affinity(thread).equals(cpus)) {
        return false;
      }
      Posix.setAffinity(thread, cpus);
      return true;
    } catch (IOException e) {
      if (ProcessTree.threads(process).contains(thread)) {
        throw e;
      }
      return false;
    }
  }
}
