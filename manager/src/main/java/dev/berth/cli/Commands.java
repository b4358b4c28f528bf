package dev.berth.cli;

import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.HelpCommand;

/** The subcommands of {@code berth}, in the order in which help lists them. */
final class Commands {
  private record Entry(String name, Function<Output, Object> command) {}

  private static final List<Entry> ENTRIES =
      List.of(
          new Entry("topology", TopologyCommand::new),
          new Entry("machines", MachinesCommand::new),
          new Entry("agent", AgentCommand::new),
          new Entry("run", RunCommand::new),
          new Entry("demo", DemoCommand::new),
          new Entry("apply", ApplyCommand::new),
          new Entry("ps", PsCommand::new),
          new Entry("watch", WatchCommand::new),
          new Entry("rm", RmCommand::new),
          new Entry("explain", ExplainCommand::new),
          new Entry("events", EventsCommand::new),
          new Entry("logs", LogsCommand::new),
          new Entry("reload", ReloadCommand::new),
          new Entry("config", ConfigCommand::of),
          new Entry("bundle", BundleCommand::new),
          new Entry("simulate", SimulateCommand::new),
          new Entry("replay", ReplayCommand::new),
          new Entry("state", StateCommand::of),
          new Entry("bench", BenchCommand::new),
          new Entry("completion", CompletionCommand::new),
          new Entry("man", ManCommand::new));

  private Commands() {}

  static List<String> names() {
    return ENTRIES.stream().map(Entry::name).toList();
  }

  static List<Object> all(Output output) {
    Object[] commands = new Object[ENTRIES.size() + 1];
    for (int i = 0; i < ENTRIES.size(); i++) {
      commands[i] = ENTRIES.get(i).command().apply(output);
    }
    commands[ENTRIES.size()] = new HelpCommand();
    return List.of(commands);
  }

  /**
   * The command that these arguments name, alone: picocli reads all annotations of whatever it is
   * given, which takes longer than most commands do. All of them where none is named, for help and
   * for what was misspelt.
   */
  static List<Object> asked(List<String> arguments, Output output) {
    if (arguments.equals(List.of("--version"))) {
      return List.of();
    }
    String first = arguments.isEmpty() ? "" : arguments.getFirst();
    for (Entry entry : ENTRIES) {
      if (entry.name().equals(first)) {
        return List.of(entry.command().apply(output));
      }
    }
    return all(output);
  }
}
