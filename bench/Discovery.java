import dev.berth.linux.Sysfs;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of {@code bench/discovery}, each for a JVM of its own: {@code tree DIR} writes what a
 * machine of 512 CPUs shows (2 sockets, 8 NUMA nodes, 32 L3 caches, 2 threads a core), {@code first
 * DIR} discovers it and {@code files DIR} only reads the same files; both print microseconds.
 */
final class Discovery {
  private static final int CPUS = 512;
  private static final int CORES = CPUS / 2;
  private static final String CPU = "sys/devices/system/cpu/";
  private static final String NODE = "sys/devices/system/node/";

  private Discovery() {}

  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[1]);
    long start = System.nanoTime();
    switch (arguments[0]) {
      case "tree" -> new Discovery().tree(root);
      case "first" -> {
        if (Sysfs.discover(root).cpus().size() != CPUS) {
          throw new IllegalStateException("not " + CPUS + " CPUs");
        }
      }
      case "files" -> read(root);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.out.println((System.nanoTime() - start) / 1_000);
  }

  private static void read(Path root) throws IOException {
    byte[] page = new byte[4096];
    for (String file : read()) {
      try (var in = new FileInputStream(root + "/" + file)) {
        in.read(page);
      }
    }
  }

  /** What a discovery opens of the tree, but for those that are not there. */
  private static List<String> read() {
    List<String> files = new ArrayList<>(List.of(CPU + "online", CPU + "present", CPU + "isolated"));
    for (int cpu = 0; cpu < CORES; cpu++) {
      files.add(CPU + "cpu" + cpu + "/topology/core_cpus_list");
      files.add(CPU + "cpu" + cpu + "/topology/cluster_id");
      files.add(CPU + "cpu" + cpu + "/topology/cluster_cpus_list");
    }
    for (int cpu = 0; cpu < CORES; cpu += 8) {
      for (String name : List.of("level", "id", "shared_cpu_list")) {
        files.add(CPU + "cpu" + cpu + "/cache/index3/" + name);
      }
    }
    for (int node = 0; node < 8; node++) {
      for (String name : List.of("cpulist", "meminfo", "distance")) {
        files.add(NODE + "node" + node + "/" + name);
      }
    }
    return files;
  }

  private void tree(Path root) throws IOException {
    for (String name : List.of("online", "present", "possible")) {
      write(root, CPU + name, "0-" + (CPUS - 1));
    }
    write(root, CPU + "isolated", "");
    for (int cpu = 0; cpu < CPUS; cpu++) {
      cpu(root, cpu, cpu % CORES);
    }
    write(root, NODE + "online", "0-7");
    for (int node = 0; node < 8; node++) {
      String folder = NODE + "node" + node + "/";
      write(root, folder + "cpulist", threads(node * 32, 32));
      write(root, folder + "meminfo", "Node " + node + " MemTotal:       131072000 kB");
      write(root, folder + "hugepages/hugepages-2048kB/nr_hugepages", "0");
      StringBuilder row = new StringBuilder();
      for (int other = 0; other < 8; other++) {
        row.append(other == node ? "10 " : other / 4 == node / 4 ? "12 " : "32 ");
      }
      write(root, folder + "distance", row.toString());
    }
  }

  private static void cpu(Path root, int cpu, int core) throws IOException {
    String topology = CPU + "cpu" + cpu + "/topology/";
    String siblings = core + "," + (core + CORES);
    String socket = threads(core / 128 * 128, 128);
    write(root, topology + "core_cpus_list", siblings);
    write(root, topology + "cluster_cpus_list", siblings);
    write(root, topology + "cluster_id", String.valueOf(core));
    write(root, topology + "package_cpus_list", socket);
    write(root, topology + "physical_package_id", String.valueOf(core / 128));
    write(root, topology + "die_cpus_list", socket);
    write(root, topology + "die_id", "0");
    String cache = CPU + "cpu" + cpu + "/cache/index3/";
    write(root, cache + "level", "3");
    write(root, cache + "id", String.valueOf(core / 8));
    write(root, cache + "shared_cpu_list", threads(core / 8 * 8, 8));
  }

  /** Both threads of so many cores. */
  private static String threads(int first, int cores) {
    int last = first + cores - 1;
    return first + "-" + last + "," + (first + CORES) + "-" + (last + CORES);
  }

  private static void write(Path root, String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }
}
