package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.explain.Explainer;
import dev.berth.explain.Objections;
import dev.berth.explain.ReportJson;
import dev.berth.json.Json;
import dev.berth.kubelet.PodManifest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code berth explain}: why a pod sits where it sits, was refused, or would be. */
@Command(
    name = "explain",
    description = {
      "Tells why a pod sits where it sits, or why it was refused and what would help: another size,"
          + " another policy, whom to move.",
      "With -f, what would become of a pod, without touching anything: at the agent, or without one"
          + " where a machine, a configuration or a state is named."
    },
    footer = {
      "",
      "Exit code 1, with -f: the pod would be refused.",
      "",
      "Examples:",
      "  berth explain db",
      "  berth explain -f pod.yaml",
      "  berth explain -f pod.yaml --machine epyc-7702p --reserved-cpus 0"
    })
final class ExplainCommand implements Callable<Integer> {
  private final Output output;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private AgentClient client = new AgentClient();

  @Mixin private MachineSource source = new MachineSource();

  @Mixin private ConfigurationFlags flags = new ConfigurationFlags();

  @Parameters(
      paramLabel = "POD",
      arity = "0..1",
      description = "Name, NAMESPACE/NAME or uid of one that is or was at the agent.")
  private @Nullable String pod;

  @Option(
      names = "-f",
      paramLabel = "FILE",
      description = "A pod in YAML that is not there; - for standard input.")
  private @Nullable Path file;

  @Option(
      names = "--state",
      paramLabel = "FILE|DIR",
      description =
          "Who is there already: cpu_manager_state, memory_manager_state, or a folder with them."
              + " Default: nobody.")
  private @Nullable Path state;

  @Option(names = "-o", paramLabel = "FORMAT", description = "text or json. Default: text.")
  private OutputFormat format = OutputFormat.TEXT;

  ExplainCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() throws IOException {
    Path given = file;
    String name = pod;
    boolean apart = source.isGiven() || state != null || flags.isGiven();
    if ((given == null) == (name == null)) {
      throw new ParameterException(spec.commandLine(), "Expected POD or -f FILE, and one of them");
    }
    if (name != null) {
      if (apart) {
        throw new ParameterException(
            spec.commandLine(), "Expected -f FILE beside a machine, a configuration or a state");
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
    SceneSource scene = new SceneSource(source.machine(), flags.settings());
    return ReportJson.of(
        Explainer.wouldBe(
            scene.scene(state, output.err()::println),
            SceneSource.title(one.namespace(), one.name()),
            one.pod(),
            Objections.NONE));
  }

  private void show(JsonNode answer) {
    switch (format) {
      case JSON -> output.out().println(Json.write(answer));
      case TEXT -> answer.path("text").forEach(line -> output.out().println(line.asString()));
    }
  }
}
