package dev.berth.linux;

import dev.berth.cpu.CpuSet;
import java.io.IOException;
import java.util.Optional;

/** Who else may run on some CPUs, as the kernel tells of every thread there is. */
public final class Company {
  private Company() {}

  /**
   * The first process found with a thread that may run on one of these CPUs, other than this one,
   * those of the kernel's threads whose place nobody can change, and the machine's very first
   * thread, which stays where others look for it.
   */
  public static Optional<Long> on(CpuSet cpus) {
    long self = ProcessHandle.current().pid();
    for (long process : ProcessTree.numbers(ProcessId.PROC)) {
      if (process != self && !isFixed(process)) {
        for (long thread : ProcessTree.threads(process)) {
          if (thread != 1 && mayRun(thread, cpus)) {
            return Optional.of(process);
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Whether a thread is one whose place nobody can change, or none any more. */
  public static boolean isFixed(long thread) {
    return ProcessStat.of(ProcessId.PROC, thread).map(ProcessStat::isFixed).orElse(true);
  }

  private static boolean mayRun(long thread, CpuSet cpus) {
    try {
      return Posix.affinity(thread).intersects(cpus);
    } catch (IOException e) {
      // It has ended.
      return false;
    }
  }
}
