package dev.berth.packages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.packages.Packages.Ended;
import dev.berth.runtime.Waiting;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("slow")
class ArchiveTest {
  @TempDir private Path folder = Path.of("");
  private Path home = Path.of("");

  @BeforeEach
  void unpack() throws IOException {
    Path archive = Packages.named("berth-*.tar.gz");
    Path place = Files.createDirectory(folder.resolve("a place"));
    assertThat(Packages.run(place, "tar", "-xf", archive.toString()).code()).isZero();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(place)) {
      home = folders.iterator().next();
    }
  }

  @Test
  void startsWhereverItLiesWithoutAnyJava() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), home.resolve("bin/berth"));
    for (List<String> berth :
        List.of(
            List.of(home.resolve("bin/berth").toString()),
            List.of("a place/" + home.getFileName() + "/bin/berth"),
            List.of("sh", link.toString()))) {
      List<String> words = new ArrayList<>(berth);
      words.add("--version");
      Ended version = Packages.run(folder, words);
      assertThat(version.said()).startsWith("berth ").hasLineCount(1);
      assertThat(version.code()).isZero();
    }
    Ended topology = Packages.run(home.resolve("bin"), "./berth", "topology");
    assertThat(topology.said()).contains("socket 0").contains("CPUs 0");
    assertThat(topology.code()).isZero();
    assertThat(home.resolve("share/man/man1/berth-agent.1")).isRegularFile();
    assertThat(home.resolve("share/bash-completion/completions/berth")).isNotEmptyFile();
  }

  @Test
  void itsListOfComponentsHasEveryLibraryAndTheRuntime() throws IOException {
    JsonNode bom =
        JsonMapper.shared()
            .readTree(Files.readString(home.resolve("share/doc/berth/berth.cdx.json")));
    assertThat(bom.path("bomFormat").asString()).isEqualTo("CycloneDX");
    List<String> names = new ArrayList<>();
    for (JsonNode component : bom.path("components")) {
      names.add(component.path("name").asString() + "-" + component.path("version").asString());
    }
    List<String> jars = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(home.resolve("lib"), "*.jar")) {
      all.forEach(jar -> jars.add(String.valueOf(jar.getFileName()).replaceFirst("\\.jar$", "")));
    }
    jars.removeIf(jar -> jar.startsWith("berth-manager-"));
    assertThat(names).containsAll(jars).anyMatch(name -> name.startsWith("java-runtime-25"));
    assertThat(names).hasSizeLessThan(jars.size() + 4);
    assertThat(names)
        .noneMatch(name -> name.matches("(gson|netty-codec-socks|netty-handler-proxy).*"));
    assertThat(home.resolve("share/doc/berth/SECURITY.md")).isNotEmptyFile();
  }

  @Test
  void anAgentOfItBecomesReadyAndAnswers() throws IOException {
    String berth = home.resolve("bin/berth").toString();
    String socket = folder.resolve("s").toString();
    Process agent =
        Packages.begin(
            folder,
            List.of(
                berth,
                "agent",
                "--state",
                folder.resolve("state").toString(),
                "--socket",
                socket,
                "--cgroup",
                "berth-packages-" + ProcessHandle.current().pid(),
                "--http",
                "off"));
    try {
      Waiting.until(
          "the agent to answer",
          () -> {
            assertThat(agent.isAlive()).as("the agent runs").isTrue();
            return Packages.run(folder, berth, "ps", "--socket", socket).code() == 0;
          });
      assertThat(Packages.run(folder, berth, "ps", "-o", "json", "--socket", socket).said())
          .contains("\"pods\":[]");
    } finally {
      agent.destroy();
      assertThat(agent.onExit().join().exitValue()).isIn(0, 143);
    }
  }
}
