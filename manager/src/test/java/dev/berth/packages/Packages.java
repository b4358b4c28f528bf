package dev.berth.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What {@code scripts/package} has made, and programs that know nothing of this machine's Java. */
final class Packages {
  private static final Path FOLDER = Path.of("../target/packages").toAbsolutePath().normalize();

  /** A cache that does not fit is passed over in silence, unless it is asked for. */
  private static final String CACHE_IS_USED = "BERTH_JAVA_OPTS=-XX:AOTMode=on";

  /** Far more than any of them takes. */
  private static final int MINUTES = 5;

  private Packages() {}

  /** How a program ended, and all that it said. */
  record Ended(int code, String said) {}

  /** The package whose file name matches. */
  static Path named(String pattern) throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(FOLDER)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(FOLDER, pattern)) {
        files.forEach(found::add);
      }
    }
    assumeTrue(!found.isEmpty(), "packages: scripts/package has not made " + pattern);
    assertThat(found).as("packages named " + pattern).hasSize(1);
    return found.getFirst();
  }

  /** Runs a program with nothing in its environment but a path without Java. */
  static Ended run(Path folder, String... words) throws IOException {
    return run(folder, List.of(words));
  }

  static Ended run(Path folder, List<String> words) throws IOException {
    Process process = begin(folder, words);
    CompletableFuture<Void> limit =
        CompletableFuture.runAsync(
            () -> end(process), CompletableFuture.delayedExecutor(MINUTES, TimeUnit.MINUTES));
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.onExit().join().exitValue();
    if (!limit.cancel(false)) {
      throw new IOException(words + " has not ended after " + MINUTES + " minutes: " + said);
    }
    return new Ended(code, said);
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  static Process begin(Path folder, List<String> words) throws IOException {
    List<String> line = new ArrayList<>(List.of("env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"));
    line.add(CACHE_IS_USED);
    line.addAll(words);
    return new ProcessBuilder(line)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectInput(Path.of("/dev/null").toFile())
        .start();
  }

  /** Whether this machine has a program. */
  static boolean has(String program) throws IOException {
    return run(Path.of("/"), "sh", "-c", "command -v " + program).code() == 0;
  }
}
