package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The place of a start's shell, for which a shell and an agent that gives the start up compete. */
class ShimLinksTest {
  private static final TaskId TASK = new TaskId("uid-a", "app", 1);

  @TempDir private Path folder;
  private ShimLinks links;
  private Path trace;

  @BeforeEach
  void make() {
    links = new ShimLinks(folder);
    trace = folder.resolve("trace");
  }

  /** The shell of the start, until it ends. */
  private void shell() throws IOException, InterruptedException {
    List<String> words =
        List.of(
            "/bin/sh",
            new ShimProgram(folder).file().toString(),
            links.base(TASK).toString(),
            folder.resolve("log").toString(),
            "",
            "",
            "",
            "",
            "/",
            "sh",
            "-c",
            "echo ran >>" + trace + "; exit 7");
    assertThat(new ProcessBuilder(words).start().waitFor()).isZero();
  }

  @Test
  void aShellThatComesAfterTheFenceStartsNothing() throws Exception {
    links.fence(TASK);
    shell();
    assertThat(trace).doesNotExist();
    assertThat(links.look(TASK)).isEqualTo(new Sighting.Absent());
    assertThat(links.process(TASK)).isEmpty();
  }

  @Test
  void aFenceThatComesAfterTheShellChangesNothing() throws Exception {
    shell();
    links.fence(TASK);
    assertThat(trace).content().isEqualTo("ran\n");
    assertThat(links.look(TASK)).isEqualTo(new Sighting.Ended(7));
  }

  @Test
  void ofTwoShellsOfOneStartOneStarts() throws Exception {
    shell();
    shell();
    assertThat(trace).content().isEqualTo("ran\n");
  }

  @Test
  void aStartOfWhichNothingIsSeenIsNotOver() throws Exception {
    assertThat(links.look(TASK)).isEqualTo(new Sighting.Starting());
    Files.createSymbolicLink(folder.resolve(TASK.fileName() + ".shim"), Path.of("4194303 1"));
    assertThat(links.look(TASK)).isEqualTo(new Sighting.Lost());
  }
}
