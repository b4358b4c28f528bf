package dev.berth.linux;

import dev.berth.cpu.CpuSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes {@code /sys} trees as a recent kernel shows them; a test then changes what it is about.
 */
final class TreeBuilder {
  private static final String CPUS = "sys/devices/system/cpu/";
  private static final String NODES = "sys/devices/system/node/";

  private final Path root;

  TreeBuilder(Path root) {
    this.root = root;
  }

  /**
   * A machine of {@code sockets} packages, each a NUMA node with one L3, and {@code cores} of 2
   * threads.
   */
  static TreeBuilder regular(Path root, int sockets, int cores) {
    TreeBuilder tree = new TreeBuilder(root);
    int perSocket = 2 * cores;
    int last = sockets * perSocket - 1;
    tree.write(CPUS + "online", "0-" + last).write(CPUS + "present", "0-" + last);
    for (int cpu = 0; cpu <= last; cpu++) {
      int socket = cpu / perSocket;
      String all = socket * perSocket + "-" + (socket * perSocket + perSocket - 1);
      tree.topology(cpu, "physical_package_id", String.valueOf(socket))
          .topology(cpu, "package_cpus_list", all)
          .topology(cpu, "core_cpus_list", (cpu & ~1) + "-" + (cpu | 1))
          .cache(cpu, 3, "level", "3")
          .cache(cpu, 3, "id", String.valueOf(socket))
          .cache(cpu, 3, "shared_cpu_list", all);
    }
    tree.write(NODES + "online", sockets == 1 ? "0" : "0-" + (sockets - 1));
    for (int node = 0; node < sockets; node++) {
      tree.node(node, node * perSocket + "-" + (node * perSocket + perSocket - 1));
      StringBuilder row = new StringBuilder();
      for (int other = 0; other < sockets; other++) {
        row.append(other == node ? "10 " : "21 ");
      }
      tree.write(NODES + "node" + node + "/distance", row.toString());
    }
    return tree;
  }

  TreeBuilder write(String path, String content) {
    try {
      Path file = root.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, content + "\n");
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  TreeBuilder delete(String... paths) {
    try {
      for (String path : paths) {
        Files.delete(root.resolve(path));
      }
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  TreeBuilder deleteFolder(String path) {
    try (var files = Files.walk(root.resolve(path))) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  TreeBuilder topology(int cpu, String file, String content) {
    return write(CPUS + "cpu" + cpu + "/topology/" + file, content);
  }

  TreeBuilder cache(int cpu, int index, String file, String content) {
    return write(CPUS + "cpu" + cpu + "/cache/index" + index + "/" + file, content);
  }

  TreeBuilder cpu(String file, String content) {
    return write(CPUS + file, content);
  }

  TreeBuilder node(int node, String cpus) {
    return write(NODES + "node" + node + "/cpulist", cpus)
        .write(NODES + "node" + node + "/meminfo", "Node " + node + " MemTotal:       1048576 kB");
  }

  static String hex(CpuSet set) {
    return Long.toHexString(set.word(0));
  }

  Path root() {
    return root;
  }
}
