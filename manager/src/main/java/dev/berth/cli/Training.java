package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/**
 * Runs the usual commands once, unheard. The build lets the JVM watch, which keeps what it loaded
 * and linked in a cache that makes later starts faster. A command line that is missing here works,
 * only slower.
 */
final class Training {
  static final List<List<String>> COMMAND_LINES =
      List.of(
          List.of("--version"),
          List.of("--help"),
          List.of("help"),
          List.of("state", "--help"),
          List.of("topology"),
          List.of("topology", "-o", "json"));

  private Training() {}

  /** The entry that the start script calls. */
  public static void main(String[] arguments) {
    var nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
    var output = new Output(nowhere, nowhere, false, false, Output.DEFAULT_WIDTH);
    COMMAND_LINES.forEach(line -> Main.run(line, output, Map.of()));
  }
}
