package dev.berth.cli;

import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth config show}: every setting that holds. */
final class ConfigShowCommand implements Command {
  private final Output output;
  private final ConfigurationParameter configuration = new ConfigurationParameter();

  ConfigShowCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(
            this,
            "show",
            "Prints every setting that holds, defaults and flags included, as a file that reads"
                + " back to the same.")
        .with(configuration)
        .footer(
            "",
            "Examples:",
            "  berth config show",
            "  berth config show --reserved-cpus 0-1 > berth.yaml")
        .spec();
  }

  @Override
  public Integer call() throws IOException {
    output.out().print(configuration.settings().yaml());
    return ExitCode.DONE.number();
  }
}
