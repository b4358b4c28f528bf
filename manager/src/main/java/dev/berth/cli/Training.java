package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.Rehearsal;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Node;
import dev.berth.topology.Machines;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Runs the usual commands or an agent once, unheard. The build lets the JVM watch, which keeps what
 * it loaded and linked in a cache that makes later starts faster. A command line that is missing
 * here works, only slower.
 */
final class Training {
  /** What an agent is asked that decides but touches nothing. */
  static final List<List<String>> QUESTIONS =
      List.of(
          List.of("ps"),
          List.of("ps", "-o", "json"),
          List.of("explain", "alone"),
          List.of("events", "--no-follow"),
          List.of("rm", "shared"));

  private static final String PODS =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: shared}
      spec: {containers: [{name: app, command: [sleep, "1"]}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: alone}
      spec:
        containers:
        - name: app
          command: [sleep, "1"]
          resources: {limits: {cpu: "2", memory: 1Mi}}
      """;

  private static final String MACHINE = "pack:1 node:2(memory=4GiB) l3:2 core:2 pu:2";

  /** Long enough for an agent to come up under any JVM that watches it. */
  private static final long PATIENCE = 10_000;

  private Training() {}

  /**
   * The entry that the start script calls.
   *
   * @param arguments {@code commands} or {@code agent}
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    var nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
    var output = new Output(nowhere, nowhere, false, false, Output.DEFAULT_WIDTH);
    // A command has its output made from what it finds; this goes to whoever called.
    PrintStream standard = Output.standard(Map.of()).out();
    standard.println("training");
    standard.flush();
    Path folder = Files.createTempDirectory("berth-training");
    try {
      if (arguments[0].equals("commands")) {
        commands(folder, output);
      } else {
        withAgent(folder, output);
        Rehearsal.play(folder, Node.start(Machines.parse(MACHINE), Configuration.DEFAULTS));
      }
    } finally {
      remove(folder);
    }
    // What the JVM does to end is part of every start.
    System.exit(0);
  }

  /** Runs every command, those that ask an agent with one in a JVM of its own. */
  private static void commands(Path folder, Output output)
      throws IOException, InterruptedException {
    for (List<String> line : Lessons.in(folder)) {
      learn(line, ExitCode.DONE, output);
    }
    for (List<String> line : Lessons.WRONG) {
      learn(line, ExitCode.INVALID, output);
    }
    Path apart = Files.createDirectory(folder.resolve("apart"));
    Path socket = apart.resolve("socket");
    List<String> words = new ArrayList<>(OwnProgram.words());
    words.addAll(agentLine(apart, socket));
    Process agent = new ProcessBuilder(words).inheritIO().start();
    try {
      await(agent::isAlive, socket);
      questions(apart, socket, output);
      if (!agent.waitFor(PATIENCE, TimeUnit.MILLISECONDS)) {
        complain(words, "expected it to end with the last pod, found it running");
      }
    } finally {
      agent.destroyForcibly().waitFor();
    }
  }

  /** Does what a start does before and besides the command, too. */
  private static void learn(List<String> line, ExitCode expected, Output output) {
    HeadStart.give(line);
    expect(expected, Main.run(line, output, Map.of()), line);
  }

  /** What ends otherwise has taught little. The start script shows lines that begin so. */
  private static void expect(ExitCode expected, int found, List<String> line) {
    if (found != expected.number()) {
      complain(line, "expected exit code " + expected.number() + ", found " + found);
    }
  }

  private static void complain(List<String> line, String what) {
    System.err.println("training: " + String.join(" ", line) + ": " + what);
  }

  /** Runs an agent on a pretended machine and asks it; the exit codes, the agent's own last. */
  static List<Integer> withAgent(Path folder, Output output)
      throws IOException, InterruptedException {
    Path socket = folder.resolve("socket");
    List<String> agentLine = agentLine(folder, socket);
    List<Integer> codes = new ArrayList<>();
    Thread agent =
        Thread.ofPlatform()
            .name("berth-trained")
            .start(() -> {
              int code = Main.run(agentLine, output, Map.of());
              synchronized (codes) {
                codes.add(code);
              }
            });
    await(agent::isAlive, socket);
    List<Integer> answered = questions(folder, socket, output);
    agent.join(PATIENCE);
    synchronized (codes) {
      if (codes.isEmpty()) {
        complain(agentLine, "expected it to end with the last pod, found it running");
      }
      codes.forEach(code -> expect(ExitCode.DONE, code, agentLine));
      codes.addAll(0, answered);
      return List.copyOf(codes);
    }
  }

  /** Asks an agent until it ends; the exit codes. */
  private static List<Integer> questions(Path folder, Path socket, Output output)
      throws IOException {
    Path pods = Files.writeString(folder.resolve("pods.yaml"), PODS);
    List<Integer> codes = new ArrayList<>();
    codes.add(ask(List.of("apply", "-f", pods.toString()), socket, output));
    for (List<String> line : QUESTIONS) {
      codes.add(ask(line, socket, output));
    }
    // With nobody left the agent ends, perhaps before it has answered.
    Main.run(asked(List.of("rm", "alone"), socket), output, Map.of());
    return codes;
  }

  private static List<String> agentLine(Path folder, Path socket) throws IOException {
    Path configuration = Files.writeString(folder.resolve("configuration.yaml"), Lessons.SETTINGS);
    return List.of(
        "agent",
        "--passing",
        "--machine",
        MACHINE,
        "--config",
        configuration.toString(),
        "--state",
        folder.resolve("state").toString(),
        "--socket",
        socket.toString(),
        "--http",
        "off");
  }

  private static void await(BooleanSupplier alive, Path socket) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE * 1_000_000;
    while (alive.getAsBoolean() && !Files.exists(socket) && System.nanoTime() < until) {
      Thread.sleep(1);
    }
  }

  private static int ask(List<String> line, Path socket, Output output) {
    List<String> words = asked(line, socket);
    int code = Main.run(words, output, Map.of());
    expect(ExitCode.DONE, code, words);
    return code;
  }

  private static List<String> asked(List<String> line, Path socket) {
    List<String> words = new ArrayList<>(line);
    words.addAll(List.of("--socket", socket.toString()));
    return words;
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
