package dev.berth.agent;

import static dev.berth.agent.RealAgent.allowed;
import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Processes that outlive the one by which their container is known keep its CPU, or go with it. */
@Tag("slow")
class LostShellTest {
  @TempDir private Path folder;
  private RealAgent agent;

  @BeforeEach
  void start() throws IOException {
    agent = RealAgent.start(folder, "--cpu-manager-reconcile-period", "200ms");
  }

  @AfterEach
  void stop() {
    if (agent != null) {
      agent.close();
    }
  }

  /** A container with the CPU of its own that starts a child, tells its number and goes on. */
  private long childOf(String name, String goesOn) throws IOException {
    String script = "sleep 1000 & echo $!; " + goesOn;
    agent.apply(
        pod(name, guaranteed(1), "sh", "-c", script)
            .replace("spec:\n", "spec:\n  restartPolicy: Never\n"));
    await("its child", () -> !agent.printedBy(name).isBlank());
    return Long.parseLong(agent.printedBy(name).strip());
  }

  private static ProcessHandle process(long pid) {
    return ProcessHandle.of(pid).orElseThrow();
  }

  private void awaitPasses(int more) throws IOException {
    long passes = agent.status().path("reconciling").path("passes").asLong();
    await(
        "it to look again",
        () -> agent.status().path("reconciling").path("passes").asLong() >= passes + more);
  }

  @Test
  void aContainerThatLostItsShellCountsAsLongAsAProcessOfItRuns() throws Exception {
    long child = childOf("a", "wait");
    long first = agent.pidOf("a");
    ProcessHandle shell = process(first).parent().orElseThrow();
    shell.destroyForcibly();
    await("the shell to end", () -> !shell.isAlive());
    process(first).destroyForcibly();
    await("the first process to end", () -> !isRunning(first));
    awaitPasses(3);
    assertThat(allowed(child)).hasToString("1");
    assertThat(agent.container("a", "app").path("state").asString()).isEqualTo("running");
    JsonNode second = agent.apply(pod("b", guaranteed(1), "sleep", "1000")).path(0);
    assertThat(second.path("outcome").asString()).as("the CPU is in use").isEqualTo("refused");
    process(child).destroyForcibly();
    await("it to be over", () -> agent.pod("a").path("phase").asString().equals("Failed"));
    assertThat(
            agent
                .apply(pod("b", guaranteed(1), "sleep", "1000"))
                .path(0)
                .path("outcome")
                .asString())
        .isEqualTo("admitted");
  }

  /** A zombie does not run. */
  private static boolean isRunning(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()
        && !state(pid).equals("Z");
  }

  private static String state(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.substring(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    } catch (IOException e) {
      return "Z";
    }
  }

  @Test
  void whatAContainerLeavesBehindGoesWithItBeforeItsCpuIsFree() throws Exception {
    long child = childOf("a", "exit 3");
    await("it to be over", () -> agent.pod("a").path("phase").asString().equals("Failed"));
    assertThat(isRunning(child)).as("what it left behind").isFalse();
    assertThat(agent.container("a", "app").path("code").asInt()).isEqualTo(3);
  }

  @Test
  void whatAnInitContainerLeavesBehindGoesBeforeTheNextContainerStarts() throws Exception {
    String yaml =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: a}
        spec:
          restartPolicy: Never
          initContainers:
          - {name: init, resources: %1$s, command: [sh, -c, "sleep 1000 & echo $!"]}
          containers:
          - {name: app, resources: %1$s, command: [sleep, "1000"]}
        """
            .formatted(guaranteed(1));
    agent.apply(yaml);
    await("the container to run", () -> agent.container("a", "app").has("pid"));
    long left = Long.parseLong(agent.ask("GET", "/log/a/init", "").strip());
    assertThat(isRunning(left)).as("what the init container left behind").isFalse();
  }
}
