package dev.berth.cgroup;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Where the group of some process keeps it, whoever made that group.
 *
 * @param cpus the group's own CPUs; none where it has what its parent has
 * @param mems the group's own memory nodes; none where it has what its parent has
 */
public record Placement(CpuSet cpus, NodeSet mems) {
  /** Finds the groups of processes, in the trees that are mounted now. */
  public static final class Finder {
    private static final String CPUSET = "cpuset";
    private static final String CPU = "cpu";
    private static final long UNLIMITED = -1;

    private final Path machine;
    private final List<Mount> mounts;

    private Finder(Path machine, List<Mount> mounts) {
      this.machine = machine;
      this.mounts = mounts;
    }

    /** For this machine. */
    public static Finder here() {
      return below(Path.of("/"));
    }

    /** For a machine whose {@code /proc} and {@code /sys} are below a folder. */
    static Finder below(Path machine) {
      try {
        String mounts = Files.readString(machine.resolve("proc/self/mountinfo"));
        return new Finder(machine, Mount.of(mounts));
      } catch (IOException e) {
        return new Finder(machine, List.of());
      }
    }

    private Optional<Mount> tree(String controller) {
      return mounts.stream()
          .filter(mount -> !mount.isUnified() && mount.options().contains(controller))
          .findFirst()
          .or(() -> mounts.stream().filter(Mount::isUnified).findFirst());
    }

    /** The folder of the group that a process is in; none where it cannot be seen. */
    public Optional<Path> group(long process) {
      return group(process, CPUSET);
    }

    /**
     * How many microseconds of CPU the group of a process may use in a period; -1 for no limit, and
     * empty where it cannot be seen.
     */
    public OptionalLong quota(long process) {
      Optional<Path> group = group(process, CPU);
      if (group.isEmpty()) {
        return OptionalLong.empty();
      }
      Path unified = group.get().resolve("cpu.max");
      Path file = Files.exists(unified) ? unified : group.get().resolve("cpu.cfs_quota_us");
      try {
        String first = Files.readString(file).strip().split(" ", -1)[0];
        return OptionalLong.of(first.equals("max") ? UNLIMITED : Long.parseLong(first));
      } catch (IOException | NumberFormatException e) {
        return OptionalLong.empty();
      }
    }

    /**
     * Who is in the group of a container.
     *
     * @param told where the program that made the group was told to make it, in the words of OCI's
     *     runtime specification
     * @return none where the group cannot be seen
     */
    public List<Long> processes(String told) {
      // One that is not in sight would be taken for the top, where everybody else is.
      Optional<Path> group =
          tree(CPUSET)
              .map(tree -> tree.folder(machine, new ContainerGroup(told).path()))
              .filter(folder -> mounts.stream().noneMatch(m -> m.folder(machine).equals(folder)));
      // crun puts them one group further down, on version 2.
      return group.stream()
          .flatMap(folder -> Stream.of(folder, folder.resolve("container")))
          .flatMap(Finder::members)
          .toList();
    }

    private static Stream<Long> members(Path group) {
      try {
        return Files.readAllLines(group.resolve("cgroup.procs")).stream().map(Long::valueOf);
      } catch (IOException e) {
        return Stream.empty();
      }
    }

    private Optional<Path> group(long process, String controller) {
      Optional<Mount> tree = tree(controller);
      if (tree.isEmpty()) {
        return Optional.empty();
      }
      String named = tree.get().isUnified() ? "" : controller;
      try {
        for (String line : Files.readAllLines(machine.resolve("proc/" + process + "/cgroup"))) {
          String[] fields = line.split(":", 3);
          if (fields.length == 3 && List.of(fields[1].split(",", -1)).contains(named)) {
            return Optional.of(tree.get().folder(machine, fields[2]));
          }
        }
      } catch (IOException e) {
        return Optional.empty();
      }
      return Optional.empty();
    }
  }

  /**
   * Reads it from the folder of a group; none where that is gone. On version 2 a group may say
   * nothing, and has what the nearest one above says that does.
   */
  public static Optional<Placement> read(Path group) {
    try {
      return Optional.of(
          new Placement(
              CpuSet.parse(nearest(group, "cpuset.cpus")),
              NodeSet.parse(nearest(group, "cpuset.mems"))));
    } catch (IOException | InvalidInputException e) {
      return Optional.empty();
    }
  }

  private static String nearest(Path group, String file) throws IOException {
    String text = Files.readString(group.resolve(file)).strip();
    Path above = group.getParent();
    return text.isEmpty() && above != null && Files.exists(above.resolve(file))
        ? nearest(above, file)
        : text;
  }
}
