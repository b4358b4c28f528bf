package dev.berth.agent.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real file systems and real processes. */
@Tag("slow")
class RealDiskTest {
  private static final Path JAVA = Path.of(System.getProperty("java.home", ""), "bin", "java");
  private static final String CLASSES = System.getProperty("java.class.path", "");

  @TempDir Path temporary;

  private record Ended(int exit, String said) {}

  private Ended run(List<String> line) throws IOException, InterruptedException {
    Path said = Files.createTempFile(temporary, "said", ".txt");
    Process process =
        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    return new Ended(process.waitFor(), Files.readString(said, StandardCharsets.UTF_8));
  }

  @Test
  void aFullAndAReadOnlyDiskAreSurvived() throws IOException, InterruptedException {
    String mount = "mount -t tmpfs -o size=128k,mode=700 berth-test \"$1\"";
    Path there = Files.createDirectory(temporary.resolve("small"));
    List<String> probe = List.of("unshare", "-m", "sh", "-c", mount, "sh", there.toString());
    assumeTrue(Files.exists(Path.of("/usr/bin/unshare")), "without unshare");
    assumeTrue(run(probe).exit() == 0, "without the right to mount in a namespace of one's own");
    Ended ended =
        run(
            List.of(
                "unshare",
                "-m",
                "sh",
                "-c",
                mount + " && shift && exec \"$@\"",
                "sh",
                there.toString(),
                JAVA.toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                CLASSES,
                PrivateMount.class.getName(),
                there.toString()));
    assertThat(ended.exit()).as(ended.said()).isZero();
    assertThat(ended.said()).startsWith("full after ");
    assertThat(there).isEmptyDirectory();
  }

  @Test
  void anotherProcessIsNamed() throws IOException, InterruptedException {
    try (StateFolder state = StateFolder.open(temporary.resolve("berth"))) {
      Ended ended =
          run(
              List.of(
                  JAVA.toString(),
                  "-XX:TieredStopAtLevel=1",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  CLASSES,
                  Opener.class.getName(),
                  state.folder().toString()));
      assertThat(ended.said())
          .isEqualTo(
              "state folder "
                  + state.folder()
                  + ": expected nobody else in it, found it in use by process "
                  + ProcessHandle.current().pid()
                  + "\n");
    }
  }

  /** Opens a folder in a process of its own. */
  static final class Opener {
    private Opener() {}

    public static void main(String[] arguments) throws IOException {
      try (StateFolder state = StateFolder.open(Path.of(arguments[0]))) {
        System.out.println("opened " + state.folder());
      } catch (InvalidInputException e) {
        System.out.println(e.line());
      }
    }
  }
}
