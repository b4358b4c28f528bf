package dev.berth.agent;

import dev.berth.cgroup.Bystanders;
import dev.berth.cpu.CpuSet;
import dev.berth.linux.Company;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What a real agent leaves when it is killed: groups, with containers in them, and a folder. */
final class Leftovers {
  private Leftovers() {}

  /** Where an agent with this state speaks with the shells of its containers. */
  static Path runtime(Path runtimes, Path state) {
    return runtimes.resolve(
        UUID.nameUUIDFromBytes(
                state.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8))
            .toString());
  }

  /** The groups of this name that there are, in any hierarchy. */
  static List<Path> groups(String cgroup) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> hierarchies = Files.newDirectoryStream(Path.of("/sys/fs/cgroup"))) {
      for (Path hierarchy : hierarchies) {
        Path group = hierarchy.resolve(cgroup);
        if (Files.isDirectory(group)) {
          found.add(group);
        }
      }
    }
    Path unified = Path.of("/sys/fs/cgroup", cgroup);
    if (Files.isDirectory(unified)) {
      found.add(unified);
    }
    return found;
  }

  /**
   * Kills all containers in groups of this name, and removes these and a folder. Who was kept off
   * CPUs for them goes where they like again.
   */
  static void clean(String cgroup, Path runtime) throws IOException, InterruptedException {
    for (Path group : groups(cgroup)) {
      sweep(group);
    }
    if (Files.isWritable(Path.of("/sys/fs/cgroup/cpuset"))) {
      Bystanders.find(cgroup, Company::isFixed).keepOff(CpuSet.EMPTY);
    }
    delete(runtime);
  }

  /** Removes what root's agents that were started by a script have left, with all containers. */
  static void cleanAfterScript(String cgroup, Path state) throws IOException, InterruptedException {
    clean(cgroup, runtime(Path.of("/run/berth"), state));
  }

  /** Kills what is left in a group and removes it, leaves first. */
  private static void sweep(Path group) throws IOException, InterruptedException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(group)) {
      for (Path entry : entries) {
        if (Files.isDirectory(entry)) {
          sweep(entry);
        }
      }
    }
    for (int i = 0; i < 200 && Files.exists(group); i++) {
      for (String pid : Files.readAllLines(group.resolve("cgroup.procs"))) {
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
      }
      try {
        Files.delete(group);
      } catch (IOException e) {
        Thread.sleep(10);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
        for (Path entry : entries) {
          delete(entry);
        }
      }
    }
    Files.deleteIfExists(folder);
  }
}
