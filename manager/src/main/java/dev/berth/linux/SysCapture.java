package dev.berth.linux;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files by which a machine is discovered, to be looked at on another one: {@link
 * Sysfs#discover} reads them back.
 */
public final class SysCapture {
  /** Folder by folder, each a regular expression. */
  private static final List<String> FILES =
      List.of(
          "proc/meminfo",
          "sys/devices/system/cpu/(online|offline|possible|present|isolated|kernel_max)",
          "sys/devices/system/cpu/smt/(active|control)",
          "sys/devices/system/cpu/cpu[0-9]+/(online|cpu_capacity)",
          "sys/devices/system/cpu/cpu[0-9]+/topology/[a-z_]+",
          "sys/devices/system/cpu/cpu[0-9]+/cpufreq/(cpuinfo_max_freq|base_frequency)",
          "sys/devices/system/cpu/cpu[0-9]+/cache/index[0-9]+/(id|level|type|size|shared_cpu_.*)",
          "sys/devices/system/node/(online|possible|has_cpu|has_memory)",
          "sys/devices/system/node/node[0-9]+/(cpulist|cpumap|distance|meminfo)",
          "sys/devices/system/node/node[0-9]+/hugepages/.*/nr_hugepages",
          "sys/devices/system/cpu/types/.*/cpulist",
          "sys/devices/(cpu_core|cpu_atom|cpu_lowpower)/cpus",
          "sys/kernel/mm/hugepages/.*/nr_hugepages");

  private SysCapture() {}

  /** What there is, by its path from the root on. */
  public static SortedMap<String, byte[]> files(Path root) {
    SortedMap<String, byte[]> found = new TreeMap<>();
    FILES.forEach(path -> collect(root, "", Arrays.asList(path.split("/", -1)), found));
    return found;
  }

  private static void collect(
      Path folder, String prefix, List<String> path, SortedMap<String, byte[]> found) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        String name = String.valueOf(entry.getFileName());
        if (!name.matches(path.getFirst())) {
          continue;
        }
        if (path.size() > 1) {
          collect(entry, prefix + name + "/", path.subList(1, path.size()), found);
        } else if (Files.isRegularFile(entry)) {
          found.put(prefix + name, Files.readAllBytes(entry));
        }
      }
    } catch (IOException e) {
      // What is not there or cannot be read is missing, as it is for discovery.
      return;
    }
  }
}
