package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.demo.Outcome;
import dev.berth.demo.Phase;
import dev.berth.demo.Reading;
import dev.berth.json.Json;
import dev.berth.workload.CpuWish;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth demo}: what a CPU of one's own is worth on this machine. */
final class DemoCommand implements Command {
  static final String SUMMARY =
      "Shows what a CPU of one's own is worth on this machine: how late a small program wakes that"
          + " shares the CPUs with greedy neighbours, and how late on a CPU that Berth gives it.";

  private static final int MOST_SECONDS = 3_600;
  private static final int MOST_CPUS = 64;

  /** Long enough for a probe to be worth its start, short enough for many turns. */
  private static final double SLICE_SECONDS = 2;

  private final Output output;
  private final AgentClient client = new AgentClient();
  private final BroughtAgent brought = new BroughtAgent();
  private int seconds = 10;
  private int cpus = 1;
  private boolean asleep;
  private boolean disturbed;
  private OutputFormat format = OutputFormat.TEXT;

  DemoCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "demo", SUMMARY)
        .with(
            client,
            brought,
            this::extent,
            this::moderation,
            Option.named("-o")
                .takes("FORMAT", OutputFormat.class, format, value -> format = value)
                .says("text or json."))
        .footer(
            "",
            "Needs two CPUs at least, of which Berth can give one away. The neighbours keep all the"
                + " others busy as long as it lasts. As root they are in cgroups, else bound to"
                + " their CPUs. Nothing is left behind, also after Ctrl-C. docs/demo.md tells how"
                + " to read it.",
            "",
            "Examples:",
            "  berth demo",
            "  berth demo --seconds 60 --cpus 2",
            "  berth demo -o json > demo.json")
        .spec();
  }

  /** How much it measures. */
  private void extent(Syntax syntax) {
    syntax.with(
        Option.named("--seconds")
            .takes("S", int.class, seconds, value -> seconds = value)
            .says("How long it measures shared, and how long exclusive. Default: 10."),
        Option.named("--cpus")
            .takes("N", int.class, cpus, value -> cpus = value)
            .says("CPUs that the program gets for itself; it has a thread for each. Default: 1."));
  }

  /** What is not asked for its CPUs. */
  private void moderation(Syntax syntax) {
    syntax.with(
        Option.named("--no-awake")
            .flag(value -> asleep = value)
            .says("Lets its CPUs sleep where nothing is to do, rather than keep them awake."),
        Option.named("--no-undisturbed")
            .flag(value -> disturbed = value)
            .says(
                "Leaves the machine's own programs and the kernel's threads on its CPUs too,"
                    + " rather than keep them off."));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    check("--seconds", seconds, MOST_SECONDS);
    check("--cpus", cpus, MOST_CPUS);
    int there = Runtime.getRuntime().availableProcessors();
    if (there <= cpus) {
      throw new InvalidInputException(
          "berth demo: expected " + (cpus + 1) + " CPUs at least, one to share, found " + there);
    }
    int pairs = (int) Math.ceil(seconds / SLICE_SECONDS);
    DemoSetting setting = new DemoSetting(cpus, seconds, pairs, wishes());
    boolean alone = cpus == 1 && setting.wishes().contains(CpuWish.UNDISTURBED);
    try (DemoProcesses processes = new DemoProcesses(client, brought.flags(alone))) {
      Outcome outcome = new Outcome();
      String caution = measure(setting, processes, outcome);
      switch (format) {
        case TEXT ->
            output.out().print(new DemoText(setting, outcome, caution, output.width()).text());
        case JSON -> output.out().println(DemoJson.of(setting, outcome, caution));
      }
      return ExitCode.DONE.number();
    } catch (DemoProcesses.EndedException e) {
      e.lines().forEach(output.err()::println);
      return e.code();
    }
  }

  private Set<CpuWish> wishes() {
    return CpuWish.those(wish ->
        switch (wish) {
          case AWAKE -> !asleep;
          case UNDISTURBED -> !disturbed;
        });
  }

  private static void check(String flag, int value, int most) {
    if (value < 1 || value > most) {
      throw new InvalidInputException(
          flag + ": expected a number from 1 to " + most + ", found " + value);
    }
  }

  /**
   * All slices, in turn; what the agent has to say about how it keeps them apart, and why it does
   * not where that was asked for.
   */
  private String measure(DemoSetting setting, DemoProcesses processes, Outcome outcome)
      throws IOException, InterruptedException {
    List<Phase> slices = Phase.slices(setting.pairs());
    StringJoiner cautions = new StringJoiner("; ");
    try (Progress progress = new Progress(output, "measuring")) {
      for (int i = 0; i < slices.size(); i++) {
        progress.percent(100 * i / slices.size());
        Phase phase = slices.get(i);
        Reading reading = processes.probe(phase, setting);
        if (phase == Phase.EXCLUSIVE && reading.cpus().size() != setting.cpus()) {
          throw new InvalidInputException(
              "berth demo: expected "
                  + setting.cpus()
                  + " CPUs for the probe alone, found that it may run on "
                  + reading.cpus()
                  + "; is the agent's cpuManagerPolicy static?");
        }
        outcome.add(phase, reading);
        if (phase == Phase.IDLE) {
          processes.neighbours(reading.cpus().size(), setting);
          String caution = client.askJson("GET", "/pods", "").path("caution").asString("");
          Stream.of(caution).filter(line -> !line.isEmpty()).forEach(cautions::add);
        }
      }
    }
    // Said while the probe had the CPU.
    Set<CpuWish> kept = outcome.of(Phase.EXCLUSIVE).kept();
    List<String> events = client.ask("GET", "/events", "").lines().toList();
    setting.wishes().stream()
        .filter(wish -> !kept.contains(wish))
        .flatMap(wish -> whyNot(wish, events).stream())
        .forEach(cautions::add);
    return cautions.toString();
  }

  /** What the agent has told last about a wish that it cannot fulfil. */
  static Optional<String> whyNot(CpuWish wish, List<String> events) {
    return events.stream()
        .filter(line -> !line.isBlank())
        .map(Json::read)
        .filter(event -> event.path("kind").asString("").equals("warning"))
        .map(event -> event.path("message").asString(""))
        .filter(message -> message.contains(" cannot be kept " + wish.word() + ": "))
        .reduce((earlier, later) -> later);
  }
}
