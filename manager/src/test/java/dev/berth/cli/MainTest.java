package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class MainTest {
  private final Captured captured = new Captured();

  @Test
  void printsItsVersionAlone() {
    assertThat(berth("--version")).isEqualTo(0);
    assertThat(captured.out()).matches("berth \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R");
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void helpHasExamplesAndExitCodes() {
    assertThat(berth("--help")).isEqualTo(0);
    assertThat(captured.out())
        .startsWith("Usage: berth")
        .contains("Examples:", "Exit codes: 0 done, 1 refused or mismatch, 2 wrong usage");
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void helpOfWhatIsNoCommandSaysWhereTheyAreListed() {
    assertThat(captured.run(commands(captured.output()), "help", "nonsense")).isEqualTo(2);
    assertThat(captured.err())
        .isEqualTo("berth: command \"nonsense\": expected one that berth help lists\n");
  }

  @Test
  void helpOfACommandIsFoundBothWays() {
    assertThat(berth("echo", "--help")).isEqualTo(0);
    String asOption = captured.out();
    var again = new Captured();
    assertThat(again.run(commands(again.output()), "help", "echo")).isEqualTo(0);
    assertThat(again.out()).isEqualTo(asOption).startsWith("Usage: berth echo");
  }

  @Test
  void aCommandsAnswerGoesToStandardOutputAndItsNumberIsTheExitCode() {
    assertThat(berth("echo", "hello")).isEqualTo(1);
    assertThat(captured.out()).isEqualTo("hello\n");
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void noCommandIsWrongUsage() {
    assertThat(berth()).isEqualTo(2);
    assertThat(captured.out()).isEmpty();
    assertThat(captured.err()).isEqualTo("berth: missing command (see berth --help)\n");
  }

  @Test
  void anUnknownCommandIsWrongUsageAndTheNearestIsNamed() {
    assertThat(berth("ecko")).isEqualTo(2);
    assertThat(captured.err())
        .isEqualTo("berth: unknown command 'ecko', did you mean echo? (see berth --help)\n");
  }

  @Test
  void anUnknownOptionPointsAtTheHelpOfItsCommand() {
    assertThat(berth("echo", "--frobnicate", "x")).isEqualTo(2);
    assertThat(captured.err())
        .isEqualTo("berth: unknown option '--frobnicate' (see berth echo --help)\n");
  }

  @Test
  void anOptionThatCannotBeReadIsToldInTheConvertersWords() {
    assertThat(berth("echo", "--even", "3", "x")).isEqualTo(2);
    assertThat(captured.err())
        .isEqualTo("berth: --even: expected an even number, found 3 (see berth echo --help)\n");
  }

  @Test
  void invalidInputIsOneLineAndExitsWith2() {
    assertThat(failing(new InvalidInputException("cpuset \"x\":\n  expected a number")))
        .isEqualTo(2);
    assertThat(captured.err()).isEqualTo("berth: cpuset \"x\": expected a number\n");
  }

  @Test
  void aFileThatCannotBeReadIsInvalidInput() {
    assertThat(failing(new NoSuchFileException("pods.yaml"))).isEqualTo(2);
    assertThat(failing(new AccessDeniedException("state"))).isEqualTo(2);
    assertThat(failing(new FileSystemException("sys", null, "Is a directory"))).isEqualTo(2);
    assertThat(captured.err().lines())
        .containsExactly(
            "berth: pods.yaml: no such file",
            "berth: state: permission denied",
            "berth: sys: Is a directory");
  }

  @Test
  void aDefectIsOneLineThatTellsHowToSeeMore() {
    assertThat(failing(new IllegalStateException("two owners of CPU 3"))).isEqualTo(70);
    assertThat(captured.err())
        .isEqualTo(
            "berth: internal error: java.lang.IllegalStateException: two owners of CPU 3"
                + " (BERTH_DEBUG=1 prints the stack trace)\n");
  }

  @Test
  void debuggingPrintsTheStackTrace() {
    var code =
        Main.run(
            List.of("fail"),
            captured.output(),
            Map.of("BERTH_DEBUG", "1"),
            List.of(new Fail(new IllegalStateException("two owners of CPU 3"))));
    assertThat(code).isEqualTo(70);
    assertThat(captured.err()).contains("\tat ").contains("berth: internal error: ");
  }

  @Test
  void errorsOfTheMachineAreDefectsToo() {
    assertThat(berth("overflow")).isEqualTo(70);
    assertThat(captured.err())
        .startsWith("berth: internal error: java.lang.StackOverflowError")
        .hasLineCount(1);
  }

  @Test
  void aReaderThatWentAwayIsNoFailureToTalkAbout() {
    assertThat(writingTo("Broken pipe", "echo", "hello")).isEqualTo(141);
    assertThat(writingTo("Broken pipe", "--help")).isEqualTo(141);
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void aFullDiskIsToldAndNeverPassesForSuccess() {
    assertThat(writingTo("No space left on device", "echo", "hello")).isEqualTo(74);
    assertThat(captured.err())
        .isEqualTo("berth: cannot write to standard output: No space left on device\n");
  }

  private int berth(String... arguments) {
    return captured.run(commands(captured.output()), arguments);
  }

  private int failing(Exception e) {
    return captured.run(List.of(new Fail(e)), "fail");
  }

  private int writingTo(String complaint, String... arguments) {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int octet) throws IOException {
            throw new IOException(complaint);
          }
        };
    var out = new PrintStream(new WatchedOutputStream(broken));
    var output = new Output(out, captured.output().err(), false, false, 80);
    return Main.run(List.of(arguments), output, Map.of(), List.of(new Echo(output)));
  }

  private static List<Command> commands(Output output) {
    return List.of(new Echo(output), new Overflow(), new HelpCommand());
  }

  private static final class Echo implements Command {
    private final Output output;
    private String word = "";

    Echo(Output output) {
      this.output = output;
    }

    @Override
    public CommandSpec spec() {
      return Syntax.of(this, "echo", "Says it again.")
          .with(
              Parameter.one("WORD", String.class, word, value -> word = value),
              syntax ->
                  syntax.add(
                      OptionSpec.builder("--even").type(int.class).converters(Echo::even).build()))
          .spec();
    }

    private static int even(String text) {
      if (Integer.parseInt(text) % 2 != 0) {
        throw new InvalidInputException("--even: expected an even number, found " + text);
      }
      return Integer.parseInt(text);
    }

    @Override
    public Integer call() {
      output.out().print(word + "\n");
      return 1;
    }
  }

  private record Fail(Exception cause) implements Command {
    @Override
    public CommandSpec spec() {
      return Syntax.of(this, "fail", "Fails.").spec();
    }

    @Override
    public Integer call() throws Exception {
      throw cause;
    }
  }

  private static final class Overflow implements Command {
    @Override
    public CommandSpec spec() {
      return Syntax.of(this, "overflow", "Never returns.").spec();
    }

    @Override
    public Integer call() {
      throw new StackOverflowError();
    }
  }
}
