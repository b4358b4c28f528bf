package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What commands say they understand, they do: every word arrives in a field of its own. */
class SyntaxTest {
  /** The words of every command, without the program's name. */
  static List<String> commands() {
    List<String> all = new ArrayList<>();
    collect(Main.commandLine(new Captured().output()), "", all);
    return all;
  }

  private static void collect(CommandLine line, String before, List<String> all) {
    line.getSubcommands()
        .forEach((name, inner) -> {
          all.add(before + name);
          collect(inner, before + name + " ", all);
        });
  }

  /** A new one each time, that takes lines in which something is missing. */
  private static CommandLine made(String words) {
    CommandLine line = Main.commandLine(new Captured().output());
    for (String word : words.split(" ", -1)) {
      line = Objects.requireNonNull(line.getSubcommands().get(word));
      line.getCommandSpec().parser().collectErrors(true);
    }
    return line;
  }

  /** Has a command read words of its own, behind those that name it. */
  private static void read(CommandLine command, String words, String... own) {
    List<String> all = new ArrayList<>(List.of(words.split(" ", -1)));
    all.addAll(List.of(own));
    command.getCommandSpec().root().commandLine().parseArgs(all.toArray(String[]::new));
  }

  private static List<ArgSpec> arguments(CommandLine line) {
    return line.getCommandSpec().args().stream()
        .filter(argument ->
            !(argument instanceof OptionSpec option
                && (option.usageHelp() || option.versionHelp())))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyWordArrivesInAFieldOfItsOwn(String words) {
    Set<String> set = new HashSet<>();
    for (int i = 0; i < arguments(made(words)).size(); i++) {
      CommandLine line = made(words);
      ArgSpec argument = arguments(line).get(i);
      Object command = line.getCommand();
      Map<String, String> before = fields(command);
      read(line, words, said(argument));
      Map<String, String> after = fields(command);
      List<String> changed =
          after.keySet().stream()
              .filter(key -> !Objects.equals(after.get(key), before.get(key)))
              .toList();
      assertThat(changed).as("%s", argument).hasSize(1);
      assertThat(after.get(changed.getFirst())).as("%s", argument).isEqualTo(arrived(argument));
      assertThat(set.add(changed.getFirst())).as("%s: the only one", argument).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everythingSaysWhatItIsFor(String words) {
    CommandSpec spec = made(words).getCommandSpec();
    assertThat(spec.usageMessage().description()).isNotEmpty().noneMatch(String::isBlank);
    for (ArgSpec argument : spec.args()) {
      assertThat(argument.description()).as("%s", argument).isNotEmpty().noneMatch(String::isBlank);
      assertThat(argument.arity().max() > 0 && argument.paramLabel().equals("PARAM"))
          .as("%s has no word for its value", argument)
          .isFalse();
    }
    assertThat(spec.optionsMap()).containsKey("--help");
    assertThat(spec.optionsMap().containsKey("--version")).isEqualTo(!words.equals("help"));
  }

  @Test
  void thereAreSomeOfEachKind() {
    List<ArgSpec> all =
        commands().stream().flatMap(words -> arguments(made(words)).stream()).toList();
    assertThat(all).hasSizeGreaterThan(100);
    assertThat(all).anyMatch(ArgSpec::hidden).anyMatch(argument -> argument.group() != null);
    assertThat(all.stream().map(argument -> argument.type().getSimpleName()))
        .contains("boolean", "int", "long", "String", "Path", "List", "Map", "OutputFormat");
  }

  private static String[] said(ArgSpec argument) {
    String value = value(argument);
    return switch (argument) {
      case OptionSpec option when option.arity().max() == 0 -> new String[] {option.longestName()};
      case OptionSpec option -> new String[] {option.longestName() + "=" + value};
      case PositionalParamSpec _ -> new String[] {value};
      default -> throw new AssertionError(argument.toString());
    };
  }

  /** One that no field has before. */
  private static String value(ArgSpec argument) {
    Class<?> type = argument.auxiliaryTypes()[0];
    if (type.isEnum()) {
      return String.valueOf(Arrays.asList(type.getEnumConstants()).getLast());
    }
    if (argument.type() == Map.class) {
      return "name=value";
    }
    if (type == Double.class) {
      return "4711.5";
    }
    return type == int.class || type == long.class ? "4711" : "another";
  }

  private static String arrived(ArgSpec argument) {
    String value = value(argument);
    if (argument.arity().max() == 0) {
      return "true";
    }
    if (argument.type() == Map.class) {
      return "{" + value + "}";
    }
    return argument.type() == List.class ? "[" + value + "]" : value;
  }

  /** All that a command can be told, with that of its parts. */
  private static Map<String, String> fields(Object owner) {
    Map<String, String> values = new TreeMap<>();
    Stream.of(owner.getClass().getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()))
        .forEach(field -> {
          Object value = value(field, owner);
          if (value instanceof Part) {
            fields(value).forEach((name, inner) -> values.put(field.getName() + "." + name, inner));
          } else if (!Modifier.isFinal(field.getModifiers())) {
            values.put(field.getName(), plain(value));
          }
        });
    return values;
  }

  private static Object value(Field field, Object owner) {
    try {
      field.setAccessible(true);
      return field.get(owner);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static String plain(Object value) {
    String text = String.valueOf(value);
    return text.startsWith("Optional[")
        ? text.substring("Optional[".length(), text.length() - 1)
        : text;
  }
}
