package dev.berth.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth config show}: every setting that holds. */
@Command(
    name = "show",
    description = {
      "Prints every setting that holds, defaults and flags included, as a file that reads back to"
          + " the same."
    },
    footer = {
      "",
      "Examples:",
      "  berth config show",
      "  berth config show --reserved-cpus 0-1 > berth.yaml"
    })
final class ConfigShowCommand implements Callable<Integer> {
  private final Output output;

  @Mixin private ConfigurationParameter configuration = new ConfigurationParameter();

  ConfigShowCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() throws IOException {
    output.out().print(configuration.settings().yaml());
    return ExitCode.DONE.number();
  }
}
