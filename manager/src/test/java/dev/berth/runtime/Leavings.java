package dev.berth.runtime;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What outlives a runtime that was killed: shims, containers, mounts, sockets. All of it is known
 * by the folder in which the runtime had its things, so nothing of anybody else's is taken.
 */
final class Leavings {
  private static final Pattern ADDRESS = Pattern.compile("unix://(/[^\"\\s]+)");
  private static final int BUNDLE_DEPTH = 4;

  private final Path folder;
  private final NodeGroups groups;

  Leavings(Path folder, NodeGroups groups) {
    this.folder = folder;
    this.groups = groups;
  }

  /** Removes everything. The runtime itself must have ended. */
  void remove() throws IOException {
    List<Path> sockets = shimSockets();
    // Shims first, for they are told when a container ends, and would act on it.
    Waiting.until("all shims to be gone", () -> killed(shims()));
    Waiting.until("all containers to be gone", () -> killed(groups.processes()));
    unmount();
    groups.close();
    for (Path socket : sockets) {
      Files.deleteIfExists(socket);
    }
    delete();
  }

  /** Kills these; whether there were none. */
  private static boolean killed(List<Long> processes) {
    processes.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    return processes.isEmpty();
  }

  private List<Long> shims() {
    return ProcessHandle.allProcesses()
        .filter(process -> words(process.pid()).contains(folder.toString()))
        .map(ProcessHandle::pid)
        .toList();
  }

  /**
   * The command line of a shim, or of CRI-O's conmon, names the folder. Nobody's is read who has
   * ended.
   */
  private static String words(long pid) {
    try {
      String line =
          Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
      return line.contains("containerd-shim") || line.contains("conmon") ? line : "";
    } catch (IOException e) {
      return "";
    }
  }

  /** Sockets of shims lie outside the folder; each bundle says where. */
  private List<Path> shimSockets() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path file : bundleFiles()) {
      Matcher address = ADDRESS.matcher(Files.readString(file));
      while (address.find()) {
        found.add(Path.of(address.group(1)));
      }
    }
    return found;
  }

  private List<Path> bundleFiles() throws IOException {
    try (Stream<Path> files =
        Files.find(
            folder.resolve("state"),
            BUNDLE_DEPTH,
            (file, _) -> file.endsWith("address") || file.endsWith("bootstrap.json"))) {
      return files.toList();
    }
  }

  private void unmount() throws IOException {
    for (String mount : mounts()) {
      Process process =
          new ProcessBuilder("umount", "-l", mount)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.onExit().join();
    }
    if (!mounts().isEmpty()) {
      throw new IOException("still mounted: " + mounts());
    }
  }

  private List<String> mounts() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/mounts"))) {
      return lines
          .map(line -> line.split(" ", -1)[1])
          .filter(path -> Path.of(path).startsWith(folder))
          .sorted(Comparator.reverseOrder())
          .toList();
    }
  }

  private void delete() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
