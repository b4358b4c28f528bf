package dev.berth.linux;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;

/**
 * What the kernel lets this process run on: a container's cpuset, a batch job's, {@code taskset}'s.
 */
final class Allowed {
  private static final String LINE = "Cpus_allowed_list:";

  private Allowed() {}

  /** The CPUs that the process may use; {@code all} where the kernel does not tell. */
  static CpuSet of(SysTree tree, CpuSet all) {
    String status = tree.proc("self/status");
    if (status == null) {
      return all;
    }
    for (String line : status.split("\n", -1)) {
      if (line.startsWith(LINE)) {
        try {
          return CpuSet.parse(line.substring(LINE.length()));
        } catch (InvalidInputException e) {
          throw new InvalidInputException("/proc/self/status: " + LINE + " " + e.getMessage(), e);
        }
      }
    }
    return all;
  }
}
