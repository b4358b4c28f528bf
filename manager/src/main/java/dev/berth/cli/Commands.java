package dev.berth.cli;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;

/** The subcommands of {@code berth}, in the order in which help lists them. */
final class Commands {
  private record Entry(String name, Class<?> type, Function<Output, Object> command) {
    /** Its name and what it does, without what it understands. */
    CommandSpec listed() {
      CommandSpec spec = CommandSpec.create().name(name);
      spec.usageMessage().description(type.getAnnotation(Command.class).description());
      return spec;
    }
  }

  /** Asked with these words alone, Berth tells which commands there are. */
  private static final Set<List<String>> LISTING =
      Set.of(List.of(), List.of("--help"), List.of("-h"), List.of("help"));

  private static final List<Entry> ENTRIES =
      List.of(
          new Entry("topology", TopologyCommand.class, TopologyCommand::new),
          new Entry("machines", MachinesCommand.class, MachinesCommand::new),
          new Entry("agent", AgentCommand.class, AgentCommand::new),
          new Entry("run", RunCommand.class, RunCommand::new),
          new Entry("demo", DemoCommand.class, DemoCommand::new),
          new Entry("apply", ApplyCommand.class, ApplyCommand::new),
          new Entry("ps", PsCommand.class, PsCommand::new),
          new Entry("watch", WatchCommand.class, WatchCommand::new),
          new Entry("rm", RmCommand.class, RmCommand::new),
          new Entry("explain", ExplainCommand.class, ExplainCommand::new),
          new Entry("events", EventsCommand.class, EventsCommand::new),
          new Entry("logs", LogsCommand.class, LogsCommand::new),
          new Entry("reload", ReloadCommand.class, ReloadCommand::new),
          new Entry("config", ConfigCommand.class, ConfigCommand::of),
          new Entry("bundle", BundleCommand.class, BundleCommand::new),
          new Entry("simulate", SimulateCommand.class, SimulateCommand::new),
          new Entry("replay", ReplayCommand.class, ReplayCommand::new),
          new Entry("state", StateCommand.class, StateCommand::of),
          new Entry("bench", BenchCommand.class, BenchCommand::new),
          new Entry("completion", CompletionCommand.class, CompletionCommand::new),
          new Entry("man", ManCommand.class, ManCommand::new));

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
   * given, which takes longer than most commands do. Where a list of commands is all that is
   * wanted, no more than that; all of them where something else is said, such as what was misspelt.
   */
  static List<Object> asked(List<String> arguments, Output output) {
    if (arguments.equals(List.of("--version"))) {
      return List.of();
    }
    if (LISTING.contains(arguments)) {
      Stream<Object> listed = ENTRIES.stream().map(Entry::listed);
      return Stream.concat(listed, Stream.of(new HelpCommand())).toList();
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
