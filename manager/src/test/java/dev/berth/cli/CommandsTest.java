package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandsTest {
  private final Captured captured = new Captured();

  /** Help is about the others. */
  static List<String> names() {
    return Commands.names().stream().filter(name -> !name.equals("help")).toList();
  }

  @Test
  void everyCommandIsListedUnderTheNameThatItHasItself() {
    assertThat(Main.commandLine(captured.output()).getSubcommands().keySet())
        .containsExactlyElementsOf(Commands.names());
  }

  @ParameterizedTest
  @MethodSource("names")
  void aCommandMadeAloneHelpsAsItDoesAmongTheOthers(String name) {
    List<String> line = List.of(name, "--help");
    assertThat(Commands.asked(line, captured.output())).hasSize(1);
    assertThat(captured.berth(name, "--help")).isEqualTo(0);
    var among = new Captured();
    Main.run(line, among.output(), Map.of(), Commands.all(among.output()));
    assertThat(captured.out()).isEqualTo(among.out()).contains("Examples:");
  }

  @Test
  void whatNamesNoCommandIsMeantForAllOfThem() {
    for (List<String> line :
        List.of(List.of("stat"), List.of("help", "run"), List.of("-h", "ps"))) {
      assertThat(Commands.asked(line, captured.output())).hasSameSizeAs(Commands.names());
    }
    assertThat(captured.berth("help", "run")).isZero();
    assertThat(captured.out()).contains("berth run");
  }

  @Test
  void helpListsThemAsPicocliWould() {
    CommandLine line = Main.commandLine(captured.output());
    for (int width : List.of(60, 80, 100)) {
      line.setUsageHelpWidth(width);
      String own = line.getHelp().commandList(line.getHelp().subcommands());
      assertThat(Commands.list(line.getHelp())).isEqualTo(own).contains("  topology ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-h", "--help", "help"})
  void aListOfCommandsIsTheSameWithoutWhatTheyUnderstand(String words) {
    List<String> line = words.isEmpty() ? List.of() : List.of(words);
    int code = captured.berth(line.toArray(String[]::new));
    var among = new Captured();
    assertThat(Main.run(line, among.output(), Map.of(), Commands.all(among.output())))
        .isEqualTo(code);
    assertThat(captured.out()).isEqualTo(among.out());
    assertThat(captured.err()).isEqualTo(among.err());
    assertThat(captured.out() + captured.err()).isNotBlank();
  }

  @Test
  void aCommandWithCommandsListsItsOwn() {
    assertThat(captured.berth("state", "--help")).isZero();
    assertThat(captured.out()).contains("  show ", "  migrate ").doesNotContain("  topology ");
  }

  @Test
  void aMisspeltCommandIsStillSetRight() {
    assertThat(captured.berth("topolgy")).isEqualTo(2);
    assertThat(captured.err()).contains("did you mean topology?");
  }
}
