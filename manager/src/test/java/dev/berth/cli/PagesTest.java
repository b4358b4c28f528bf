package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.start.BerthJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PagesTest {
  @TempDir Path folder;

  @BeforeEach
  void writtenByTheBuild() throws IOException {
    Pages.main(new String[] {folder.resolve("pages").toString()});
  }

  private String kept(String name) throws IOException {
    return Files.readString(folder.resolve("pages").resolve(name));
  }

  /** What a start with the folder prints; the exit code is its last line. */
  private String started(String... arguments) throws IOException, InterruptedException {
    List<String> flags = new ArrayList<>(BerthJvm.SHORT);
    flags.add("-Dberth.pages=" + folder.resolve("pages"));
    List<String> words = BerthJvm.words(flags);
    words.addAll(List.of(arguments));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return out + process.waitFor();
  }

  @Test
  void everyCommandHasAPageAndEveryShellAScript() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("pages"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains("berth.1", "berth-state-show.1", "berth.bash", "berth.zsh", "berth.fish")
          .hasSizeGreaterThan(Commands.names().size() + 3);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "run", "state show"})
  void aWrittenPageIsWhatWouldBeMade(String words) throws IOException {
    var captured = new Captured();
    List<String> line = new ArrayList<>(List.of("man"));
    line.addAll(words.isEmpty() ? List.of() : List.of(words.split(" ")));
    assertThat(captured.berth(line.toArray(String[]::new))).isZero();
    assertThat(captured.out())
        .isEqualTo(kept(("berth " + words).strip().replace(' ', '-') + ".1"))
        .startsWith(".TH");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void aWrittenScriptIsWhatWouldBeMade(String shell) throws IOException {
    var captured = new Captured();
    assertThat(captured.berth("completion", shell)).isZero();
    assertThat(captured.out()).isEqualTo(kept("berth." + shell)).contains("topology");
  }

  @Test
  void whatIsWrittenIsPrintedAsItIs() throws Exception {
    for (String name : List.of("berth.1", "berth-state-show.1", "berth.fish")) {
      Files.writeString(folder.resolve("pages").resolve(name), "written: " + name + "\n");
    }
    assertThat(started("man")).isEqualTo("written: berth.1\n0");
    assertThat(started("man", "state", "show")).isEqualTo("written: berth-state-show.1\n0");
    assertThat(started("completion", "fish")).isEqualTo("written: berth.fish\n0");
  }

  @Test
  void aPageThatIsNotThereIsMade() throws Exception {
    String page = kept("berth-ps.1");
    Files.delete(folder.resolve("pages/berth-ps.1"));
    assertThat(started("man", "ps")).isEqualTo(page + "0");
  }

  @Test
  void nothingBesideTheFolderIsRead() throws Exception {
    Files.writeString(folder.resolve("secret.1"), "secret\n");
    Files.createDirectory(folder.resolve("pages/berth-x"));
    assertThat(started("man", "x/../../secret"))
        .isEqualTo("berth: command \"x/../../secret\": expected one that berth help lists\n2");
  }
}
