package dev.berth.cli;

import dev.berth.http.HttpExchange;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth logs}: what a container printed. */
@Command(
    name = "logs",
    description = "Shows what a container printed, standard output and errors together.",
    footer = {"", "Examples:", "  berth logs db", "  berth logs db -c server"})
final class LogsCommand implements Callable<Integer> {
  private final Output output;

  @Mixin private AgentClient client = new AgentClient();

  @Parameters(paramLabel = "POD", description = "Name, NAMESPACE/NAME or uid.")
  private String pod = "";

  @Option(
      names = "-c",
      paramLabel = "CONTAINER",
      description = "Which container. Default: the pod's last.")
  private String container = "";

  LogsCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() throws IOException {
    String target = "/log/" + AgentClient.encoded(pod) + "/" + AgentClient.encoded(container);
    try (HttpExchange exchange = client.send("GET", target, "")) {
      if (exchange.status() >= 400) {
        throw AgentClient.refused(exchange.status(), exchange.text());
      }
      exchange.body().transferTo(output.out());
    }
    return ExitCode.DONE.number();
  }
}
