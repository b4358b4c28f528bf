package dev.berth.cli;

import dev.berth.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code berth apply}: hands pods to the agent. */
@Command(
    name = "apply",
    description = "Hands pods to the agent, which lets them in and starts them, or says why not.",
    footer = {
      "",
      "Exit code 1: a pod was refused. berth explain POD tells more.",
      "",
      "Examples:",
      "  berth apply -f examples/pods.yaml"
    })
final class ApplyCommand implements Callable<Integer> {
  private final Output output;

  @Mixin private AgentClient client = new AgentClient();

  @Option(
      names = "-f",
      required = true,
      paramLabel = "FILE",
      description = "Pods in YAML; - for standard input.")
  private List<Path> files = new ArrayList<>();

  @Option(names = "-o", paramLabel = "FORMAT", description = "text or json. Default: text.")
  private OutputFormat format = OutputFormat.TEXT;

  ApplyCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() throws IOException {
    boolean refused = false;
    for (Path file : files) {
      boolean standard = file.toString().equals("-");
      String yaml =
          standard
              ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
              : TextFile.read(file);
      String source = standard ? "standard input" : file.toString();
      JsonNode answer = client.askJson("POST", "/pods?source=" + AgentClient.encoded(source), yaml);
      if (format == OutputFormat.JSON) {
        output.out().println(Json.write(answer));
      }
      for (JsonNode pod : answer.path("pods")) {
        refused |= pod.path("outcome").asString().equals("refused");
        if (format == OutputFormat.TEXT) {
          show(pod);
        }
      }
    }
    return (refused ? ExitCode.REFUSED : ExitCode.DONE).number();
  }

  private void show(JsonNode pod) {
    pod.path("warnings").forEach(warning -> output.err().println("berth: " + warning.asString()));
    String reason = pod.has("reason") ? pod.path("reason").asString() + ": " : "";
    output
        .out()
        .println(
            pod.path("name").asString()
                + ": "
                + pod.path("outcome").asString()
                + ": "
                + reason
                + pod.path("message").asString());
  }
}
