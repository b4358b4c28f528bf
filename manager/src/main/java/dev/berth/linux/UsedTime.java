package dev.berth.linux;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How much time of CPUs the processes of a container have used.
 *
 * <p>The kernel counts for every group of cgroup v2. On v1 most containers have no group that
 * counts, so the time of all processes in their cpuset is added up, and that of children that have
 * ended. Where a container has no group of its own, those count that its first process started.
 */
public final class UsedTime {
  /** Of a second, as the kernel tells it in /proc. */
  private static final long MICROSECONDS_PER_TICK = 10_000;

  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

  /** Counted after the name: user, system, and both of children that have ended. */
  private static final int FIRST = 11;

  private static final int LAST = 14;

  private UsedTime() {}

  /**
   * In hundredths of a second since it began; none where the process has ended.
   *
   * @param first the container's first process
   * @param agent a process that is in no container's group
   */
  public static OptionalLong ticks(long first, long agent) {
    Map<String, String> groups = groups(first);
    Map<String, String> others = groups(agent);
    Optional<String> unified = apart(groups, others, "");
    if (unified.isPresent()) {
      OptionalLong counted = counted(CGROUPS.resolve(unified.get() + "/cpu.stat"));
      if (counted.isPresent()) {
        return counted;
      }
    }
    Optional<String> cpuset = apart(groups, others, "cpuset");
    Collection<Long> members =
        cpuset
            .map(path -> members(CGROUPS.resolve("cpuset").resolve(path + "/cgroup.procs")))
            .filter(list -> !list.isEmpty())
            .<Collection<Long>>map(list -> list)
            .orElseGet(
                () -> ProcessId.of(first).<Collection<Long>>map(ProcessTree::of).orElse(List.of()));
    return members.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(members.stream().mapToLong(UsedTime::ofProcess).sum());
  }

  /** The group in a hierarchy below the topmost, where the other process is in another one. */
  private static Optional<String> apart(
      Map<String, String> groups, Map<String, String> others, String controller) {
    String group = groups.getOrDefault(controller, "/");
    return group.equals("/") || group.equals(others.get(controller))
        ? Optional.empty()
        : Optional.of(group.substring(1));
  }

  /** By controller; that of version 2 under the empty name. */
  private static Map<String, String> groups(long pid) {
    Map<String, String> groups = new HashMap<>();
    try {
      for (String line : SmallFile.text("/proc/" + pid + "/cgroup").split("\n", -1)) {
        String[] parts = line.split(":", 3);
        if (parts.length == 3) {
          for (String controller : parts[1].split(",", -1)) {
            groups.put(controller, parts[2]);
          }
        }
      }
    } catch (IOException e) {
      // It has ended.
      return groups;
    }
    return groups;
  }

  private static OptionalLong counted(Path file) {
    try {
      for (String line : SmallFile.text(file.toString()).split("\n", -1)) {
        if (line.startsWith("usage_usec ")) {
          long used = Long.parseLong(line.substring("usage_usec ".length()).strip());
          return OptionalLong.of(used / MICROSECONDS_PER_TICK);
        }
      }
    } catch (IOException e) {
      // A tree of version 2 that is mounted elsewhere, or nowhere.
      return OptionalLong.empty();
    }
    return OptionalLong.empty();
  }

  private static List<Long> members(Path file) {
    try {
      return SmallFile.text(file.toString()).lines().map(Long::valueOf).toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static long ofProcess(long pid) {
    try {
      String text = SmallFile.text("/proc/" + pid + "/stat");
      // The name may hold anything.
      String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
      long ticks = 0;
      for (int i = FIRST; i <= LAST; i++) {
        ticks += Long.parseLong(fields[i]);
      }
      return ticks;
    } catch (IOException e) {
      // It has ended since it was listed, and its parent has its time.
      return 0;
    }
  }
}
