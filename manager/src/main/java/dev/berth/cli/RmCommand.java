package dev.berth.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth rm}: stops pods and forgets them. */
final class RmCommand implements Command {
  static final String SUMMARY =
      "Stops pods and forgets them: SIGTERM, SIGKILL after their grace period, then their CPUs"
          + " are free again.";

  private final Output output;
  private final AgentClient client = new AgentClient();
  private List<String> pods = new ArrayList<>();

  RmCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "rm", SUMMARY)
        .with(
            client,
            Parameter.some("POD", pods, value -> pods = value).says("Name, NAMESPACE/NAME or uid."))
        .footer("", "Examples:", "  berth rm db", "  berth rm default/db web")
        .spec();
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
