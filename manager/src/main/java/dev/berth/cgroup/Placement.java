package dev.berth.cgroup;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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

    private final Path machine;
    private final Optional<Mount> tree;

    private Finder(Path machine, List<Mount> mounts) {
      this.machine = machine;
      tree =
          mounts.stream()
              .filter(mount -> !mount.isUnified() && mount.options().contains(CPUSET))
              .findFirst()
              .or(() -> mounts.stream().filter(Mount::isUnified).findFirst());
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

    /** The folder of the group that a process is in; none where it cannot be seen. */
    public Optional<Path> group(long process) {
      if (tree.isEmpty()) {
        return Optional.empty();
      }
      String controller = tree.get().isUnified() ? "" : CPUSET;
      try {
        for (String line : Files.readAllLines(machine.resolve("proc/" + process + "/cgroup"))) {
          String[] fields = line.split(":", 3);
          if (fields.length == 3 && List.of(fields[1].split(",", -1)).contains(controller)) {
            return Optional.of(tree.get().folder(machine, fields[2]));
          }
        }
      } catch (IOException e) {
        return Optional.empty();
      }
      return Optional.empty();
    }
  }

  /** Reads it from the folder of a group; none where that is gone. */
  public static Optional<Placement> read(Path group) {
    try {
      return Optional.of(
          new Placement(
              CpuSet.parse(Files.readString(group.resolve("cpuset.cpus")).strip()),
              NodeSet.parse(Files.readString(group.resolve("cpuset.mems")).strip())));
    } catch (IOException | InvalidInputException e) {
      return Optional.empty();
    }
  }
}
