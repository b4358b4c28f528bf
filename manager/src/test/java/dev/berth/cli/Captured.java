package dev.berth.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Runs commands without a process and keeps what they said. */
final class Captured {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Output output =
      new Output(
          new PrintStream(out, false, StandardCharsets.UTF_8),
          new PrintStream(err, true, StandardCharsets.UTF_8),
          false,
          false,
          Output.DEFAULT_WIDTH);

  /** Where commands under test are to write. */
  Output output() {
    return output;
  }

  /** Runs {@code berth} with its real commands; the exit code is the answer. */
  int berth(String... arguments) {
    return Main.run(List.of(arguments), output, Map.of());
  }

  /** Runs {@code berth} with commands of the test's own. */
  int run(List<Command> commands, String... arguments) {
    return Main.run(List.of(arguments), output, Map.of(), commands);
  }

  String out() {
    output.out().flush();
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
