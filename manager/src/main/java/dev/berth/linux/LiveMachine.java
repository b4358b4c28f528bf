package dev.berth.linux;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.Machine;
import java.nio.file.Path;

/**
 * This machine over time, as CPUs and memory come and go.
 *
 * <p>What this process was allowed to use when it began stays the bound: an agent that binds itself
 * to a few CPUs later on still manages all of them.
 */
public final class LiveMachine {
  private static final String CPUS = "devices/system/cpu/online";
  private static final String NODES = "devices/system/node/online";
  private static final String MEMORY = "devices/system/node/has_memory";

  /** Beyond any kernel's, where it does not tell. */
  private static final int MOST_CPUS = 8_191;

  private final Path root;
  private final CpuSet forbidden;

  private LiveMachine(Path root, CpuSet forbidden) {
    this.root = root;
    this.forbidden = forbidden;
  }

  /**
   * This machine, with the CPUs that this process may use now, and those that come later.
   *
   * @param granted CPUs that count though this process may not use them itself: a partition has
   *     them, and the process is to manage it
   */
  public static LiveMachine here(CpuSet granted) {
    return here(Path.of("/"), granted);
  }

  static LiveMachine here(Path root, CpuSet granted) {
    SysTree tree = SysTree.of(root);
    CpuSet online = OnlineCpus.of(tree).online();
    CpuSet allowed = Allowed.of(tree, online).union(granted);
    return new LiveMachine(root, online.difference(allowed));
  }

  /** The highest number that a CPU of this machine can have. */
  static int highestCpu() {
    CpuSet possible = SysTree.of(Path.of("/")).list("devices/system/cpu/possible");
    return possible == null || possible.isEmpty() ? MOST_CPUS : possible.last();
  }

  /**
   * The machine as it is now.
   *
   * @throws dev.berth.cpu.InvalidInputException naming the file that is missing or garbled
   */
  public Machine discover() {
    return Sysfs.here(root, forbidden);
  }

  /** Three small files: another text whenever the machine is another. */
  public String fingerprint() {
    SysTree tree = SysTree.of(root);
    return tree.text(CPUS) + "|" + tree.text(NODES) + "|" + tree.text(MEMORY);
  }
}
