package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth help}: what {@code --help} says, of Berth or of a command. */
final class HelpCommand implements Command {
  static final String SUMMARY = "Tells what a command does and understands, as its --help does.";

  private CommandSpec spec = CommandSpec.create();
  private @Nullable String name;

  @Override
  public CommandSpec spec() {
    spec =
        Syntax.of(this, "help", SUMMARY, "Without a COMMAND, which commands there are.")
            .with(
                Parameter.maybe("COMMAND", String.class, value -> name = value)
                    .says("The command to tell of."))
            .specOfHelp();
    return spec;
  }

  @Override
  public Integer call() {
    CommandLine all = spec.commandLine().getParent();
    String wanted = name;
    CommandLine about = wanted == null ? all : all.getSubcommands().get(wanted);
    if (about == null) {
      throw new InvalidInputException(
          "command \"" + wanted + "\": expected one that berth help lists");
    }
    about.usage(all.getOut(), all.getColorScheme());
    return ExitCode.DONE.number();
  }
}
