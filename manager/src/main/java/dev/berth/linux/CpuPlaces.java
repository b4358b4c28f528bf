package dev.berth.linux;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.MachineBuilder;

/** Packages, dies, clusters and cores, from each CPU's {@code topology} folder. */
final class CpuPlaces {
  private static final String PACKAGE_ID = "physical_package_id";

  /** An unknown cluster on Arm kernels that write it as 16 bits. */
  private static final int NO_CLUSTER = 0xffff;

  private final SysTree tree;
  private final CpuSet usable;

  CpuPlaces(SysTree tree, CpuSet usable) {
    this.tree = tree;
    this.usable = usable;
  }

  private static String folder(int cpu) {
    return "devices/system/cpu/cpu" + cpu + "/topology/";
  }

  /** The core of each CPU, named by its lowest usable CPU. */
  int[] cores() {
    Groups cores = new Groups(usable);
    usable.forEach(cpu -> {
      if (!cores.has(cpu)) {
        cores.add(
            -1,
            tree.setWith(
                cpu,
                folder(cpu),
                "core_cpus_list",
                "thread_siblings_list",
                "core_cpus",
                "thread_siblings"));
      }
    });
    return cores.names();
  }

  /**
   * The socket of each CPU. Where the kernel does not know packages (it says -1, as on many POWER
   * and some Arm machines) all CPUs are in socket 0.
   */
  int[] sockets(MachineBuilder builder) {
    Groups packages = new Groups(usable);
    boolean known = true;
    for (int cpu = usable.first(); cpu >= 0; cpu = usable.next(cpu + 1)) {
      if (!packages.has(cpu)) {
        int id = tree.requiredId(folder(cpu) + PACKAGE_ID);
        known &= id >= 0;
        packages.add(id, id < 0 ? CpuSet.of(cpu) : packageOf(cpu));
      }
    }
    if (!known) {
      builder.note("the kernel does not tell packages (" + PACKAGE_ID + " is -1): one socket, 0");
      return new int[usable.last() + 1];
    }
    if (!packages.areIdsUnique()) {
      builder.note(
          PACKAGE_ID
              + " is the same for different packages (books or drawers have their own"
              + " numbers): each socket is named by its lowest CPU");
    }
    return packages.names();
  }

  private CpuSet packageOf(int cpu) {
    return tree.setWith(
        cpu,
        folder(cpu),
        "package_cpus_list",
        "core_siblings_list",
        "package_cpus",
        "core_siblings");
  }

  /** Tells the dies where a package has several, or shares one with another. */
  void dies(MachineBuilder builder, int[] sockets) {
    Groups dies = groups("die_id", -1, "die_cpus_list", "die_cpus");
    if (dies.isEmpty() || dies.areSplitAs(sockets)) {
      return;
    }
    int[] names = dies.names();
    dies.sets().forEach(die -> builder.die(names[die.first()], die));
  }

  /** Tells the clusters where one has several cores; each is named by its lowest CPU. */
  void clusters(MachineBuilder builder, int[] cores) {
    Groups clusters = groups("cluster_id", NO_CLUSTER, "cluster_cpus_list", "cluster_cpus");
    if (clusters.isEmpty() || clusters.areSplitAs(cores)) {
      return;
    }
    clusters.sets().forEach(cluster -> builder.cluster(cluster.first(), cluster));
  }

  /**
   * Places that newer kernels know; none where a CPU's id is absent, below 0 or {@code unknown}.
   */
  private Groups groups(String idFile, int unknown, String... files) {
    Groups groups = new Groups(usable);
    for (int cpu = usable.first(); cpu >= 0; cpu = usable.next(cpu + 1)) {
      if (groups.has(cpu)) {
        continue;
      }
      int id = tree.id(folder(cpu) + idFile, -1);
      if (id < 0 || id == unknown) {
        return new Groups(usable);
      }
      groups.add(id, tree.setWith(cpu, folder(cpu), files));
    }
    return groups;
  }
}
