package dev.berth.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code berth config show}: every setting that holds. */
@Command(
    name = "show",
    description = {
      "Prints every setting that holds, defaults and flags included, as a file that reads back to"
          + " the same."
    })
final class ConfigShowCommand implements Callable<Integer> {
  private final Output output;

  @Mixin private ConfigurationFlags configuration = new ConfigurationFlags();

  @Parameters(paramLabel = "FILE", arity = "0..1", description = "A configuration, as --config.")
  private @Nullable Path file;

  ConfigShowCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() throws IOException {
    Path given = file;
    if (given != null) {
      configuration.takeFile(given);
    }
    output.out().print(configuration.settings().yaml());
    return ExitCode.DONE.number();
  }
}
