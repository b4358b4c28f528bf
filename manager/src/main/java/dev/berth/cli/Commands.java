package dev.berth.cli;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Help;

/** The subcommands of {@code berth}, in the order in which help lists them. */
final class Commands {
  /**
   * A command that is made only when it is asked for.
   *
   * @param summary what it does, in a line
   */
  private record Entry(String name, String summary, Function<Output, Command> command) {}

  private static final int INDENT = 2;

  /** Asked with these words alone, Berth tells which commands there are. */
  private static final Set<List<String>> LISTING =
      Set.of(List.of(), List.of("--help"), List.of("-h"), List.of("help"));

  private static final List<Entry> ENTRIES =
      List.of(
          new Entry("topology", TopologyCommand.SUMMARY, TopologyCommand::new),
          new Entry("machines", MachinesCommand.SUMMARY, MachinesCommand::new),
          new Entry("agent", AgentCommand.SUMMARY, AgentCommand::new),
          new Entry("run", RunCommand.SUMMARY, RunCommand::new),
          new Entry("demo", DemoCommand.SUMMARY, DemoCommand::new),
          new Entry("apply", ApplyCommand.SUMMARY, ApplyCommand::new),
          new Entry("ps", PsCommand.SUMMARY, PsCommand::new),
          new Entry("watch", WatchCommand.SUMMARY, WatchCommand::new),
          new Entry("rm", RmCommand.SUMMARY, RmCommand::new),
          new Entry("explain", ExplainCommand.SUMMARY, ExplainCommand::new),
          new Entry("events", EventsCommand.SUMMARY, EventsCommand::new),
          new Entry("logs", LogsCommand.SUMMARY, LogsCommand::new),
          new Entry("reload", ReloadCommand.SUMMARY, ReloadCommand::new),
          new Entry("config", ConfigCommand.SUMMARY, ConfigCommand::new),
          new Entry("bundle", BundleCommand.SUMMARY, BundleCommand::new),
          new Entry("simulate", SimulateCommand.SUMMARY, SimulateCommand::new),
          new Entry("replay", ReplayCommand.SUMMARY, ReplayCommand::new),
          new Entry("state", StateCommand.SUMMARY, StateCommand::new),
          new Entry("bench", BenchCommand.SUMMARY, BenchCommand::new),
          new Entry("completion", CompletionCommand.SUMMARY, CompletionCommand::new),
          new Entry("man", ManCommand.SUMMARY, ManCommand::new),
          new Entry("help", HelpCommand.SUMMARY, _ -> new HelpCommand()));

  private Commands() {}

  static List<String> names() {
    return ENTRIES.stream().map(Entry::name).toList();
  }

  static List<Command> all(Output output) {
    return ENTRIES.stream().map(entry -> entry.command().apply(output)).toList();
  }

  /** What help says of them. To have picocli ask each would take as long as all the rest of it. */
  static String list(Help help) {
    int longest = ENTRIES.stream().mapToInt(entry -> entry.name().length()).max().orElse(0);
    var table =
        Help.TextTable.forColumns(
            help.colorScheme(),
            new Help.Column(longest + INDENT, INDENT, Help.Column.Overflow.SPAN),
            new Help.Column(
                help.commandSpec().usageMessage().width() - longest - INDENT,
                INDENT,
                Help.Column.Overflow.WRAP));
    for (Entry entry : ENTRIES) {
      table.addRowValues(
          help.colorScheme().commandText(entry.name()), help.colorScheme().text(entry.summary()));
    }
    return table.toString();
  }

  /**
   * The command that these arguments name, alone: to tell picocli of all would take longer than
   * most commands do. None of them where a list is all that is wanted; all of them where something
   * else is said, such as what was misspelt.
   */
  static List<Command> asked(List<String> arguments, Output output) {
    if (arguments.equals(List.of("--version"))) {
      return List.of();
    }
    if (LISTING.contains(arguments)) {
      return List.of(new HelpCommand());
    }
    String first = arguments.isEmpty() ? "" : arguments.getFirst();
    for (Entry entry : ENTRIES) {
      // Help is about the others.
      if (entry.name().equals(first) && !entry.name().equals("help")) {
        return List.of(entry.command().apply(output));
      }
    }
    return all(output);
  }
}
