package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a real terminal, which {@code script} of util-linux makes, with an agent that pretends. */
@Tag("slow")
class WatchCommandTest {
  private static final String PODS =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: matching}
      spec:
        containers:
        - {name: app, command: [sleep, "9"], resources: {limits: {cpu: "4", memory: 1Mi}}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: risk}
      spec: {containers: [{name: app, command: [sleep, "9"]}]}
      """;

  /** Far more than it takes, also where others use the machine. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path folder;

  private final Captured captured = new Captured();

  private Optional<Thread> agent = Optional.empty();

  @AfterEach
  void end() throws InterruptedException {
    for (String pod : List.of("matching", "risk")) {
      new Captured().berth("rm", pod, "--socket", socket());
    }
    if (agent.isPresent()) {
      // Its folder is deleted after this.
      assertThat(agent.get().join(PATIENCE)).as("the agent has ended with its last pod").isTrue();
    }
  }

  private String socket() {
    return folder.resolve("s").toString();
  }

  /** Ends with its last pod. */
  private void startAgent() throws IOException, InterruptedException {
    var nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    var output = new Output(nowhere, nowhere, false, false, Output.DEFAULT_WIDTH);
    List<String> line =
        List.of(
            "agent",
            "--passing",
            "--machine",
            "epyc-7702p",
            "--state",
            folder.resolve("state").toString(),
            "--socket",
            socket(),
            "--http",
            "off",
            "--reserved-cpus",
            "0");
    agent = Optional.of(Thread.ofPlatform().daemon().start(() -> Main.run(line, output, Map.of())));
    long began = System.nanoTime();
    while (!Files.exists(folder.resolve("s"))) {
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .as("until the agent listens")
          .isLessThan(PATIENCE);
      TimeUnit.MILLISECONDS.sleep(50);
    }
    Path pods = Files.writeString(folder.resolve("pods.yaml"), PODS);
    assertThat(captured.berth("apply", "-f", pods.toString(), "--socket", socket()))
        .as(captured.err())
        .isZero();
  }

  @Test
  void fillsTheScreenTakesKeysAndGivesTheTerminalBack() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "needs script of util-linux");
    startAgent();
    try (Screen screen = Screen.start(folder, "xterm", "watch", "--socket", socket())) {
      screen.await("A  matching");
      screen.await("admitted matching");
      assertThat(screen.text())
          .contains("settings ")
          .contains("\u001b[?1049h", "\u001b[?25l", "epyc-7702p", "S0 N0");
      screen.type("j\r");
      screen.await("to itself");
      screen.type("q/risk\r");
      screen.await("(Esc: all)");
      screen.type("q");
      screen.await("ended 0");
      screen.awaitEnd();
      screen.assertGivenBack();
    }
  }

  @ParameterizedTest
  @CsvSource({"TERM,143", "HUP,129", "INT,130"})
  void aSignalGivesTheTerminalBackToo(String signal, int code) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "needs script of util-linux");
    try (Screen screen = Screen.start(folder, "xterm", "watch", "--socket", socket())) {
      screen.await("AGENT GONE");
      screen.signal(signal);
      screen.await("ended " + code);
      screen.awaitEnd();
      screen.assertGivenBack();
    }
  }

  @Test
  void whileItIsStoppedTheShellHasItsTerminalAndAfterwardsThePictureIsBack() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "needs script of util-linux");
    startAgent();
    try (Screen screen = Screen.startAsJob(folder, "watch", "--socket", socket())) {
      screen.await("A  matching");
      screen.type("\u001a");
      screen.await("ended 148");
      screen.await("shell again");
      screen.assertGivenBack();
      screen.forget();
      screen.type("\n");
      screen.await("\u001b[?1049h");
      screen.await("A  matching");
      screen.await("live");
      screen.type("q");
      screen.await("again 0");
      screen.awaitEnd();
      assertThat(screen.text()).endsWithIgnoringCase("\n").contains("\u001b[?1049l");
    }
  }

  @Test
  void whereNobodyCouldLetItGoOnItIsNotStopped() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "needs script of util-linux");
    startAgent();
    try (Screen screen = Screen.start(folder, "xterm", "watch", "--socket", socket())) {
      screen.await("A  matching");
      screen.forget();
      screen.signal("TSTP");
      screen.await("A  matching");
      screen.type("q");
      screen.await("ended 0");
    }
  }

  @Test
  void afterAStopByForceThePictureIsDrawnAnew() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "needs script of util-linux");
    startAgent();
    try (Screen screen = Screen.start(folder, "xterm", "watch", "--socket", socket())) {
      screen.await("A  matching");
      screen.signal("STOP");
      screen.forget();
      screen.signal("CONT");
      screen.await("\u001b[?1049h");
      screen.await("A  matching");
      screen.type("q");
      screen.await("ended 0");
    }
  }

  @Test
  void anotherSizeIsDrawnAtOnce() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "needs script of util-linux");
    startAgent();
    try (Screen screen = Screen.start(folder, "xterm", "watch", "--socket", socket())) {
      screen.await("A  matching");
      String narrow = screen.text();
      assertThat(narrow).doesNotContain("\u001b[50;1H");
      screen.resize(200, 50);
      screen.await("\u001b[50;1H");
      screen.type("q");
      screen.await("ended 0");
    }
  }

  @Test
  void ctrlCGivesTheTerminalBackToo() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "needs script of util-linux");
    startAgent();
    try (Screen screen = Screen.start(folder, "xterm", "watch", "--socket", socket())) {
      screen.await("A  matching");
      screen.type("\u0003");
      screen.await("ended 130");
      screen.awaitEnd();
      screen.assertGivenBack();
    }
  }

  @Test
  void saysThatTheAgentIsGoneAndComesBackWithIt() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "needs script of util-linux");
    try (Screen screen = Screen.start(folder, "xterm", "watch", "--socket", socket())) {
      screen.await("AGENT GONE");
      startAgent();
      screen.await("A  matching");
      end();
      screen.await("The agent is gone, this is how it was");
      screen.type("q");
      screen.await("ended 0");
    }
  }

  @Test
  void aTerminalWithoutACursorGetsLines() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "needs script of util-linux");
    startAgent();
    try (Screen screen = Screen.start(folder, "dumb", "watch", "--socket", socket())) {
      screen.await("watching: epyc-7702p");
      screen.await("admitted matching: app: CPUs");
      assertThat(screen.text()).doesNotContain("\u001b[");
    }
  }

  @Test
  void printsThePictureOnce() throws Exception {
    startAgent();
    assertThat(captured.berth("watch", "--once", "--socket", socket())).isZero();
    assertThat(captured.out()).contains("simulated machine: nothing is enforced");
    Captured ps = new Captured();
    assertThat(ps.berth("ps", "--socket", socket())).isZero();
    assertThat(ps.out()).endsWith("simulated machine: nothing is enforced\n");
    assertThat(captured.out())
        .contains("A  matching", "Guaranteed", "LATEST EVENTS")
        .doesNotContain("\u001b", "q quit");
  }

  @Test
  void withoutAnAgentThereIsNothingToPrintOnce() {
    assertThat(captured.berth("watch", "--once", "--socket", socket())).isEqualTo(3);
    assertThat(captured.err()).contains("no agent answers there").hasLineCount(1);
  }

  @Test
  void anIntervalThatIsNoTimeIsRefused() {
    assertThat(captured.berth("watch", "--interval", "often", "--socket", socket())).isEqualTo(2);
    assertThat(captured.err()).startsWith("berth: --interval \"often\": expected a time");
  }
}
