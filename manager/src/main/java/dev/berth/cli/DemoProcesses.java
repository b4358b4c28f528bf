package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.demo.Neighbour;
import dev.berth.demo.Phase;
import dev.berth.demo.Probe;
import dev.berth.demo.Reading;
import dev.berth.linux.ProcessId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The probe and its neighbours, each started by {@code berth run} as any command would be. Whatever
 * happens, none of them stays: they end when this process does, which closes their standard input.
 */
final class DemoProcesses implements AutoCloseable {
  /** Neither collects garbage while it measures nor writes figures about itself to a file. */
  private static final List<String> PROBE_OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:-UsePerfData",
          "-Xmx32m",
          "--enable-native-access=ALL-UNNAMED");

  private static final List<String> NEIGHBOUR_OPTIONS =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx320m");

  /** A shell's code for a command that Ctrl-C ended; the JVM ends with that of the signal. */
  private static final int INTERRUPTED = 130;

  private static final long PATIENCE_SECONDS = 10;
  private static final long PAUSE_MILLIS = 20;

  private final AgentClient client;
  private final List<String> agentFlags;
  private final boolean bringsAgent;
  private final List<Process> started = new ArrayList<>();
  private final Thread hook = Thread.ofPlatform().unstarted(this::endAll);
  private final String name = "demo-" + ProcessHandle.current().pid();
  private int probes;
  private boolean isEnding;

  /** One of them ended before it had done what it was for. */
  static final class EndedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int code;

    private EndedException(int code, String words) {
      super(words);
      this.code = code;
    }

    /** A refusal's code is that of a refusal, everything else is input that does not do. */
    int code() {
      return code == ExitCode.REFUSED.number()
              || code == ExitCode.UNREACHABLE.number()
              || code == INTERRUPTED
          ? code
          : ExitCode.INVALID.number();
    }

    List<String> lines() {
      return String.valueOf(getMessage()).lines().toList();
    }
  }

  /**
   * None so far.
   *
   * @param agentFlags what {@code berth run} is told about an agent that it brings
   */
  DemoProcesses(AgentClient client, List<String> agentFlags) {
    this.client = client;
    this.agentFlags = List.copyOf(agentFlags);
    bringsAgent = !BroughtAgent.answers(client.socket());
    if (!bringsAgent && client.askJson("GET", "/about", "").path("pretending").asBoolean(false)) {
      throw new InvalidInputException(
          client.socket() + ": expected an agent of this machine, found one that pretends another");
    }
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Runs a probe from its start to its end. */
  Reading probe(Phase phase, DemoSetting setting) throws IOException, InterruptedException {
    List<String> words = berthRun("probe-" + probes++);
    String cpus = String.valueOf(setting.cpus());
    // The same weight in the shared case as it has with CPUs of its own: it asks for as many.
    words.addAll(
        switch (phase) {
          case IDLE, SHARED -> List.of("--requested-cpus", cpus);
          // The one before may just be leaving.
          case EXCLUSIVE -> List.of("--cpus", cpus, "--wait=" + PATIENCE_SECONDS + "s");
        });
    if (phase == Phase.EXCLUSIVE) {
      setting.wishes().forEach(wish -> words.add("--" + wish.word()));
    }
    words.add("--");
    words.addAll(OwnProgram.words(Probe.class, PROBE_OPTIONS));
    words.add(cpus);
    words.add(String.valueOf(setting.sliceSeconds(phase)));
    Process process = start(words);
    Reading reading = Reading.parse(firstLine(process));
    process.waitFor();
    return reading;
  }

  /**
   * Starts neighbours, and returns once they run: two threads for each CPU, and together they ask
   * for what the probe leaves, as on a machine that is fully booked.
   */
  void neighbours(int threads, DemoSetting setting) throws IOException {
    int rest = Math.max(1, threads - setting.cpus());
    for (Neighbour.Habit habit : Neighbour.Habit.values()) {
      List<String> words = berthRun(habit.word());
      int millis = 1_000 * rest / Neighbour.Habit.values().length;
      words.addAll(List.of("--requested-cpus", millis + "m", "--"));
      words.addAll(OwnProgram.words(Neighbour.class, NEIGHBOUR_OPTIONS));
      words.addAll(List.of(habit.word(), String.valueOf(threads)));
      firstLine(start(words));
    }
  }

  private List<String> berthRun(String what) {
    List<String> words = new ArrayList<>(OwnProgram.words());
    words.addAll(List.of("run", "--socket", client.socket().toAbsolutePath().toString()));
    words.addAll(agentFlags);
    words.addAll(List.of("--name", name + "-" + what));
    return words;
  }

  private synchronized Process start(List<String> words) throws IOException {
    if (isEnding) {
      throw new EndedException(INTERRUPTED, "");
    }
    Process process = new ProcessBuilder(words).start();
    started.add(process);
    return process;
  }

  private String firstLine(Process process) {
    String complaint;
    try {
      String line = process.inputReader(StandardCharsets.UTF_8).readLine();
      if (line != null) {
        return line;
      }
      complaint = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      complaint = "berth: the demo's process is not to be heard: " + e.getMessage();
    }
    int code = process.onExit().join().exitValue();
    synchronized (this) {
      if (isEnding) {
        throw new EndedException(INTERRUPTED, "");
      }
    }
    throw new EndedException(
        code, complaint.isBlank() ? "berth: the demo's process ended with " + code : complaint);
  }

  /** Ends all, and has an agent that was brought along end too. */
  @Override
  public void close() {
    endAll();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process ends already, and the hook does the same.
    }
  }

  private synchronized void endAll() {
    isEnding = true;
    Optional<ProcessId> agent = broughtAgent();
    started.forEach(Process::destroy);
    for (Process process : started) {
      try {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
    started.clear();
    agent.ifPresent(DemoProcesses::awaitEnd);
  }

  /** Asked while it still has somebody to look after. */
  private Optional<ProcessId> broughtAgent() {
    if (!bringsAgent || started.isEmpty()) {
      return Optional.empty();
    }
    try {
      return ProcessId.of(client.askJson("GET", "/about", "").path("pid").asLong(0));
    } catch (AgentClient.UnreachableException e) {
      return Optional.empty();
    }
  }

  /** It ends by itself once nobody is left, unless somebody else has come to it meanwhile. */
  private static void awaitEnd(ProcessId agent) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (agent.isAlive() && System.nanoTime() < until) {
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
