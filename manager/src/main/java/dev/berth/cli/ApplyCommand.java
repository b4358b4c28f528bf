package dev.berth.cli;

import dev.berth.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** {@code berth apply}: hands pods to the agent. */
final class ApplyCommand implements Command {
  static final String SUMMARY =
      "Hands pods to the agent, which lets them in and starts them, or says why not.";

  private final Output output;
  private final AgentClient client = new AgentClient();
  private List<Path> files = new ArrayList<>();
  private OutputFormat format = OutputFormat.TEXT;

  ApplyCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "apply", SUMMARY)
        .with(
            client,
            Option.named("-f")
                .several("FILE", Path.class, files, value -> files = value)
                .required()
                .says("Pods in YAML; - for standard input."),
            Option.named("-o")
                .takes("FORMAT", OutputFormat.class, format, value -> format = value)
                .says("text or json. Default: text."))
        .footer(
            "",
            "Exit code 1: a pod was refused. berth explain POD tells more.",
            "",
            "Examples:",
            "  berth apply -f examples/pods.yaml")
        .spec();
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
