package dev.berth.agent;

import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.start.BerthJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One machine has one agent, unless two have different CPUs. */
@Tag("slow")
class SecondAgentTest {
  @TempDir private Path folder;
  private RealAgent agent;

  @BeforeEach
  void start() throws IOException {
    agent = RealAgent.start(Files.createDirectories(folder.resolve("one")));
  }

  @AfterEach
  void stop() {
    if (agent != null) {
      agent.close();
    }
  }

  /** How a second agent ends that shares the folder of locks, and what it says last. */
  private record End(int code, String line) {}

  private End second(String... flags) throws Exception {
    Path other = Files.createDirectories(folder.resolve("two"));
    List<String> words = new ArrayList<>(BerthJvm.words(BerthJvm.AGENT));
    words.addAll(List.of("agent", "--http", "off", "--state", other.resolve("state").toString()));
    words.addAll(List.of(flags));
    Path log = other.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(log.toFile());
    builder.environment().put("BERTH_LOCKS", folder.resolve("one/locks").toString());
    Process process = builder.start();
    try {
      int code = process.waitFor();
      List<String> lines = Files.readAllLines(log);
      return new End(code, lines.isEmpty() ? "" : lines.getLast());
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private Path otherSocket() {
    return folder.resolve("two/s");
  }

  @Test
  void aSecondOneIsRefusedAndToldWhichProcessHasTheMachine() throws Exception {
    End end = second("--socket", otherSocket().toString(), "--cgroup", "berth-test-second");
    assertThat(end.code()).isEqualTo(2);
    assertThat(end.line())
        .contains(
            "this machine: expected no other agent, found the one with pid " + agent.pid() + " (")
        .endsWith("; --allow-second-agent lifts this lock");
    assertThat(Leftovers.groups("berth-test-second")).isEmpty();
  }

  @Test
  void aSecondOneOnTheSameCpusIsRefusedThoughItIsAllowed() throws Exception {
    End end =
        second(
            "--socket",
            otherSocket().toString(),
            "--cgroup",
            "berth-test-second",
            "--allow-second-agent");
    assertThat(end.code()).isEqualTo(2);
    assertThat(end.line())
        .contains("expected none of those of the agent with pid " + agent.pid() + ", found 0-1");
  }

  /** Its containers run on, on CPUs that no other agent may give away. */
  @Test
  void anAgentWithAnotherGroupIsRefusedWhileContainersOfOneThatEndedRun() throws Exception {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    agent.pidOf("alone");
    agent.end();
    End end = second("--socket", otherSocket().toString(), "--cgroup", "berth-test-second");
    assertThat(end.code()).isEqualTo(2);
    assertThat(end.line())
        .contains(
            "expected none of those of the containers in cgroup "
                + agent.cgroup()
                + ", whose agent has ended, found 0-1 in both; start an agent with --cgroup "
                + agent.cgroup());
    assertThat(Leftovers.groups("berth-test-second")).isEmpty();
  }

  @Test
  void aSecondOneWithTheSameGroupIsRefusedThoughItIsAllowed() throws Exception {
    End end =
        second(
            "--socket",
            otherSocket().toString(),
            "--cgroup",
            agent.cgroup(),
            "--allow-second-agent");
    assertThat(end.code()).isEqualTo(2);
    assertThat(end.line())
        .contains(
            "cgroup "
                + agent.cgroup()
                + ": expected no other agent, found the one with pid "
                + agent.pid());
  }

  @Test
  void aSocketThatAnswersIsLeftToItsAgent() throws Exception {
    for (String flag : List.of("--dry-run", "--machine=epyc-7702p")) {
      End end = second("--socket", agent.socket().toString(), flag);
      assertThat(end.code()).as(flag).isEqualTo(2);
      assertThat(end.line())
          .contains(
              "socket "
                  + agent.socket()
                  + ": expected that nothing answers there, found the agent with pid "
                  + agent.pid()
                  + "; give another --socket");
      assertThat(agent.isReady()).isTrue();
    }
  }

  @Test
  void aSocketOfAnAgentThatWasKilledIsReplaced() throws Exception {
    agent.kill();
    assertThat(agent.socket()).exists();
    agent.startAgain();
    assertThat(agent.isReady()).isTrue();
  }

  @Test
  void aSocketThatAnotherAgentHasByNowIsNotRemovedAtTheEnd() throws Exception {
    Path socket = agent.socket();
    Files.delete(socket);
    Files.writeString(socket, "another's");
    agent.end();
    assertThat(socket).hasContent("another's");
    Files.delete(socket);
  }

  @Test
  void twoAgentsOnDifferentCpusRunBesideOneAnother() throws Exception {
    Path config = folder.resolve("strict.yaml");
    Files.writeString(
        config,
        """
        cpuManagerPolicyOptions: {strict-cpu-reservation: "true"}
        """);
    agent.end();
    agent.flags("--config", config.toString(), "--reserved-cpus", "0", "--allow-second-agent");
    agent.startAgain();
    Path locks = folder.resolve("one/locks");
    try (RealAgent other =
        RealAgent.startWithLocks(
            Files.createDirectories(folder.resolve("other")),
            locks,
            "--config",
            config.toString(),
            "--reserved-cpus",
            "1",
            "--allow-second-agent")) {
      agent.apply(pod("one", guaranteed(1), "sleep", "1000"));
      other.apply(pod("two", guaranteed(1), "sleep", "1000"));
      assertThat(RealAgent.allowed(agent.pidOf("one"))).hasToString("1");
      assertThat(RealAgent.allowed(other.pidOf("two"))).hasToString("0");
    }
  }
}
