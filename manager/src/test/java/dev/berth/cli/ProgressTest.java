package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real terminal, which {@code script} of util-linux makes. */
@Tag("slow")
class ProgressTest {
  private static final Path EXAMPLES = Path.of("..", "examples").toAbsolutePath();

  @TempDir Path folder;

  @BeforeEach
  void needsScript() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "needs script of util-linux");
  }

  /** A bar that was drawn, and spaces over it before anything else came. */
  private static void assertCameAndWent(String text, String deed) {
    assertThat(text).containsPattern("\r" + deed + " \\[#*-+\\] [0-9]+ %\r");
    assertThat(text).containsPattern("\r {30,}\r");
    assertThat(text.lines().filter(line -> line.startsWith("ended"))).hasSize(1);
  }

  @Test
  void isSeenThoughThePageGoesToAFile() throws Exception {
    Path page = folder.resolve("day.html");
    String churn = EXAMPLES.resolve("churn.yaml").toString();
    try (Screen screen =
        Screen.startInto(
            page,
            folder,
            "simulate",
            "-f",
            churn,
            "--until",
            "8h",
            "--machine",
            "epyc-9654-2p-nps4",
            "-o",
            "html")) {
      screen.await("ended 0");
      assertCameAndWent(screen.text(), "simulating");
    }
    assertThat(Files.readString(page)).startsWith("<!doctype html>").doesNotContain("simulating [");
  }

  @Test
  void isSeenWhileConfigurationsAreCompared() throws Exception {
    String day = EXAMPLES.resolve("day.yaml").toString();
    try (Screen screen =
        Screen.start(
            folder,
            "xterm",
            "simulate",
            "-f",
            day,
            "--machine",
            "epyc-9654-2p-nps4",
            "--compare")) {
      screen.await("ended 0");
      assertCameAndWent(screen.text(), "simulating");
      assertThat(screen.text()).contains("Recommended: ");
    }
  }

  @Test
  void isSeenBetweenTheLinesOfABenchmark() throws Exception {
    try (Screen screen = Screen.start(folder, "xterm", "bench", "fill/epyc-7702p")) {
      screen.await("ended 0");
      assertCameAndWent(screen.text(), "timing");
      assertThat(screen.text().lines().map(line -> line.substring(line.lastIndexOf('\r') + 1)))
          .anyMatch(line -> line.startsWith("fill/epyc-7702p/packed/4 "));
    }
  }
}
