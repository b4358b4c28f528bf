package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.explain.Explainer;
import dev.berth.explain.Report;
import dev.berth.explain.ReportJson;
import dev.berth.explain.Scene;
import dev.berth.json.Json;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.PodManifest;
import dev.berth.ledger.Conditions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** {@code berth explain}: why a pod sits where it sits, was refused, or would be. */
final class ExplainCommand implements Command {
  static final String SUMMARY =
      "Tells why a pod sits where it sits, or why it was refused and what would help: another size,"
          + " another policy, whom to move.";

  private final Output output;

  private final AgentClient client = new AgentClient();
  private final MachineSource source = new MachineSource();
  private final ConfigurationFlags flags = new ConfigurationFlags();
  private final ProvidersFlag providers = new ProvidersFlag();
  private @Nullable String pod;
  private @Nullable Path file;
  private @Nullable Path state;
  private OutputFormat format = OutputFormat.TEXT;

  ExplainCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(
            this,
            "explain",
            SUMMARY,
            "With -f, what would become of a pod, without touching anything: at the agent, or"
                + " without one where a machine, a configuration or a state is named.")
        .with(
            client,
            source,
            flags,
            providers,
            this::about,
            Option.named("-o")
                .takes("FORMAT", OutputFormat.class, format, value -> format = value)
                .says("text or json. Default: text."))
        .footer(
            "",
            "Exit code 1, with -f: the pod would be refused.",
            "",
            "Examples:",
            "  berth explain db",
            "  berth explain -f pod.yaml",
            "  berth explain -f pod.yaml --machine epyc-7702p --reserved-cpus 0")
        .spec();
  }

  /** What it is about. */
  private void about(Syntax syntax) {
    syntax.with(
        Parameter.maybe("POD", String.class, value -> pod = value)
            .says("Name, NAMESPACE/NAME or uid of one that is or was at the agent."),
        Option.named("-f")
            .maybe("FILE", Path.class, value -> file = value)
            .says("A pod in YAML that is not there; - for standard input."),
        Option.named("--state")
            .maybe("FILE|DIR", Path.class, value -> state = value)
            .says(
                "Who is there already: cpu_manager_state, memory_manager_state, or a folder"
                    + " with them. Default: nobody."));
  }

  @Override
  public Integer call() throws IOException {
    Path given = file;
    String name = pod;
    boolean apart = source.isGiven() || state != null || flags.isGiven() || providers.isGiven();
    if ((given == null) == (name == null)) {
      throw new UsageException("Expected POD or -f FILE, and one of them");
    }
    if (name != null) {
      if (apart) {
        throw new UsageException("Expected -f FILE beside a machine, a configuration or a state");
      }
      show(client.askJson("GET", "/explain/" + AgentClient.encoded(name), ""));
      return ExitCode.DONE.number();
    }
    if (given == null) {
      throw new IllegalStateException("neither POD nor -f");
    }
    boolean standard = given.toString().equals("-");
    String yaml =
        standard
            ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
            : TextFile.read(given);
    String called = standard ? "standard input" : given.toString();
    JsonNode answer = apart ? alone(called, yaml) : atAgent(called, yaml);
    show(answer);
    boolean refused = answer.path("decision").asString().equals("refused");
    return (refused ? ExitCode.REFUSED : ExitCode.DONE).number();
  }

  private JsonNode atAgent(String called, String yaml) {
    try {
      return client.askJson("POST", "/explain?source=" + AgentClient.encoded(called), yaml);
    } catch (AgentClient.UnreachableException e) {
      throw e.or("without one, name a machine with --machine (berth machines lists some)");
    }
  }

  private JsonNode alone(String called, String yaml) throws IOException {
    List<PodManifest> pods = PodManifest.read(called, yaml);
    if (pods.size() != 1) {
      throw new InvalidInputException(
          called + ": expected one pod, found " + pods.size() + "; berth simulate takes several");
    }
    PodManifest one = pods.getFirst();
    NodeSettings settings = flags.settings();
    Scene scene =
        new SceneSource(source.machine(), settings, providers.factories())
            .scene(state, output.err()::println);
    Report report =
        Explainer.wouldBe(
            scene,
            SceneSource.title(one.namespace(), one.name()),
            one.pod(),
            SceneSource.objections(scene, settings, one.pod()));
    boolean unseen = !report.isRefused() && Conditions.asksForHugepages(one.pod());
    return ReportJson.of(
        unseen ? report.noting(List.of("not checked: " + Conditions.HUGEPAGES_UNSEEN)) : report);
  }

  private void show(JsonNode answer) {
    switch (format) {
      case JSON -> output.out().println(Json.write(answer));
      case TEXT -> answer.path("text").forEach(line -> output.out().println(line.asString()));
    }
  }
}
