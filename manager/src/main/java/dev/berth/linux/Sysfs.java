package dev.berth.linux;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;
import java.nio.file.Path;

/**
 * Discovers a machine from the tree that Linux shows of it in {@code /sys}.
 *
 * <p>Sockets, NUMA nodes, caches and cores are taken as the sets that the kernel tells, each by
 * itself, so a cache may be wider than a node and a node wider than a socket. Safe for use by any
 * number of threads.
 */
public final class Sysfs {
  private Sysfs() {}

  /**
   * The machine whose tree lies below {@code root}: a folder that holds {@code sys} and perhaps
   * {@code proc}, or that is the {@code sys} tree itself. Every CPU that is online counts.
   *
   * @throws InvalidInputException naming the file that is missing or garbled
   */
  public static Machine discover(Path root) {
    SysTree tree = SysTree.of(root);
    OnlineCpus cpus = OnlineCpus.of(tree);
    return describe(tree, Machine.builder(tree.name()), cpus, cpus.online());
  }

  /**
   * This machine, as far as this process may use it. CPUs that its cpuset or affinity does not
   * allow are left out, and the machine's notes say so.
   *
   * @throws InvalidInputException naming the file that is missing or garbled
   */
  public static Machine here() {
    return here(Path.of("/"));
  }

  static Machine here(Path root) {
    SysTree tree = SysTree.of(root);
    CpuSet online = OnlineCpus.of(tree).online();
    return here(root, online.difference(Allowed.of(tree, online)));
  }

  /** This machine without these CPUs. */
  static Machine here(Path root, CpuSet forbidden) {
    SysTree tree = SysTree.of(root);
    OnlineCpus cpus = OnlineCpus.of(tree);
    CpuSet allowed = cpus.online().difference(forbidden);
    if (allowed.isEmpty()) {
      throw new InvalidInputException(
          "/proc/self/status: expected an allowed CPU among those online, "
              + cpus.online()
              + ", found none");
    }
    String hostname = tree.proc("sys/kernel/hostname");
    MachineBuilder builder =
        Machine.builder(hostname == null || hostname.isEmpty() ? tree.name() : hostname);
    CpuSet left = cpus.online().difference(allowed);
    if (!left.isEmpty()) {
      builder.note(
          "CPUs "
              + left
              + " are left out: this process may only use "
              + allowed
              + " (Cpus_allowed_list in /proc/self/status)");
    }
    return describe(tree, builder, cpus, allowed);
  }

  private static Machine describe(
      SysTree tree, MachineBuilder builder, OnlineCpus cpus, CpuSet found) {
    CpuSet usable = found.difference(Nodes.ofOfflineNodes(tree, found, builder));
    CpuPlaces places = new CpuPlaces(tree, usable);
    int[] cores = places.cores();
    int[] sockets = places.sockets(builder);
    int[] caches = new L3Caches(tree, usable).caches(builder, sockets);
    int[] nodes = new Nodes(tree, usable).nodes(builder);
    usable.forEach(cpu -> builder.cpu(cpu, cores[cpu], sockets[cpu], nodes[cpu], caches[cpu]));
    places.dies(builder, sockets);
    places.clusters(builder, cores);
    new CoreKinds(tree, usable).tell(builder);
    CpuSet isolated = tree.list("devices/system/cpu/isolated");
    return builder
        .offline(cpus.offline())
        .isolated(isolated == null ? CpuSet.EMPTY : isolated)
        .build();
  }
}
