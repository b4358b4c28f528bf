package dev.berth.cli;

import java.util.List;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What a command is called, says of itself and understands, as picocli is told.
 *
 * <p>It is told by code and not by annotations: to read those, the JVM makes a class for each kind
 * of them at every start, which no cache keeps and which took a third of a short command's time.
 */
final class Syntax {
  private final CommandSpec spec;

  private Syntax(CommandSpec spec) {
    this.spec = spec;
  }

  /**
   * Of a command that understands nothing yet.
   *
   * @param description a paragraph each
   */
  static Syntax of(Command command, String name, String... description) {
    CommandSpec spec = CommandSpec.wrapWithoutInspection(command).name(name);
    spec.usageMessage().description(description);
    return new Syntax(spec);
  }

  /** Understands these, too. */
  Syntax with(Part... parts) {
    for (Part part : parts) {
      part.addTo(this);
    }
    return this;
  }

  void add(ArgSpec argument) {
    spec.add(argument);
  }

  /** Understands one of these at most. */
  Syntax withOneOf(Option... options) {
    ArgGroupSpec.Builder group = ArgGroupSpec.builder();
    for (Option option : options) {
      group.addArg(option.spec());
    }
    spec.addArgGroup(group.build());
    return this;
  }

  /** Has commands of its own, in this order. */
  Syntax withCommands(List<? extends Command> commands) {
    spec.usageMessage().synopsisSubcommandLabel("COMMAND");
    for (Command command : commands) {
      CommandSpec inner = command.spec();
      spec.addSubcommand(inner.name(), inner);
    }
    return this;
  }

  /** What help says at its end: examples, exit codes. */
  Syntax footer(String... lines) {
    spec.usageMessage().footer(lines);
    return this;
  }

  /** With the two options that every command has besides its own. */
  CommandSpec spec() {
    spec.versionProvider(() -> new String[] {Version.line()});
    return with(help(), Option.version().says("Tells which version this is.")).spec;
  }

  /** The same for the command that is about the others, and forgives what else is said. */
  CommandSpec specOfHelp() {
    return with(help()).spec.helpCommand(true);
  }

  private static Option help() {
    return Option.help().says("Tells what this does and understands.");
  }
}
