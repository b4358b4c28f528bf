package dev.berth.cli.guide;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * All commands, the program's own first.
 *
 * @param commands each with those below it after it
 */
public record Guide(List<Entry> commands) {
  /** Copies them. */
  public Guide {
    commands = List.copyOf(commands);
  }

  /**
   * A command.
   *
   * @param path its words, the program's name first
   * @param description what it does, a paragraph each
   * @param inner names of the commands below it
   * @param options what can be said to it
   * @param parameters what it is given
   * @param footer examples, exit codes and more, as help has them
   */
  public record Entry(
      String path,
      List<String> description,
      List<String> inner,
      List<Argument> options,
      List<Argument> parameters,
      List<String> footer) {
    /** Copies them. */
    public Entry {
      description = List.copyOf(description);
      inner = List.copyOf(inner);
      options = List.copyOf(options);
      parameters = List.copyOf(parameters);
      footer = List.copyOf(footer);
    }

    /** The first sentence about it, without its end. */
    public String summary() {
      String first = description.isEmpty() ? "" : description.getFirst();
      return first.replaceFirst("(?<=[a-z])[.:].*$", "");
    }
  }

  /**
   * An option or a parameter.
   *
   * @param names of an option
   * @param label the word for what it takes
   * @param value what that can be
   * @param description what it is for
   * @param isRepeated whether there can be several
   * @param isRequired whether there must be one
   */
  public record Argument(
      List<String> names,
      String label,
      Value value,
      String description,
      boolean isRepeated,
      boolean isRequired) {
    /** Copies them. */
    public Argument {
      names = List.copyOf(names);
    }
  }

  /** Reads picocli's model. */
  public static Guide of(CommandLine line) {
    List<Entry> entries = new ArrayList<>();
    collect(line, entries);
    return new Guide(entries);
  }

  private static void collect(CommandLine line, List<Entry> entries) {
    CommandSpec spec = line.getCommandSpec();
    entries.add(
        new Entry(
            spec.qualifiedName(),
            rendered(line, spec.usageMessage().description()),
            List.copyOf(line.getSubcommands().keySet()),
            spec.options().stream().filter(option -> !option.hidden()).map(Guide::option).toList(),
            spec.positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .map(Guide::parameter)
                .toList(),
            rendered(line, spec.usageMessage().footer())));
    line.getSubcommands().values().forEach(inner -> collect(inner, entries));
  }

  /** Without picocli's own marks. */
  private static List<String> rendered(CommandLine line, String[] words) {
    return Stream.of(words)
        .map(word -> line.getColorScheme().text(word).plainString())
        .map(Guide::said)
        .toList();
  }

  private static String said(String text) {
    return text.replace("%n", "\n").replace("%%", "%");
  }

  private static Argument option(OptionSpec option) {
    return argument(option, List.of(option.names()));
  }

  private static Argument parameter(PositionalParamSpec parameter) {
    return argument(parameter, List.of());
  }

  private static Argument argument(ArgSpec argument, List<String> names) {
    String text =
        said(String.join(" ", argument.description()))
            .replace("${DEFAULT-VALUE}", String.valueOf(argument.defaultValueString()))
            .replace("$$", "$");
    boolean takesSome = argument.arity().max() > 0;
    return new Argument(
        names,
        takesSome ? argument.paramLabel() : "",
        Value.of(argument),
        text,
        argument.isMultiValue(),
        argument.arity().min() > 0 && names.isEmpty());
  }

  /**
   * One by its words.
   *
   * @param words without the program's name; none for the program itself
   */
  public Optional<Entry> command(String words) {
    String program = commands.getFirst().path();
    String path = (program + " " + words).strip();
    return commands.stream().filter(entry -> entry.path().equals(path)).findFirst();
  }
}
