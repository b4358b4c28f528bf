package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {
  private final Captured captured = new Captured();

  static List<String> names() {
    return Commands.names();
  }

  @Test
  void everyCommandIsListedUnderTheNameThatItHasItself() {
    assertThat(Main.commandLine(captured.output()).getSubcommands().keySet())
        .containsExactlyElementsOf(Stream.concat(names().stream(), Stream.of("help")).toList());
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
    for (List<String> line : List.<List<String>>of(List.of(), List.of("--help"), List.of("stat"))) {
      assertThat(Commands.asked(line, captured.output())).hasSize(names().size() + 1);
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
  void aMisspeltCommandIsStillSetRight() {
    assertThat(captured.berth("topolgy")).isEqualTo(2);
    assertThat(captured.err()).contains("did you mean topology?");
  }
}
