package dev.berth.cli;

import java.util.List;
import picocli.CommandLine.HelpCommand;

/** The subcommands of {@code berth}, in the order in which help lists them. */
final class Commands {
  private Commands() {}

  static List<Object> all(Output output) {
    return List.of(
        new TopologyCommand(output),
        new MachinesCommand(output),
        new AgentCommand(output),
        new RunCommand(output),
        new ApplyCommand(output),
        new PsCommand(output),
        new WatchCommand(output),
        new RmCommand(output),
        new ExplainCommand(output),
        new EventsCommand(output),
        new LogsCommand(output),
        new ReloadCommand(output),
        ConfigCommand.of(output),
        new BundleCommand(output),
        new SimulateCommand(output),
        new ReplayCommand(output),
        StateCommand.of(output),
        new BenchCommand(output),
        new CompletionCommand(output),
        new ManCommand(output),
        new HelpCommand());
  }
}
