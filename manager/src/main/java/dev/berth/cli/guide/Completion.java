package dev.berth.cli.guide;

import dev.berth.cli.guide.Guide.Argument;
import dev.berth.cli.guide.Guide.Entry;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Scripts that complete the words of a command line. Each has a table of what may stand where and a
 * function that walks the words before the cursor; only for names of pods is the program asked.
 */
public final class Completion {
  private static final String FILES = "@files";
  private static final String PODS = "@pods";

  private final Guide guide;
  private final String machines;
  private final String commands;

  private Completion(Guide guide, List<String> machines) {
    this.guide = guide;
    this.machines = String.join(" ", machines);
    commands = String.join(" ", guide.commands().getFirst().inner());
  }

  /**
   * A script for a shell.
   *
   * @param machines names of the built-in machines
   */
  public static String script(Shell shell, Guide guide, List<String> machines) {
    Completion completion = new Completion(guide, machines);
    return switch (shell) {
      case bash -> completion.filled(Templates.TABLE + Templates.BASH);
      case zsh -> completion.filled("#compdef berth\n" + Templates.TABLE + Templates.ZSH);
      case fish -> completion.fish();
    };
  }

  /** Both shells understand the table, and differ in how they are answered. */
  private String filled(String template) {
    return template
        .replace("%COMMANDS%", cases(guide.commands().stream().map(this::commandCase)))
        .replace("%OPTIONS%", cases(guide.commands().stream().map(Completion::optionCase)))
        .replace("%VALUES%", cases(guide.commands().stream().flatMap(this::valueCases)))
        .replace("%PLAIN%", cases(guide.commands().stream().flatMap(Completion::plainCases)));
  }

  private static String cases(Stream<String> cases) {
    return cases.filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
  }

  /** What may come next: commands below it, or what its parameters take. */
  private String commandCase(Entry entry) {
    String words =
        entry.inner().isEmpty()
            ? entry.parameters().stream()
                .map(p -> words(p.value()))
                .collect(Collectors.joining(" "))
            : String.join(" ", entry.inner());
    return "    '" + entry.path() + "') echo '" + words.strip() + "' ;;";
  }

  private static String optionCase(Entry entry) {
    return "    '" + entry.path() + "') echo '" + names(entry.options()) + "' ;;";
  }

  private static String names(List<Argument> options) {
    return options.stream()
        .flatMap(option -> option.names().stream())
        .collect(Collectors.joining(" "));
  }

  private Stream<String> valueCases(Entry entry) {
    return entry.options().stream()
        .filter(option -> !(option.value() instanceof Value.None))
        .map(option -> patterns(entry, option) + ") echo '" + words(option.value()) + "' ;;");
  }

  /** Options after which the next word is no value. */
  private static Stream<String> plainCases(Entry entry) {
    return entry.options().stream()
        .filter(option -> option.value() instanceof Value.None)
        .map(option -> patterns(entry, option) + ") return 0 ;;");
  }

  private static String patterns(Entry entry, Argument option) {
    return option.names().stream()
        .map(name -> "'" + entry.path() + " " + name + "'")
        .collect(Collectors.joining(" | ", "    ", ""));
  }

  private String words(Value value) {
    return switch (value) {
      case Value.None _, Value.Free _ -> "";
      case Value.FileName _ -> FILES;
      case Value.OneOf few -> String.join(" ", few.words());
      case Value.MachineName _ -> machines;
      case Value.PodName _ -> PODS;
      case Value.CommandName _ -> commands;
    };
  }

  private String fish() {
    StringBuilder script = new StringBuilder(Templates.FISH);
    script.append("set -g __berth_commands");
    guide.commands().forEach(entry -> script.append(" '").append(entry.path()).append('\''));
    script.append('\n');
    for (Entry entry : guide.commands()) {
      String at = "complete -c berth -n '__berth_at " + entry.path() + "'";
      for (String inner : entry.inner()) {
        String summary =
            guide.commands().stream()
                .filter(other -> other.path().equals(entry.path() + " " + inner))
                .map(Entry::summary)
                .findFirst()
                .orElse("");
        script.append(at).append(" -a ").append(inner).append(" -d ").append(quoted(summary));
        script.append('\n');
      }
      entry.parameters().forEach(p -> script.append(at).append(fishWords(p.value())).append('\n'));
      entry.options().forEach(option -> script.append(at).append(fishOption(option)).append('\n'));
    }
    return script.toString();
  }

  private String fishOption(Argument option) {
    StringBuilder line = new StringBuilder();
    for (String name : option.names()) {
      boolean isLong = name.startsWith("--");
      line.append(isLong ? " -l " : " -s ").append(name.replaceFirst("^--?", ""));
    }
    if (!(option.value() instanceof Value.None)) {
      // Files are offered beside the words that are asked for, unless that is forbidden.
      line.append(option.value() instanceof Value.FileName ? " -r" : " -x");
      line.append(fishWords(option.value()));
    }
    return line + " -d " + quoted(option.description());
  }

  private String fishWords(Value value) {
    return switch (value) {
      case Value.None _, Value.Free _ -> "";
      case Value.FileName _ -> " -F";
      case Value.PodName _ -> " -a '(__berth_pods)'";
      case Value.OneOf _, Value.MachineName _, Value.CommandName _ -> " -a '" + words(value) + "'";
    };
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
