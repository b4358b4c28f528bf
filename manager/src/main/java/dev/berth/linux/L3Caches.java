package dev.berth.linux;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.MachineBuilder;
import org.jspecify.annotations.Nullable;

/**
 * L3 caches, found by the {@code level} that each folder tells, for it is not always {@code
 * index3}.
 *
 * <p>Kernels before 4.11, and many on Arm, give a cache no id; then, and where an id stands for two
 * caches, each is named by its lowest CPU.
 */
final class L3Caches {
  private static final int LEVEL = 3;
  private static final int MOST_INDEXES = 16;

  private final SysTree tree;
  private final CpuSet usable;

  /** Where the last L3 was found; the next one is most likely there too. */
  private int likely = LEVEL;

  L3Caches(SysTree tree, CpuSet usable) {
    this.tree = tree;
    this.usable = usable;
  }

  /** The cache of each CPU; its socket where the machine has no L3, as upstream has it. */
  int[] caches(MachineBuilder builder, int[] sockets) {
    Groups caches = new Groups(usable);
    CpuSet without = CpuSet.EMPTY;
    for (int cpu = usable.first(); cpu >= 0; cpu = usable.next(cpu + 1)) {
      if (caches.has(cpu)) {
        continue;
      }
      String folder = find(cpu);
      if (folder == null) {
        without = without.union(CpuSet.of(cpu));
      } else {
        caches.add(
            tree.id(folder + "id", -1),
            tree.setWith(cpu, folder, "shared_cpu_list", "shared_cpu_map"));
      }
    }
    if (caches.isEmpty()) {
      builder.note("no L3 cache: each socket counts as one");
      return sockets;
    }
    return name(builder, caches, without, sockets);
  }

  private int[] name(MachineBuilder builder, Groups caches, CpuSet without, int[] sockets) {
    if (!without.isEmpty()) {
      builder.note(
          "CPUs "
              + without
              + " have no L3 cache: those of a socket count as sharing one; every cache"
              + " is named by its lowest CPU");
      without.forEach(cpu -> addWithout(caches, without, sockets, cpu));
    } else if (caches.hasId() && !caches.areIdsUnique()) {
      builder.note("an L3 id stands for several caches: each is named by its lowest CPU");
    }
    return caches.names();
  }

  private static void addWithout(Groups caches, CpuSet without, int[] sockets, int cpu) {
    if (!caches.has(cpu)) {
      int[] members = without.stream().filter(other -> sockets[other] == sockets[cpu]).toArray();
      caches.add(-1, CpuSet.of(members));
    }
  }

  private @Nullable String find(int cpu) {
    String first = folder(cpu, likely);
    if (tree.number(first + "level", 0) == LEVEL) {
      return first;
    }
    for (int index = 0; index < MOST_INDEXES; index++) {
      String folder = folder(cpu, index);
      long level = tree.number(folder + "level", 0);
      if (level == 0) {
        return null;
      }
      if (level == LEVEL) {
        likely = index;
        return folder;
      }
    }
    return null;
  }

  private static String folder(int cpu, int index) {
    return "devices/system/cpu/cpu" + cpu + "/cache/index" + index + "/";
  }
}
