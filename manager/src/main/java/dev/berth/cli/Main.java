package dev.berth.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The entry: {@code berth COMMAND …}. */
public final class Main implements Command {
  private static final int NARROWEST_HELP = 60;
  private static final int WIDEST_HELP = 100;

  /** Commands that do something when a signal ends them. */
  private static final Set<String> WITH_HOOK = Set.of("agent", "demo", "watch");

  private static final List<String> JVM_OPTIONS =
      List.of("BERTH_JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");

  private final List<Command> commands;

  private Main(List<Command> commands) {
    this.commands = commands;
  }

  /**
   * Runs one command and ends the process with its exit code.
   *
   * @param arguments the command and what belongs to it
   */
  public static void main(String[] arguments) {
    HeadStart.give(List.of(arguments));
    Map<String, String> environment = System.getenv();
    int code = run(List.of(arguments), Output.standard(environment), environment);
    System.err.flush();
    if (hasHook(List.of(arguments), environment)) {
      System.exit(code);
    }
    // An exit would look for a logger in every jar first, longer than some commands take.
    Runtime.getRuntime().halt(code);
  }

  /** A signal may have begun the end already; an option may have something to do at it. */
  private static boolean hasHook(List<String> arguments, Map<String, String> environment) {
    boolean hasHook = !arguments.isEmpty() && WITH_HOOK.contains(arguments.getFirst());
    for (String option : JVM_OPTIONS) {
      hasHook |= environment.containsKey(option);
    }
    return hasHook;
  }

  /** Runs one command; the exit code is the answer, whatever happens. */
  static int run(List<String> arguments, Output output, Map<String, String> environment) {
    return run(arguments, output, environment, Commands.asked(arguments, output));
  }

  static int run(
      List<String> arguments,
      Output output,
      Map<String, String> environment,
      List<Command> commands) {
    var failures = new Failures(output.err(), environment);
    try {
      if (arguments.equals(List.of("--version"))) {
        // Without picocli, which takes longer than all the rest of it.
        output.out().println(Version.line());
        output.out().flush();
        return ExitCode.DONE.number();
      }
      // Picocli would report a failed write of its help in ways of its own.
      var help = new StringWriter();
      int code =
          commandLine(output, commands, failures)
              .setOut(new PrintWriter(help))
              .execute(arguments.toArray(String[]::new));
      output.out().print(help);
      output.out().flush();
      return code;
    } catch (Throwable e) {
      return failures.report(e).number();
    }
  }

  /** The whole command line, for whoever wants to know what it understands. */
  static CommandLine commandLine(Output output) {
    return commandLine(output, Commands.all(output), new Failures(output.err(), Map.of()));
  }

  private static CommandLine commandLine(Output output, List<Command> commands, Failures failures) {
    var line = new CommandLine(new Main(commands).spec());
    line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, Commands::list);
    return line.setColorScheme(
            CommandLine.Help.defaultColorScheme(output.colour() ? Ansi.ON : Ansi.OFF))
        .setUsageHelpWidth(Math.clamp(output.width(), NARROWEST_HELP, WIDEST_HELP))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((e, _) -> failures.usage(e).number())
        .setExecutionExceptionHandler((e, command, _) -> failures.report(e, command).number());
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "berth", "Gives every container its own place on the machine.")
        .withCommands(commands)
        .footer(Examples.lines())
        .spec();
  }

  /** No command was named. */
  @Override
  public Integer call() {
    throw new UsageException("Missing command");
  }
}
