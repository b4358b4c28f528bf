package dev.berth.linux;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;

/**
 * Which CPUs there are.
 *
 * @param online those that are switched on
 * @param offline those that are in the machine but switched off; what could only be plugged in
 *     later is not counted
 */
record OnlineCpus(CpuSet online, CpuSet offline) {
  private static final String FOLDER = "devices/system/cpu/";

  static OnlineCpus of(SysTree tree) {
    CpuSet online = tree.list(FOLDER + "online");
    CpuSet present = tree.list(FOLDER + "present");
    if (online == null) {
      if (present == null) {
        present = folders(tree);
      }
      online = switchedOn(tree, present);
    }
    if (online.isEmpty()) {
      throw tree.wrong(FOLDER + "online", "at least one CPU", "none");
    }
    return new OnlineCpus(online, present == null ? CpuSet.EMPTY : present.difference(online));
  }

  /** Kernels before 2.6.26 have no list: a CPU is there if it has a folder. */
  private static CpuSet folders(SysTree tree) {
    int[] ids =
        tree.names(FOLDER).stream()
            .filter(name -> name.matches("cpu[0-9]{1,7}"))
            .mapToInt(name -> Integer.parseInt(name.substring(3)))
            .toArray();
    try {
      return CpuSet.of(ids);
    } catch (InvalidInputException e) {
      throw new InvalidInputException("sysfs " + tree.file(FOLDER) + ": " + e.getMessage(), e);
    }
  }

  /** A CPU without the switch, or with an empty one, cannot be switched off. */
  private static CpuSet switchedOn(SysTree tree, CpuSet present) {
    return CpuSet.of(
        present.stream()
            .filter(cpu -> {
              String path = FOLDER + "cpu" + cpu + "/online";
              String stated = tree.text(path);
              return stated == null || stated.isEmpty() || tree.number(path, 1) != 0;
            })
            .toArray());
  }
}
