package dev.berth.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth reload}: has the agent read its configuration anew. */
@Command(
    name = "reload",
    description = "Has the agent read its configuration anew, without a restart.",
    footer = {
      "",
      "Exit code 2 and one line where the file has a fault or names something that takes a"
          + " restart; nothing has changed then.",
      "",
      "Examples:",
      "  berth reload"
    })
final class ReloadCommand implements Callable<Integer> {
  private final Output output;

  @Mixin private AgentClient client = new AgentClient();

  ReloadCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() {
    output.out().print(client.ask("POST", "/reload", ""));
    return ExitCode.DONE.number();
  }
}
