package dev.berth.cli;

import picocli.CommandLine.Model.CommandSpec;

/** {@code berth reload}: has the agent read its configuration anew. */
final class ReloadCommand implements Command {
  static final String SUMMARY = "Has the agent read its configuration anew, without a restart.";

  private final Output output;
  private final AgentClient client = new AgentClient();

  ReloadCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "reload", SUMMARY)
        .with(client)
        .footer(
            "",
            "Exit code 2 and one line where the file has a fault or names something that takes a"
                + " restart; nothing has changed then.",
            "",
            "Examples:",
            "  berth reload")
        .spec();
  }

  @Override
  public Integer call() {
    output.out().print(client.ask("POST", "/reload", ""));
    return ExitCode.DONE.number();
  }
}
