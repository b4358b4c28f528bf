package dev.berth.hwloc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The real {@code lstopo}; tests that ask for it are skipped where it is not installed. */
final class Lstopo {
  private static final String PROGRAM = "lstopo-no-graphics";

  private Lstopo() {}

  /** Skips the test unless {@code lstopo} of version 2 is there. */
  static void assume() {
    boolean found;
    try {
      found = run(List.of("--version")).contains(" 2.");
    } catch (IOException e) {
      found = false;
    }
    Assumptions.assumeTrue(found, "no lstopo 2.x (Debian: apt install hwloc-nox)");
  }

  /** What {@code lstopo} exports of {@code input}, a file, folder or spec. */
  static String xml(Path scratch, String format, String input) throws IOException {
    Path file = scratch.resolve("lstopo.xml");
    run(List.of("-f", "--if", format, "-i", input, "--no-io", "--of", "xml", file.toString()));
    return Files.readString(file);
  }

  /** What {@code lstopo} shows of an XML file on a terminal, with the kernel's numbers. */
  static String console(Path file) throws IOException {
    return run(List.of("--if", "xml", "-i", file.toString(), "-p", "--of", "console"));
  }

  private static String run(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(PROGRAM));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + output.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return output;
  }
}
