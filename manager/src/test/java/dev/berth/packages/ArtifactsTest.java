package dev.berth.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the build downloads is what people looked at. */
class ArtifactsTest {
  private static final Path LIST = Path.of("../scripts/artifacts.sha256");

  @TempDir private Path repository;

  private record Ended(int code, String said) {}

  private Ended check(Path... jars) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("../scripts/artifacts", "check"));
    for (Path jar : jars) {
      words.add(jar.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("BERTH_MAVEN_REPOSITORY", repository.toString());
    Process check = builder.start();
    String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(check.waitFor(), said);
  }

  private static List<String> listed() throws IOException {
    return Files.readAllLines(LIST).stream().map(line -> line.substring(66)).toList();
  }

  /** The classes that this test runs with: the jars of the build, as Maven found them. */
  private static List<Path> jars() {
    return List.of(
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(":", -1))
        .stream()
        .filter(entry -> entry.endsWith(".jar") && !entry.contains("/berth-"))
        .map(Path::of)
        .toList();
  }

  @Test
  void everyLibraryOfTheBuildAndItsTestsIsInTheList() throws Exception {
    assertThat(jars()).hasSizeGreaterThan(20);
    assertThat(check(jars().toArray(Path[]::new))).isEqualTo(new Ended(0, ""));
  }

  @Test
  void aFileWithOtherBytesIsNamed() throws Exception {
    String victim = listed().getFirst();
    Path file = repository.resolve(victim);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "other bytes");
    Ended ended = check();
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.said())
        .isEqualTo(
            "artifacts: " + file + ": its SHA-256 is not the one in scripts/artifacts.sha256\n");
    Files.delete(file);
    assertThat(check()).isEqualTo(new Ended(0, ""));
  }

  @Test
  void aLibraryThatNobodyLookedAtIsRefused() throws Exception {
    Path jar = Files.writeString(repository.resolve("netty-common-9.jar"), "new");
    Ended ended = check(jar);
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.said()).contains(jar + ": expected a hash in scripts/artifacts.sha256");
  }

  @Test
  void theListHasLibrariesPluginsAndGenerators() throws IOException {
    assertThat(listed())
        .anyMatch(name -> name.matches("io/netty/netty-common/.*\\.jar"))
        .anyMatch(name -> name.matches("org/apache/maven/plugins/maven-compiler-plugin/.*\\.jar"))
        .anyMatch(name -> name.matches("com/google/protobuf/protoc/.*\\.exe"))
        .anyMatch(name -> name.matches("org/cyclonedx/cyclonedx-maven-plugin/.*\\.jar"))
        .noneMatch(name -> name.startsWith("dev/berth/"));
  }
}
