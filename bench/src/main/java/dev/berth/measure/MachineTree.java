package dev.berth.measure;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.Cpu;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.topology.NumaNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes a machine as the {@code /sys} tree that Linux 6 shows of it, four caches a CPU. */
final class MachineTree {
  /** 512 CPUs on 8 NUMA nodes. */
  static final Machine LARGE = Machines.parse("pack:2 node:4 l3:4 core:8 pu:2");

  private final Path root;

  MachineTree(Path root) {
    this.root = root;
  }

  void write(Machine machine) throws IOException {
    String cpus = machine.cpus().toString();
    for (String list : List.of("online", "present", "possible")) {
      file("cpu/" + list, cpus);
    }
    file("cpu/offline", "");
    file("cpu/isolated", "");
    for (Cpu cpu : machine.cpuList()) {
      topology(machine, cpu);
      caches(machine, cpu);
    }
    String nodes = "0-" + (machine.nodes().size() - 1);
    for (String list : List.of("online", "possible", "has_cpu", "has_memory")) {
      file("node/" + list, nodes);
    }
    for (NumaNode node : machine.nodes()) {
      node(machine, node);
    }
  }

  private void topology(Machine machine, Cpu cpu) throws IOException {
    String folder = "cpu/cpu" + cpu.id() + "/topology/";
    String core = machine.domainOf(Level.CORE, cpu.id()).cpus().toString();
    String socket = machine.domainOf(Level.SOCKET, cpu.id()).cpus().toString();
    file(folder + "physical_package_id", cpu.socket());
    file(folder + "die_id", cpu.socket());
    file(folder + "cluster_id", 65_535);
    file(folder + "core_id", cpu.core());
    file(folder + "core_cpus_list", core);
    file(folder + "thread_siblings_list", core);
    file(folder + "cluster_cpus_list", core);
    file(folder + "die_cpus_list", socket);
    file(folder + "package_cpus_list", socket);
    file(folder + "core_siblings_list", socket);
  }

  private void caches(Machine machine, Cpu cpu) throws IOException {
    CpuSet core = machine.domainOf(Level.CORE, cpu.id()).cpus();
    CpuSet shared = machine.domainOf(Level.CACHE, cpu.id()).cpus();
    cache(cpu, 0, 1, "Data", cpu.core(), core);
    cache(cpu, 1, 1, "Instruction", cpu.core(), core);
    cache(cpu, 2, 2, "Unified", cpu.core(), core);
    cache(cpu, 3, 3, "Unified", cpu.cache(), shared);
  }

  private void cache(Cpu cpu, int index, int level, String type, int id, CpuSet sharing)
      throws IOException {
    String folder = "cpu/cpu" + cpu.id() + "/cache/index" + index + "/";
    file(folder + "level", level);
    file(folder + "type", type);
    file(folder + "id", id);
    file(folder + "shared_cpu_list", sharing);
  }

  private void node(Machine machine, NumaNode node) throws IOException {
    String folder = "node/node" + node.id() + "/";
    file(folder + "cpulist", node.cpus());
    file(folder + "meminfo", "Node " + node.id() + " MemTotal:       67108864 kB");
    String row =
        Arrays.stream(machine.distances().row(node.id()))
            .mapToObj(String::valueOf)
            .collect(Collectors.joining(" "));
    file(folder + "distance", row);
    file(folder + "hugepages/hugepages-2048kB/nr_hugepages", 0);
    file(folder + "hugepages/hugepages-1048576kB/nr_hugepages", 0);
  }

  private void file(String name, Object content) throws IOException {
    int slash = name.lastIndexOf('/');
    Path folder =
        Files.createDirectories(root.resolve("sys/devices/system/" + name.substring(0, slash)));
    Files.writeString(folder.resolve(name.substring(slash + 1)), content + "\n");
  }

  /** Removes a folder and all that is in it. */
  static void delete(Path folder) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
