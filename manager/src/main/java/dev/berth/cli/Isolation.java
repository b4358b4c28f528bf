package dev.berth.cli;

import dev.berth.cgroup.Cgroups;
import dev.berth.cgroup.Detected;
import dev.berth.cpu.CpuSet;
import dev.berth.linux.LiveMachine;
import dev.berth.linux.Posix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an agent that is brought along for a command that nobody is to disturb is told where there
 * is cgroup v2 alone: there only the kernel's isolated partitions keep others off.
 *
 * <p>Only for containers with one CPU each, since the kernel balances no load over isolated ones: a
 * program of several threads would have all of them on one CPU.
 */
final class Isolation {
  /** The first kernel with isolated partitions. */
  private static final int MAJOR = 6;

  private static final int MINOR = 1;
  private static final Pattern RELEASE = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})(\\D.*)?");

  /** The pool's own group keeps a CPU beside partitions, whoever is in it. */
  private static final int SHARED = 1;

  /** Who has the CPUs that the command does not ask for. */
  enum Rest {
    /** The rest of the machine, but for the one that others of the agent share. */
    SYSTEM,

    /** Others of the agent, but for the lowest, which is the system's. */
    NEIGHBOURS
  }

  private Isolation() {}

  /**
   * The settings on this machine; none where the kernel cannot, or there are too few CPUs.
   *
   * @param cgroup the agent's group
   * @param own how many containers have a CPU of their own
   */
  static Optional<String> here(String cgroup, int own, Rest rest) throws IOException {
    if (Posix.effectiveUser() != 0
        || !(Cgroups.detect(cgroup) instanceof Detected.Usable(Cgroups cgroups))
        || !cgroups.isAtTop()
        || !isNewEnough(Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip())) {
      return Optional.empty();
    }
    return settings(LiveMachine.here(cgroups.partitioned()).discover().cpus(), own, rest);
  }

  static boolean isNewEnough(String release) {
    Matcher numbers = RELEASE.matcher(release);
    if (!numbers.matches()) {
      return false;
    }
    int major = Integer.parseInt(numbers.group(1));
    return major > MAJOR || (major == MAJOR && Integer.parseInt(numbers.group(2)) >= MINOR);
  }

  /** The settings on a machine of these CPUs, of which the system keeps one at least. */
  static Optional<String> settings(CpuSet machine, int own, Rest rest) {
    int most = machine.size() - own - SHARED;
    if (most < 1) {
      return Optional.empty();
    }
    int kept =
        switch (rest) {
          case SYSTEM -> most;
          case NEIGHBOURS -> 1;
        };
    CpuSet reserved = CpuSet.of(machine.stream().limit(kept).toArray());
    return Optional.of(
        """
        reservedSystemCPUs: "%s"
        cpuManagerPolicyOptions: {strict-cpu-reservation: "true"}
        berth: {partition: isolated}
        """
            .formatted(reserved));
  }
}
