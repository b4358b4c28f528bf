package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asks real shells; those that are absent are skipped. */
class CompletionCommandTest {
  @TempDir Path folder;

  private String socket = "";

  @BeforeEach
  void somewhereWithAFileAndAnAgent() throws IOException {
    Files.writeString(folder.resolve("pods.yaml"), "");
    Path berth = folder.resolve("berth");
    // Stands in for the program as far as a script asks it.
    Files.writeString(
        berth,
        """
        #!/bin/sh
        case "$*:$BERTH_SOCKET" in
          "ps -o names:") printf 'db\\nweb\\n' ;;
          "ps -o names --socket /run/my own.sock:"*) printf 'there\\n' ;;
          "ps -o names --socket $HOME/a.sock:"*) printf 'home\\n' ;;
          "ps -o names:/run/else.sock") printf 'elsewhere\\n' ;;
        esac
        """);
    assertThat(berth.toFile().setExecutable(true)).isTrue();
    for (String shell : List.of("bash", "zsh", "fish")) {
      var captured = new Captured();
      assertThat(captured.berth("completion", shell)).as(captured.err()).isZero();
      Files.writeString(folder.resolve(shell), captured.out());
    }
  }

  private List<String> run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("BERTH_SOCKET", socket);
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out.lines().toList();
  }

  /** What a shell offers for the last of these words. */
  private List<String> offered(String shell, String... words) throws Exception {
    String quoted =
        Stream.of(words).map(word -> "'" + word + "'").reduce("", (a, b) -> a + " " + b);
    return switch (shell) {
      case "bash" ->
          run(
              "bash",
              "--norc",
              "-c",
              "source ./bash; COMP_WORDS=(berth"
                  + quoted
                  + "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _berth;"
                  + " printf '%s\\n' \"${COMPREPLY[@]}\"");
      case "zsh" -> zsh(quoted);
      // The shell ends a complete word with a space of its own, and describes after a tab.
      default ->
          run(
                  "fish",
                  "--no-config",
                  "-c",
                  "source ./fish; complete -C 'berth " + String.join(" ", words) + "'")
              .stream()
              .map(line -> line.replaceFirst("\t.*", ""))
              .toList();
    };
  }

  /** Its functions for completion work only at a prompt, so they are played. */
  private List<String> zsh(String quoted) throws Exception {
    return run(
        "zsh",
        "-f",
        "-c",
        "compdef() { :; }; compset() { PREFIX=${PREFIX#*=}; }; compadd() { shift; local w; for w in"
            + " \"$@\"; do [[ $w == $PREFIX* ]] && print -r -- $w; done; true; }; _files() { print"
            + " -l -- $PREFIX*(N); }; source ./zsh; words=(berth"
            + quoted
            + "); CURRENT=$#words; PREFIX=$words[-1]; _berth");
  }

  private void needs(String shell) {
    boolean isThere =
        Stream.of("/bin/", "/usr/bin/").anyMatch(at -> Files.isExecutable(Path.of(at + shell)));
    assumeTrue(isThere, "needs " + shell);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void completesCommandsOptionsAndValues(String shell) throws Exception {
    needs(shell);
    assertThat(offered(shell, "topo")).containsExactly("topology");
    assertThat(offered(shell, "")).contains("watch", "ps", "state", "completion");
    assertThat(offered(shell, "state", "")).containsExactlyInAnyOrder("show", "check", "migrate");
    assertThat(offered(shell, "topology", "--mach")).containsExactly("--machine");
    assertThat(offered(shell, "topology", "--machine", "epyc-7702p-"))
        .containsExactlyInAnyOrder("epyc-7702p-smt-off", "epyc-7702p-l3-as-numa");
    assertThat(offered(shell, "topology", "-o", ""))
        .containsExactlyInAnyOrder("text", "json", "svg", "hwloc");
    assertThat(offered(shell, "agent", "--topology-manager-policy", "s"))
        .containsExactly("single-numa-node");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void completesFilesAndThePodsOfTheAgent(String shell) throws Exception {
    needs(shell);
    assertThat(offered(shell, "apply", "-f", "po")).containsExactly("pods.yaml");
    assertThat(offered(shell, "explain", "")).contains("db", "web");
    assertThat(offered(shell, "rm", "db", "w")).containsExactly("web");
    assertThat(offered(shell, "ps", "--socket", "x", "-")).contains("--socket", "-o");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void asksTheAgentThatTheCommandLineNames(String shell) throws Exception {
    needs(shell);
    String quoted = shell.equals("fish") ? "/run/my\\\\ own.sock" : "/run/my own.sock";
    assertThat(offered(shell, "rm", "--socket", quoted, "")).containsExactly("there");
    List<String> joined =
        shell.equals("bash")
            ? offered(shell, "rm", "--socket", "=", quoted, "")
            : offered(shell, "rm", "--socket=" + quoted, "");
    assertThat(joined).containsExactly("there");
    if (!shell.equals("fish")) {
      assertThat(offered(shell, "rm", "--socket", "~/a.sock", "")).containsExactly("home");
    }
    socket = "/run/else.sock";
    assertThat(offered(shell, "rm", "")).containsExactly("elsewhere");
    assertThat(offered(shell, "rm", "--socket", quoted, "")).containsExactly("there");
  }

  @Test
  void completesWhatStandsBehindAnEqualsSign() throws Exception {
    needs("bash");
    assertThat(offered("bash", "topology", "--machine", "=", "grav")).containsExactly("graviton3");
    assertThat(offered("bash", "topology", "--machine", "=")).contains("graviton3");
  }

  @Test
  void anotherShellIsRefused() {
    var captured = new Captured();
    assertThat(captured.berth("completion", "tcsh")).isEqualTo(2);
    assertThat(captured.err()).contains("bash, zsh, fish").hasLineCount(1);
  }
}
