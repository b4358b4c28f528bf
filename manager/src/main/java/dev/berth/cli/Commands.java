package dev.berth.cli;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;

/** The subcommands of {@code berth}, in the order in which help lists them. */
final class Commands {
  private record Entry(String name, Class<?> type, Function<Output, Object> command) {
    /** What it does, in a line. */
    String summary() {
      Command words = type.getAnnotation(Command.class);
      return words.header().length > 0 ? words.header()[0] : words.description()[0];
    }
  }

  private static final int INDENT = 2;

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
          new Entry("man", ManCommand.class, ManCommand::new),
          new Entry("help", HelpCommand.class, _ -> new HelpCommand()));

  private Commands() {}

  static List<String> names() {
    return ENTRIES.stream().map(Entry::name).toList();
  }

  static List<Object> all(Output output) {
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
   * The command that these arguments name, alone: picocli reads all annotations of whatever it is
   * given, which takes longer than most commands do. None of them where a list is all that is
   * wanted; all of them where something else is said, such as what was misspelt.
   */
  static List<Object> asked(List<String> arguments, Output output) {
    if (arguments.equals(List.of("--version"))) {
      return List.of();
    }
    if (LISTING.contains(arguments)) {
      return List.of(new HelpCommand());
    }
    String first = arguments.isEmpty() ? "" : arguments.getFirst();
    for (Entry entry : ENTRIES) {
      // Help is about the others.
      if (entry.name().equals(first) && entry.type() != HelpCommand.class) {
        return List.of(entry.command().apply(output));
      }
    }
    return all(output);
  }
}
