package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.http.HttpExchange;
import dev.berth.kubelet.NodeSettings;
import dev.berth.simulate.WorkloadReader;
import dev.berth.start.BerthJvm;
import dev.berth.testing.Document;
import dev.berth.testing.Document.Block;
import dev.berth.testing.Document.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Does what the README, the tutorial and the how-tos say, command by command as they stand there,
 * in a folder that looks like a checkout, and compares what is printed with what is shown.
 *
 * <p>{@code ./berth} is a script there that runs the classes under test, and gives agents folders,
 * a group and a port of this test's own. A command that is said to have a terminal of its own goes
 * on beside the others; one that is said to end with an exit code has to.
 */
@Tag("slow")
class DocumentsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String TERMINAL = "in a terminal of its own";
  private static final String EXIT_CODE = "# exit code ";
  private static final int PATIENCE_SECONDS = 120;

  /** Lines that only a Kubernetes node, the network or a person could run. No more than these. */
  private static final int MOST_NOT_RUN = 6;

  private final String cgroup = "berth-documents-" + ProcessHandle.current().pid();
  private final List<Process> terminals = new ArrayList<>();
  @TempDir private Path folder = Path.of("");

  static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    documents.add(ROOT.resolve("docs/tutorial.md"));
    try (DirectoryStream<Path> pages =
        Files.newDirectoryStream(ROOT.resolve("docs/how-to"), "*.md")) {
      pages.forEach(documents::add);
    }
    return documents;
  }

  @AfterEach
  void leaveNothing() throws IOException, InterruptedException {
    for (Process terminal : terminals) {
      terminal.destroy();
      if (!terminal.waitFor(20, TimeUnit.SECONDS)) {
        terminal.destroyForcibly().waitFor();
      }
    }
    Leftovers.cleanAfterScript(cgroup, folder.resolve("state"));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyCommandDoesWhatTheDocumentShows(Path path) throws Exception {
    assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "needs two CPUs, one to give away");
    Path checkout = checkout();
    StringBuilder printed = new StringBuilder();
    for (Block block : Document.read(path).blocks()) {
      String where = ROOT.relativize(path) + ":" + block.line();
      switch (block.kind()) {
        case COMMANDS -> {
          printed.setLength(0);
          for (String command : block.commands()) {
            if (block.isRun(command)) {
              printed.append(run(where, command, checkout));
            }
          }
        }
        case OUTPUT -> {
          if (block.notRun().isEmpty()) {
            assertThat(Document.matches(block.text(), printed.toString()))
                .as(where + ": shown\n" + block.text() + "\nprinted\n" + printed)
                .isTrue();
          }
        }
        case YAML -> understood(where, block);
      }
    }
  }

  @Test
  void fewCommandsAreNotRunAndEachSaysWhy() throws IOException {
    List<String> notRun = new ArrayList<>();
    for (Path path : documents()) {
      for (Block block : Document.read(path).blocks()) {
        if (block.kind() == Kind.COMMANDS) {
          block.commands().stream().filter(line -> !block.isRun(line)).forEach(notRun::add);
        }
      }
    }
    assertThat(notRun).hasSizeLessThanOrEqualTo(MOST_NOT_RUN);
  }

  private static void understood(String where, Block block) throws IOException {
    if (!block.file().isEmpty()) {
      String file =
          Files.readAllLines(ROOT.resolve(block.file())).stream()
              .dropWhile(line -> line.startsWith("#"))
              .collect(Collectors.joining("\n", "", "\n"));
      assertThat(block.text()).as(where).isEqualTo(file);
    }
    if (block.text().contains("kind: ") && !block.text().contains("KubeletConfiguration")) {
      assertThat(WorkloadReader.read(where, block.text(), 1).workload().visitors()).isNotEmpty();
    } else {
      assertThat(NodeSettings.read(where, block.text(), List.of())).isNotNull();
    }
  }

  /** A folder with all that a reader of the documents has before them. */
  private Path checkout() throws IOException {
    Path checkout = Files.createDirectory(folder.resolve("berth"));
    Files.createDirectory(folder.resolve("home"));
    for (String part : List.of("examples", "docs", "deploy")) {
      Files.createSymbolicLink(checkout.resolve(part), ROOT.resolve(part));
    }
    Path script = Files.writeString(checkout.resolve("berth"), script());
    assertThat(script.toFile().setExecutable(true)).isTrue();
    return checkout;
  }

  private String script() {
    List<String> flags = new ArrayList<>(BerthJvm.SHORT);
    flags.add("-Dberth.script=" + folder.resolve("berth/berth"));
    String java = BerthJvm.words(flags).stream().collect(Collectors.joining("' '", "'", "'"));
    String own = " --state '" + folder.resolve("state") + "' --cgroup " + cgroup;
    return """
    #!/bin/sh
    case "$1 $*" in
      *--passing*) ;;
      agent*) shift; set -- agent%s --socket "$BERTH_SOCKET" --http 127.0.0.1:0 "$@" ;;
      run*) shift; set -- run%s "$@" ;;
    esac
    exec %s "$@"
    """
        .formatted(own, own, java);
  }

  private String run(String where, String command, Path checkout) throws Exception {
    Path output = Files.createTempFile(folder, "output", "");
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", command)
            .directory(checkout.toFile())
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(output.toFile());
    builder.environment().put("BERTH_SOCKET", folder.resolve("s").toString());
    // As one finds it who has never had Berth.
    builder.environment().put("HOME", folder.resolve("home").toString());
    builder.environment().keySet().removeIf(name -> name.startsWith("XDG_"));
    builder.environment().put("COLUMNS", "100");
    if (command.contains(TERMINAL)) {
      builder.command("sh", "-c", "exec " + command);
      terminals.add(builder.start());
      awaitAgent(where + ": " + command, output);
      return "";
    }
    Process process = builder.start();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(where + ": " + command + " does not end");
    }
    String said = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(process.exitValue())
        .as(where + ": " + command + "\n" + said)
        .isEqualTo(code(command));
    return said;
  }

  private static int code(String command) {
    int at = command.indexOf(EXIT_CODE);
    return at < 0 ? 0 : Integer.parseInt(command.substring(at + EXIT_CODE.length()).strip());
  }

  private void awaitAgent(String what, Path output) {
    RealAgent.await(
        what,
        () -> {
          if (!terminals.getLast().isAlive()) {
            throw new AssertionError(what + " ended: " + Files.readString(output));
          }
          // An agent that a command brought before may answer for a moment still.
          if (!Files.readString(output).contains(" ready: ")) {
            return false;
          }
          try (HttpExchange exchange =
              HttpExchange.send(folder.resolve("s"), "GET", "/readyz", "")) {
            return exchange.status() == 200;
          } catch (IOException e) {
            return false;
          }
        });
  }
}
