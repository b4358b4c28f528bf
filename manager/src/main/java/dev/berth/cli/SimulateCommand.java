package dev.berth.cli;

import dev.berth.json.Json;
import dev.berth.kubelet.NodeSettings;
import dev.berth.page.StoryPage;
import dev.berth.render.MachineSvg;
import dev.berth.simulate.Comparison;
import dev.berth.simulate.Figures;
import dev.berth.simulate.Scenario;
import dev.berth.simulate.Simulation;
import dev.berth.simulate.Workload;
import dev.berth.simulate.WorkloadReader;
import dev.berth.story.Step;
import dev.berth.story.Story;
import dev.berth.story.StoryJson;
import dev.berth.story.StoryWriter;
import dev.berth.topology.Machine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.node.ObjectNode;

/** {@code berth simulate}: what would happen, without touching anything. */
final class SimulateCommand implements Command {
  static final String SUMMARY =
      "Lets pods come to a machine and leave it, and tells what would happen.";

  private static final String[] FOOTER = {
    "",
    "A WORKLOAD is Pod YAML (Deployments and their like count too), a kubelet's",
    "cpu_manager_state, or a story that -o json printed or an agent told.",
    "Annotations say when pods come: simulate.berth.dev/count, arrives, every, stays.",
    "",
    "Examples:",
    "  berth simulate -f pods.yaml",
    "  berth simulate -f examples/day.yaml --machine epyc-9654-2p-nps4",
    "  berth simulate -f examples/day.yaml --machine epyc-7702p -o html > day.html",
    "  berth simulate -f examples/day.yaml --machine epyc-7702p --until 10h -o svg",
    "  berth simulate -f examples/day.yaml --machine epyc-9654-2p-nps4 --compare",
    "  berth simulate -f /var/lib/kubelet/cpu_manager_state -f more.yaml",
    "",
    "Exit code 0 also where pods were refused: that is an answer."
  };

  /** Steps whose explanation a story keeps: enough to read, not enough to fill a disk. */
  private static final int EXPLAINED = 1000;

  /** A story of some hundred thousand steps. */
  private static final long LARGEST_STORY = 512L << 20;

  private final Output output;
  private List<String> files = List.of();
  private final MachineSource source = new MachineSource();
  private final ConfigurationFlags flags = new ConfigurationFlags();
  private final ProvidersFlag providers = new ProvidersFlag();
  private boolean compare;
  private long seed = 1;
  private Optional<String> until = Optional.empty();

  /** How the answer is written. */
  enum Format {
    /** For people. */
    TEXT,
    /** A story with its figures. */
    JSON,
    /** The story as a page. */
    HTML,
    /** The machine at the end, as a picture. */
    SVG
  }

  private Format format = Format.TEXT;

  SimulateCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(
            this,
            "simulate",
            SUMMARY,
            "Touches nothing: the machine may be this one, another, or one that does not exist"
                + " yet.")
        .with(
            Option.named("-f")
                .several("WORKLOAD", String.class, files, value -> files = value)
                .required()
                .says("Who comes and goes; - for standard input. Several count together."),
            source,
            flags,
            providers,
            this::extent,
            Option.named("-o")
                .takes("FORMAT", Format.class, format, value -> format = value)
                .says(
                    "text, json, html: one page that needs no network, or svg: a picture of the"
                        + " machine at the",
                    "end. Default: text."))
        .footer(FOOTER)
        .spec();
  }

  /** What is run, and how far. */
  private void extent(Syntax syntax) {
    syntax.with(
        Option.named("--compare")
            .flag(value -> compare = value)
            .says("Set all sensible configurations side by side, and recommend one."),
        Option.named("--seed")
            .takes("N", long.class, seed, value -> seed = value)
            .says("What everything random is drawn from. Default: 1."),
        Option.named("--until")
            .maybe("TIME", String.class, value -> until = Optional.ofNullable(value))
            .says("End at a moment, such as 90m: with -o svg a picture of it. Default: the end."));
  }

  @Override
  public Integer call() throws IOException {
    Scenario scenario = scenario();
    try (Progress progress = new Progress(output, "simulating")) {
      if (compare) {
        compare(scenario, progress);
      } else {
        simulate(scenario, progress);
      }
    }
    return ExitCode.DONE.number();
  }

  private Scenario scenario() throws IOException {
    Workload workload = Workload.NOBODY;
    Optional<Machine> named = Optional.empty();
    Optional<NodeSettings> configured = Optional.empty();
    List<String> names = new ArrayList<>();
    for (String file : files) {
      WorkloadReader.Found found = WorkloadReader.read(name(file), text(file), seed);
      workload = workload.with(found.workload());
      named = named.or(found::machine);
      configured = configured.or(found::settings);
      found.notes().forEach(output.err()::println);
      names.add(name(file));
    }
    Machine machine = source.isGiven() || named.isEmpty() ? source.machine() : named.orElseThrow();
    NodeSettings settings =
        flags.settings("the story's configuration", configured.map(NodeSettings::yaml).orElse(""));
    String title = String.join(", ", names) + " on " + machine.name();
    if (until.isEmpty()) {
      return new Scenario(title, machine, settings, workload, providers.factories());
    }
    long moment = Waiting.milliseconds("--until", until.get());
    return new Scenario(
        title + ", first " + until.get(),
        machine,
        settings,
        workload.until(moment),
        providers.factories());
  }

  private static String name(String file) {
    return file.equals("-") ? "standard input" : file;
  }

  private static String text(String file) throws IOException {
    return file.equals("-")
        ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
        : TextFile.read(Path.of(file), LARGEST_STORY);
  }

  private void simulate(Scenario scenario, Progress progress) throws IOException {
    Simulation simulation = Simulation.of(scenario);
    scenario.settings().notHonoured().forEach(output.err()::println);
    simulation.node().notes().forEach(output.err()::println);
    switch (format) {
      case TEXT -> {
        SimulationText text = new SimulationText(scenario, output.width(), output.tableWidth());
        Figures figures =
            simulation.run(0, SimulationText.EXPLAINED, watched(simulation, progress, text::hear));
        progress.close();
        output.out().print(text.render(figures));
      }
      case JSON -> {
        StoryWriter story = StoryJson.writer(output.out(), simulation.opening());
        tell(simulation, progress, story, Optional.empty());
        output.out().println();
      }
      case HTML -> page(simulation, progress, Optional.empty());
      case SVG -> output.out().print(picture(scenario, simulation, progress));
    }
  }

  private static String picture(Scenario scenario, Simulation simulation, Progress progress) {
    OccupancyMaker maker = new OccupancyMaker(scenario);
    simulation.run(0, watched(simulation, progress, maker::hear));
    return MachineSvg.render(scenario.machine(), maker.occupancy(simulation.node()));
  }

  private void page(Simulation simulation, Progress progress, Optional<ObjectNode> comparison)
      throws IOException {
    Story opening = simulation.opening().withoutManifests();
    StoryPage.write(
        page -> tell(simulation, progress, StoryJson.writer(page, opening), comparison),
        output.out());
  }

  /** Runs, and writes the story with what it comes to. */
  private static void tell(
      Simulation simulation,
      Progress progress,
      StoryWriter story,
      Optional<ObjectNode> comparison) {
    try (story) {
      Figures figures =
          simulation.run(
              EXPLAINED, SimulationText.EXPLAINED, watched(simulation, progress, story::add));
      story.beside("figures", FiguresJson.of(figures));
      comparison.ifPresent(json -> story.beside("comparison", json));
    }
  }

  private static Consumer<Step> watched(
      Simulation simulation, Progress progress, Consumer<Step> listener) {
    int all = simulation.length();
    int[] done = {0};
    return step -> {
      listener.accept(step);
      progress.percent((int) (100L * ++done[0] / Math.max(all, 1)));
    };
  }

  private void compare(Scenario scenario, Progress progress) throws IOException {
    Comparison comparison = Comparison.of(scenario, progress::percent);
    ComparisonReport report =
        new ComparisonReport(scenario, comparison, output.width(), output.tableWidth());
    if (format != Format.HTML) {
      progress.close();
    }
    switch (format) {
      case TEXT -> output.out().print(report.text());
      case JSON -> output.out().println(Json.write(report.json()));
      case HTML -> {
        // The story of the recommended one, with the table of all beside it.
        Scenario best = scenario.with(comparison.best().candidate().configuration());
        page(Simulation.of(best), progress, Optional.of(report.json()));
      }
      case SVG -> {
        Scenario best = scenario.with(comparison.best().candidate().configuration());
        output.out().print(picture(best, Simulation.of(best), progress));
      }
    }
  }
}
