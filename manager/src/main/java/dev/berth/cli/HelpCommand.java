package dev.berth.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** {@code berth help}: what {@code --help} says, of Berth or of a command. */
final class HelpCommand implements Command {
  static final String SUMMARY = "Display help information about the specified command.";

  private CommandSpec spec = CommandSpec.create();
  private @Nullable String name;

  @Override
  public CommandSpec spec() {
    spec =
        Syntax.of(
                this,
                "help",
                "%nWhen no COMMAND is given, the usage help for the main command is displayed.",
                "If a COMMAND is specified, the help for that command is shown.%n")
            .with(
                Parameter.maybe("COMMAND", String.class, value -> name = value)
                    .says("The COMMAND to display the usage help message for."))
            .specOfHelp("Show usage help for the help command and exit.");
    spec.usageMessage().header(SUMMARY).synopsisHeading("%nUsage: ");
    return spec;
  }

  @Override
  public Integer call() {
    CommandLine all = spec.commandLine().getParent();
    String wanted = name;
    CommandLine about = wanted == null ? all : all.getSubcommands().get(wanted);
    if (about == null) {
      throw new CommandLine.ParameterException(all, "Unknown subcommand '" + wanted + "'.");
    }
    PrintWriter out = all.getOut();
    about.usage(out, all.getColorScheme());
    return ExitCode.DONE.number();
  }
}
