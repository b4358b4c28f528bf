package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cli.guide.Guide;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Every command has examples that are true, and a page of the manual. */
class GuideTest {
  /** Commands whose examples need neither an agent, nor a file that is not ours, nor minutes. */
  private static final List<String> RUN =
      List.of("topology", "machines", "config show", "completion", "man", "--version", "help");

  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  private static CommandLine line() {
    return Main.commandLine(new Captured().output());
  }

  static Stream<Guide.Entry> commands() {
    return Guide.of(line()).commands().stream().filter(entry -> !entry.path().equals("berth help"));
  }

  /** Those of a command, as words, without what a shell does with them and words about them. */
  private static List<List<String>> examples(Guide.Entry entry) {
    List<List<String>> examples = new ArrayList<>();
    for (String line : entry.footer()) {
      int begin = line.indexOf("berth ");
      if (line.startsWith("  ") && begin >= 0) {
        String command = line.substring(begin).replaceFirst("( > | \\| |   ).*", "");
        examples.add(
            WORD.matcher(command)
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .skip(1)
                .toList());
      }
    }
    return examples;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpHasExamplesThatAreUnderstood(Guide.Entry entry) {
    assertThat(examples(entry)).as(entry.path()).isNotEmpty();
    for (List<String> words : examples(entry)) {
      CommandLine.ParseResult parsed = line().parseArgs(words.toArray(String[]::new));
      assertThat(parsed.errors()).as("%s", words).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void examplesCanBeCopiedAsTheyStandInTheHelp(Guide.Entry entry) {
    assertThat(entry.footer())
        .filteredOn(line -> line.startsWith("  "))
        .as("picocli breaks longer lines, and a shell would run half of them")
        .allMatch(line -> line.length() <= Output.DEFAULT_WIDTH);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void examplesThatNeedNobodyElseSucceed(Guide.Entry entry) {
    for (List<String> words : examples(entry)) {
      String line = String.join(" ", words);
      if (RUN.stream().anyMatch(line::startsWith) && !line.contains("--all")) {
        var captured = new Captured();
        assertThat(captured.berth(words.toArray(String[]::new))).as(captured.err()).isZero();
        assertThat(captured.out()).isNotEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aPageTellsAllThatHelpTells(Guide.Entry entry) {
    var captured = new Captured();
    String[] words = ("man " + entry.path().replaceFirst("^berth ?", "")).strip().split(" ", -1);
    assertThat(captured.berth(words)).as(captured.err()).isZero();
    String page = captured.out().replace("\\-", "-");
    assertThat(page).startsWith(".TH \"").contains(".SH NAME", ".SH SYNOPSIS", entry.path());
    entry.options().forEach(option -> assertThat(page).contains(option.names()));
    entry.inner().forEach(name -> assertThat(page).contains(entry.path() + " " + name));
    assertThat(page).doesNotContain("${", "%n");
  }

  @Test
  void pagesAreWithoutFaultToEveryFormatter(@TempDir Path folder) throws Exception {
    var captured = new Captured();
    assertThat(captured.berth("man", "--all", folder.toString())).as(captured.err()).isZero();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(Guide.of(line()).commands().size());
    }
    Path groff = Path.of("/usr/bin/groff");
    Path mandoc = Path.of("/usr/bin/mandoc");
    assumeTrue(Files.exists(groff) || Files.exists(mandoc), "needs groff or mandoc");
    if (Files.exists(groff)) {
      assertThat(said("groff -man -ww -Tutf8 *.1 2>&1 >/dev/null", folder)).isEmpty();
    }
    if (Files.exists(mandoc)) {
      // Without a date a page is the same whenever it is made.
      String sieve = " | grep -v 'missing date'; true";
      assertThat(said("mandoc -Tlint -W warning *.1 2>&1" + sieve, folder)).isEmpty();
    }
  }

  private static String said(String command, Path folder) throws IOException, InterruptedException {
    Process process = new ProcessBuilder("sh", "-c", command).directory(folder.toFile()).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }

  @Test
  void aPageOfAnUnknownCommandIsRefused() {
    var captured = new Captured();
    assertThat(captured.berth("man", "state", "burn")).isEqualTo(2);
    assertThat(captured.err()).startsWith("berth: command \"state burn\": expected one");
  }
}
