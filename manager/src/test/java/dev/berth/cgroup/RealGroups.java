package dev.berth.cgroup;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Groups of this machine's kernel under a name of the test's own; gone again when closed. */
final class RealGroups implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final List<Process> started = new ArrayList<>();
  private final Cgroups cgroups;

  private RealGroups(Cgroups cgroups) {
    this.cgroups = cgroups;
  }

  static RealGroups open() {
    String name = "berth-test-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
    return switch (Cgroups.detect(name)) {
      case Detected.Unusable(String why) -> abort("real cgroups: " + why);
      case Detected.Usable(Cgroups cgroups) -> {
        assumeTrue(!cgroups.isUnified(), "real cgroups: these tests are for version 1");
        yield new RealGroups(cgroups);
      }
    };
  }

  Cgroups cgroups() {
    return cgroups;
  }

  /** A process that is in the group from its first program on. */
  Process start(GroupPath group, String command) throws IOException {
    StringBuilder script = new StringBuilder();
    for (Path file : cgroups.joinFiles(group)) {
      script.append("echo 0 > ").append(file).append(" || exit 9; ");
    }
    Process process = new ProcessBuilder("sh", "-c", script + "echo; " + command).start();
    started.add(process);
    if (process.getInputStream().read() != '\n') {
      throw new IOException(
          "could not join: "
              + new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
    }
    return process;
  }

  static String allowed(long process) throws IOException {
    Optional<String> line =
        Files.readAllLines(Path.of("/proc/" + process + "/status")).stream()
            .filter(text -> text.startsWith("Cpus_allowed_list:"))
            .findFirst();
    return line.orElseThrow().substring("Cpus_allowed_list:".length()).strip();
  }

  /** A file of a group as the kernel shows it. */
  String file(GroupPath group, String name) throws IOException {
    for (Path join : cgroups.joinFiles(group)) {
      Path file = join.resolveSibling(name);
      if (Files.exists(file)) {
        return Files.readString(file).strip();
      }
    }
    throw new IOException("no " + name + " in " + group);
  }

  /** Writes to a file of a group behind our back. */
  void meddle(GroupPath group, String name, String value) throws IOException {
    for (Path join : cgroups.joinFiles(group)) {
      Path file = join.resolveSibling(name);
      if (Files.exists(file)) {
        Files.writeString(file, value);
      }
    }
  }

  /**
   * On a machine that is busy it takes longer than an agent waits until a killed process is gone.
   */
  @Override
  public void close() {
    started.forEach(Process::destroyForcibly);
    long end = System.nanoTime() + PATIENCE.toNanos();
    Optional<Failure> failure;
    do {
      cgroups.kill(GroupPath.OWN);
      failure = cgroups.remove(GroupPath.OWN);
    } while (failure.isPresent() && System.nanoTime() < end);
    failure.ifPresent(left -> {
      throw new AssertionError("left behind: " + left);
    });
  }
}
