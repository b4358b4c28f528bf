package dev.berth.cgroup;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Pretended groups, and what would have been done to the kernel's. */
public final class DryRun {
  private static final Path MOUNT = Path.of("/sys/fs/cgroup");
  private static final long PAGE = 4_096;

  private final PretendedFiles files;
  private final Cgroups cgroups;

  DryRun(String name, CpuSet cpus, NodeSet nodes) {
    files = new PretendedFiles(MOUNT, cpus, nodes);
    Map<Controller, Path> parents = new EnumMap<>(Controller.class);
    for (Controller controller : Controller.values()) {
      parents.put(controller, MOUNT);
    }
    Layout layout =
        new Layout(
            new VersionTwo(PAGE),
            "cgroup v2, pretended",
            parents,
            name,
            true,
            false,
            List.of(MOUNT),
            List.of("nothing is written to cgroups, so nothing is enforced"));
    cgroups = new Cgroups(layout, files);
  }

  /** The groups: what is written to them can be read from them, and nowhere else. */
  public Cgroups cgroups() {
    return cgroups;
  }

  /** What would have been done since the last call, a line each. */
  public List<String> takeLines() {
    return files.takeLines();
  }
}
