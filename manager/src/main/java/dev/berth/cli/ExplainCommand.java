package dev.berth.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code berth explain}: why a pod sits where it sits, or why it was refused. */
@Command(
    name = "explain",
    description = "Tells why a pod sits where it sits, or why it was refused and what would fit.")
final class ExplainCommand implements Callable<Integer> {
  private final Output output;

  @Mixin private AgentClient client = new AgentClient();

  @Parameters(paramLabel = "POD", description = "Name, NAMESPACE/NAME or uid.")
  private String pod = "";

  @Option(names = "-o", paramLabel = "FORMAT", description = "text or json. Default: text.")
  private OutputFormat format = OutputFormat.TEXT;

  ExplainCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() {
    JsonNode answer = client.askJson("GET", "/explain/" + AgentClient.encoded(pod), "");
    switch (format) {
      case JSON -> output.out().println(answer);
      case TEXT -> {
        String reason = answer.path("reason").asString();
        output
            .out()
            .println(
                answer.path("name").asString()
                    + ": "
                    + answer.path("phase").asString()
                    + (reason.isEmpty() ? "" : ": " + reason));
        if (answer.has("displaced")) {
          output.out().println("on the shared pool: " + answer.path("displaced").asString());
        }
        answer.path("lines").forEach(line -> output.out().println(line.asString()));
      }
    }
    return ExitCode.DONE.number();
  }
}
