package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.http.HttpExchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The agent that a command brings along where none listens. */
final class BroughtAgent {
  private static final long PATIENCE = 30_000_000_000L;
  private static final long PAUSE = 20;
  private static final long LONGEST_LOG = 1 << 20;

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "State folder of an agent that is brought along. Default: as berth agent.")
  private @Nullable Path state;

  @Option(
      names = "--cgroup",
      paramLabel = "NAME",
      description = "Group of an agent that is brought along. Default: berth.")
  private @Nullable String cgroup;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Configuration of an agent that is brought along.")
  private @Nullable Path config;

  /** Starts one, and returns once somebody answers: it, or another that was faster. */
  void start(Path socket) throws IOException, InterruptedException {
    Path log = log(state == null ? AgentPaths.of(System.getenv()).state() : state);
    Process agent =
        new ProcessBuilder(words(socket))
            .directory(Path.of("/").toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    long until = System.nanoTime() + PATIENCE;
    while (!answers(socket)) {
      // One that found the state taken has ended, and the other one is about to answer.
      if (System.nanoTime() > until
          || (!agent.isAlive() && agent.exitValue() != 0 && !taken(log))) {
        throw new InvalidInputException("the agent did not start: " + lastLine(log));
      }
      Thread.sleep(PAUSE);
    }
  }

  /** Where it writes; begun anew when it has become long. */
  private static Path log(Path folder) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path log = folder.resolve("agent.log");
    if (Files.exists(log) && Files.size(log) > LONGEST_LOG) {
      Files.delete(log);
    }
    return log;
  }

  private List<String> words(Path socket) {
    List<String> words = new ArrayList<>(List.of("setsid"));
    String script = System.getProperty("berth.script", "");
    if (script.isEmpty()) {
      words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      words.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp"));
      words.add(System.getProperty("java.class.path"));
      words.add(Main.class.getName());
    } else {
      words.add(script);
    }
    words.addAll(List.of("agent", "--passing", "--http", "off", "--socket"));
    words.add(socket.toAbsolutePath().toString());
    add(words, "--state", state == null ? null : state.toAbsolutePath().toString());
    add(words, "--cgroup", cgroup);
    add(words, "--config", config == null ? null : config.toAbsolutePath().toString());
    return words;
  }

  private static void add(List<String> words, String flag, @Nullable String value) {
    if (value != null) {
      words.add(flag);
      words.add(value);
    }
  }

  private static boolean answers(Path socket) {
    try (HttpExchange exchange = HttpExchange.send(socket, "GET", "/healthz", "")) {
      return exchange.status() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean taken(Path log) throws IOException {
    return lastLine(log).contains("in use by process");
  }

  private static String lastLine(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return lines.isEmpty() ? "it said nothing" : lines.getLast();
  }
}
