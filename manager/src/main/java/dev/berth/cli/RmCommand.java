package dev.berth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code berth rm}: stops pods and forgets them. */
@Command(
    name = "rm",
    description =
        "Stops pods and forgets them: SIGTERM, SIGKILL after their grace period, then their CPUs"
            + " are free again.",
    footer = {"", "Examples:", "  berth rm db", "  berth rm default/db web"})
final class RmCommand implements Callable<Integer> {
  private final Output output;

  @Mixin private AgentClient client = new AgentClient();

  @Parameters(arity = "1..*", paramLabel = "POD", description = "Name, NAMESPACE/NAME or uid.")
  private List<String> pods = new ArrayList<>();

  RmCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() {
    for (String pod : pods) {
      client.ask("DELETE", "/pods/" + AgentClient.encoded(pod), "");
      output.out().println(pod + ": removed");
    }
    return ExitCode.DONE.number();
  }
}
