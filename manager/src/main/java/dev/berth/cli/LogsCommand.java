package dev.berth.cli;

import dev.berth.http.HttpExchange;
import dev.berth.http.SilentServerException;
import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth logs}: what a container printed. */
final class LogsCommand implements Command {
  static final String SUMMARY =
      "Shows what a container printed, standard output and errors together.";

  private final Output output;
  private final AgentClient client = new AgentClient();
  private String pod = "";
  private String container = "";

  LogsCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "logs", SUMMARY)
        .with(
            client,
            Parameter.one("POD", String.class, pod, value -> pod = value)
                .says("Name, NAMESPACE/NAME or uid."),
            Option.named("-c")
                .takes("CONTAINER", String.class, container, value -> container = value)
                .says("Which container. Default: the pod's last."))
        .footer("", "Examples:", "  berth logs db", "  berth logs db -c server")
        .spec();
  }

  @Override
  public Integer call() throws IOException {
    String target = "/log/" + AgentClient.encoded(pod) + "/" + AgentClient.encoded(container);
    try (HttpExchange exchange = client.send("GET", target, "")) {
      if (exchange.status() >= 400) {
        throw AgentClient.refused(exchange.status(), exchange.text());
      }
      exchange.body().transferTo(output.out());
    } catch (SilentServerException e) {
      throw new AgentClient.UnreachableException(client.socket(), e);
    }
    return ExitCode.DONE.number();
  }
}
