package dev.berth.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the scripts beside the figures write, in a folder with a made-up Berth. */
class FiguresScriptsTest {
  @TempDir private Path root = Path.of("");

  @BeforeEach
  void scripts() throws IOException {
    Files.createDirectories(root.resolve("bench"));
    Files.createDirectories(root.resolve("scripts"));
    Files.copy(Path.of("latency"), root.resolve("bench/latency"));
    Files.copy(Path.of("arguments.sh"), root.resolve("bench/arguments.sh"));
    Files.copy(Path.of("machine.sh"), root.resolve("bench/machine.sh"));
  }

  private String bash(String script) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", script);
    builder.directory(root.toFile()).redirectErrorStream(true);
    builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
    Process process = builder.start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private String commit() throws IOException {
    return bash(". bench/machine.sh; commit \"$PWD\"").strip();
  }

  @Test
  void theCommitIsDirtyWithSourcesThatAreInNone() throws IOException {
    bash(
        """
        git init -q . && echo target/ >.gitignore && git add . &&
          git -c user.name=n -c user.email=n@example.com commit -q -m first
        """);
    assertThat(commit()).matches("[0-9a-f]{7,}");
    bash("mkdir -p docs target && echo x | tee docs/report.md README.md target/built docs/a.svg");
    assertThat(commit()).matches("[0-9a-f]{7,}");
    bash("mkdir -p bench/src && echo new >bench/src/New.java");
    assertThat(commit()).endsWith("-dirty");
    bash("rm -r bench/src && echo changed >>bench/latency");
    assertThat(commit()).endsWith("-dirty");
  }

  @Test
  void tellsWhatOthersUsedAndTheHostStoleMeanwhile() throws IOException {
    String spent = "'100 10 0 20' '1100 510 20 400'";
    assertThat(bash(". bench/machine.sh; told " + spent + "; told " + spent + " stolen"))
        .isEqualTo("used by others 10.0 %, stolen by the host 2.0 %\nstolen by the host 2.0 %\n");
  }

  @Test
  void anInterruptedRunOfTheLatencyLeavesNoFigures() throws IOException {
    Files.writeString(root.resolve("scripts/toolchain.sh"), "find_jdk() { jdk=none; }\n");
    Files.writeString(root.resolve("bench/build.sh"), "");
    Files.writeString(
        root.resolve("bench/machine.sh"), "described() { :; }\nquiet() { echo quiet; }\n");
    Path berth = root.resolve("berth");
    Files.writeString(
        berth,
        """
        #!/bin/sh
        [ "$1" = demo ] || exit 0
        echo '{"phases":'
        [ ! -e target/bench/latency/latency-1.json ] || exit 130
        echo '{}}'
        """);
    assertThat(berth.toFile().setExecutable(true)).isTrue();
    bash("bash bench/latency 10");
    Path figures = root.resolve("target/bench/latency");
    try (Stream<Path> files = Files.list(figures)) {
      assertThat(files.map(file -> String.valueOf(file.getFileName())).sorted().toList())
          .isEqualTo(List.of("latency-1.json", "machine.md"));
    }
    assertThat(Files.readString(figures.resolve("machine.md"))).isEqualTo("- quiet\n");
  }
}
