package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.http.HttpExchange;
import dev.berth.linux.ProcessId;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The agent that a command brings along where none listens. */
final class BroughtAgent implements Part {
  /** In nanoseconds; for one that lives. That one has ended is noticed at once. */
  private static final long PATIENCE = 120_000_000_000L;

  private static final long PAUSE = 20;

  /** In nanoseconds; one whose command has ended takes a tenth of this. */
  private static final long LONGEST_END = 3_000_000_000L;

  /** What tells one that was brought from others. */
  private static final String PASSING = "--passing";

  private static final long LONGEST_LOG = 1 << 20;

  /** The settings of one that isolates, in its state folder. */
  private static final String SETTINGS = "brought.yaml";

  /**
   * Starts a process that nobody here is the parent of, and prints its number. A command does not
   * expect a child that it did not start, and without groups an agent that is below the command
   * would look after itself. The shell in between ends only once the number is there.
   */
  private static final List<String> DETACHED =
      List.of(
          "sh",
          "-c",
          """
          echo "$(setsid -f sh -c 'echo $$; exec "$@" >/dev/null' berth-agent "$@")"\
          """,
          "berth-agent");

  private @Nullable Path state;
  private @Nullable String cgroup;
  private @Nullable Path config;
  private boolean isolating;
  private Optional<ProcessId> running = Optional.empty();

  @Override
  public void addTo(Syntax syntax) {
    syntax.with(
        Option.named("--state")
            .maybe("DIR", Path.class, value -> state = value)
            .says("State folder of an agent that is brought along. Default: as berth agent."),
        Option.named("--cgroup")
            .maybe("NAME", String.class, value -> cgroup = value)
            .says("Group of an agent that is brought along. Default: berth."),
        Option.named("--config")
            .maybe("FILE", Path.class, value -> config = value)
            .says("Configuration of an agent that is brought along."),
        Option.named("--isolating")
            .flag(value -> isolating = value)
            .hidden()
            .says("Has such an agent isolate CPUs where the kernel can, and take all but one."));
  }

  /**
   * Starts one, and returns once somebody answers: it, or another that was faster.
   *
   * @param alone how many containers have one CPU each that nobody is to disturb; 0 where none has,
   *     or they have more of them
   */
  void start(Path socket, int alone) throws IOException, InterruptedException {
    Path folder = state == null ? AgentPaths.of(System.getenv()).state() : state;
    Path log = log(folder);
    Optional<Path> settings = isolation(folder, alone);
    boolean isolates = settings.isPresent() && started(socket, log, settings.get());
    // Where containers run on from an agent before, they may keep CPUs from being isolated.
    if (!isolates && !started(socket, log, config)) {
      throw new InvalidInputException("the agent did not start: " + lastLine(log));
    }
  }

  /** Where one who was told of no settings finds those with which it isolates, if it is to. */
  private Optional<Path> isolation(Path folder, int alone) throws IOException {
    if (config != null || (alone == 0 && !isolating)) {
      return Optional.empty();
    }
    Optional<String> settings =
        Isolation.here(
            cgroup == null ? AgentCommand.CGROUP : cgroup,
            Math.max(1, alone),
            isolating ? Isolation.Rest.NEIGHBOURS : Isolation.Rest.SYSTEM);
    return settings.isEmpty()
        ? Optional.empty()
        : Optional.of(Files.writeString(folder.resolve(SETTINGS), settings.get()));
  }

  /**
   * Whether somebody answers, after one was started; false where that has ended.
   *
   * @throws InvalidInputException where it lives and does not answer: another one beside it would
   *     find the state taken
   */
  private boolean started(Path socket, Path log, @Nullable Path settings)
      throws IOException, InterruptedException {
    Process starter =
        new ProcessBuilder(words(socket, settings))
            .directory(Path.of("/").toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    Optional<ProcessId> agent = printed(starter);
    running = agent;
    long until = System.nanoTime() + PATIENCE;
    while (!answers(socket)) {
      // One that found the state taken has ended, and the other one is about to answer.
      if (agent.filter(ProcessId::isAlive).isEmpty() && !taken(log)) {
        return false;
      }
      if (System.nanoTime() > until) {
        throw new InvalidInputException("the agent does not answer: " + lastLine(log));
      }
      Thread.sleep(PAUSE);
    }
    return true;
  }

  /**
   * Waits until one that was started here has ended, if it is about to: the next command finds its
   * state folder free. One that others use goes on, and nobody waits for it.
   */
  void awaitEnd(Path socket) throws InterruptedException {
    while (running.filter(ProcessId::isAlive).isPresent() && !answers(socket, "/readyz")) {
      Thread.sleep(PAUSE);
    }
  }

  /**
   * Waits a moment for one that was brought for a command and has the state folder: it leaves as
   * soon as its command has ended. One that stays is named by the lock that is not to be had then.
   */
  static void awaitLeaving(Path state) throws InterruptedException {
    Optional<ProcessId> holder = holder(state.resolve("lock"));
    long until = System.nanoTime() + LONGEST_END;
    while (holder.filter(BroughtAgent::isPassing).isPresent() && System.nanoTime() < until) {
      Thread.sleep(PAUSE);
    }
  }

  private static Optional<ProcessId> holder(Path lock) {
    try {
      String pid = Files.readString(lock).strip();
      return pid.matches("[0-9]{1,10}") ? ProcessId.of(Long.parseLong(pid)) : Optional.empty();
    } catch (IOException e) {
      // Nobody has had the folder yet.
      return Optional.empty();
    }
  }

  private static boolean isPassing(ProcessId agent) {
    try {
      Path words = Path.of("/proc", String.valueOf(agent.pid()), "cmdline");
      return agent.isAlive() && Files.readString(words).contains("\0" + PASSING + "\0");
    } catch (IOException e) {
      return false;
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

  /** The agent by the number that {@link #DETACHED} prints; none where it has ended already. */
  private static Optional<ProcessId> printed(Process starter) throws IOException {
    try (BufferedReader reader = starter.inputReader(StandardCharsets.US_ASCII)) {
      String line = reader.readLine();
      return line != null && line.matches("[0-9]{1,10}")
          ? ProcessId.of(Long.parseLong(line))
          : Optional.empty();
    }
  }

  private List<String> words(Path socket, @Nullable Path settings) {
    List<String> words = new ArrayList<>(DETACHED);
    words.addAll(OwnProgram.words());
    words.addAll(List.of("agent", PASSING, "--http", "off", "--socket"));
    words.add(socket.toAbsolutePath().toString());
    words.addAll(flags(settings));
    return words;
  }

  /**
   * What was said about an agent to bring, for another command that brings it.
   *
   * @param alone whether that or a later one is to have a CPU that nobody disturbs
   */
  List<String> flags(boolean alone) {
    List<String> words = flags(config);
    if (alone) {
      words.add("--isolating");
    }
    return words;
  }

  private List<String> flags(@Nullable Path settings) {
    List<String> words = new ArrayList<>();
    add(words, "--state", state == null ? null : state.toAbsolutePath().toString());
    add(words, "--cgroup", cgroup);
    add(words, "--config", settings == null ? null : settings.toAbsolutePath().toString());
    return words;
  }

  private static void add(List<String> words, String flag, @Nullable String value) {
    if (value != null) {
      words.add(flag);
      words.add(value);
    }
  }

  /** Whether an agent is there. */
  static boolean answers(Path socket) {
    return answers(socket, "/healthz");
  }

  private static boolean answers(Path socket, String path) {
    try (HttpExchange exchange = HttpExchange.send(socket, "GET", path, "")) {
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
