package dev.berth.agent;

import static dev.berth.agent.RealAgent.allowed;
import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cpu.CpuSet;
import dev.berth.linux.ProcessId;
import dev.berth.linux.ProcessTree;
import dev.berth.linux.Slice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The agent as a process, on the machine's own cgroups. */
@Tag("slow")
class AgentTest {
  @TempDir private Path folder;
  private RealAgent agent;

  @BeforeEach
  void start() throws IOException {
    agent = RealAgent.start(folder, "--cpu-manager-reconcile-period", "300ms");
  }

  @AfterEach
  void stop() {
    if (agent != null) {
      agent.close();
    }
  }

  @Test
  void everyContainerIsOnItsCpusFromItsFirstInstructionOn() throws IOException {
    String command = "grep Cpus_allowed_list /proc/self/status; exec sleep 1000";
    JsonNode outcomes =
        agent.apply(
            pod("alone", guaranteed(1), "sh", "-c", command)
                + "---\n"
                + pod("shared", "{}", "sh", "-c", command));
    assertThat(outcomes).allMatch(pod -> pod.path("outcome").asString().equals("admitted"));
    long alone = agent.pidOf("alone");
    long shared = agent.pidOf("shared");
    assertThat(allowed(alone)).isEqualTo(agent.cpusOf("alone")).hasToString("1");
    assertThat(allowed(shared)).isEqualTo(agent.cpusOf("shared"));
    assertThat(agent.cpusOf("shared").intersects(agent.cpusOf("alone"))).isFalse();
    await(
        "both to print",
        () -> agent.printedBy("alone").contains("1") && !agent.printedBy("shared").isEmpty());
    assertThat(agent.printedBy("alone")).isEqualTo("Cpus_allowed_list:\t1\n");
    assertThat(agent.printedBy("shared"))
        .isEqualTo("Cpus_allowed_list:\t" + agent.cpusOf("shared") + "\n");
    assertThat(allowed(agent.pid())).as("the agent itself").hasToString("0");
  }

  @Test
  void whoHasACpuAloneGoesBeforeStraysOnIt() throws IOException {
    OptionalLong usual = Slice.of(0);
    assumeTrue(usual.isPresent(), "needs Linux 6.12 or newer");
    agent.apply(
        pod("alone", guaranteed(1), "sh", "-c", "sleep 1000 & wait")
            + "---\n"
            + pod("shared", "{}", "sleep", "1000"));
    long alone = agent.pidOf("alone");
    assertThat(Slice.of(alone)).hasValue(Slice.SHORT);
    await("its child", () -> ProcessTree.of(ProcessId.of(alone).orElseThrow()).size() == 2);
    for (long process : ProcessTree.of(ProcessId.of(alone).orElseThrow())) {
      assertThat(Slice.of(process)).hasValue(Slice.SHORT);
    }
    assertThat(Slice.of(agent.pidOf("shared"))).isEqualTo(usual);
    assertThat(Slice.of(agent.pid())).isEqualTo(usual);
  }

  @Test
  void anIdleAgentHasLessThan100Megabytes() throws Exception {
    agent.apply(pod("alone", guaranteed(1), "true"));
    agent.remove("alone");
    await("it to be at rest", () -> Figures.Size.of(agent).residentKilobytes() < 100_000);
    System.out.println("idle agent: " + Figures.Size.of(agent));
  }

  @Test
  void sharedContainersFollowTheirPool() throws IOException {
    agent.apply(pod("shared", "{}", "sleep", "1000"));
    long shared = agent.pidOf("shared");
    CpuSet whole = allowed(shared);
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    assertThat(allowed(shared)).isEqualTo(whole.difference(CpuSet.of(1)));
    agent.remove("alone");
    assertThat(allowed(shared)).isEqualTo(whole);
  }

  @Test
  void aRefusedPodStaysVisibleWithItsReason() throws Exception {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    JsonNode refused = agent.apply(pod("late", guaranteed(1), "sleep", "1000")).get(0);
    assertThat(refused.path("outcome").asString()).isEqualTo("refused");
    assertThat(refused.path("reason").asString()).isEqualTo("UnexpectedAdmissionError");
    assertThat(agent.pod("late").path("phase").asString()).isEqualTo("Failed");
    assertThat(agent.ask("GET", "/explain/late", "")).contains("pod alone holds 1: 1");
    agent.end();
    agent.startAgain();
    assertThat(agent.pod("late").path("reason").asString()).startsWith("UnexpectedAdmissionError");
    agent.remove("alone");
    JsonNode again = agent.apply(pod("late", guaranteed(1), "sleep", "1000")).get(0);
    assertThat(again.path("outcome").asString()).isEqualTo("admitted");
  }

  @Test
  void containersOutliveTheAgentAndAreFoundAgainExitCodeIncluded() throws Exception {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    agent.apply(
        pod(
                "ends",
                "{}",
                "sh",
                "-c",
                "while [ ! -e " + folder + "/go ]; do sleep 0.05; done; exit 7")
            .replace("spec:\n", "spec:\n  restartPolicy: Never\n"));
    long alone = agent.pidOf("alone");
    agent.pidOf("ends");
    agent.kill();
    assertThat(allowed(alone)).hasToString("1");
    Files.createFile(folder.resolve("go"));
    Thread.sleep(300);
    agent.startAgain();
    assertThat(agent.pidOf("alone")).isEqualTo(alone);
    await("ends to be over", () -> agent.pod("ends").path("phase").asString().equals("Failed"));
    assertThat(agent.container("ends", "app").path("code").asInt()).isEqualTo(7);
    assertThat(agent.container("alone", "app").path("starts").asInt()).isEqualTo(1);
  }

  @Test
  void aContainerKeepsItsCpusOverItsRestarts() throws IOException {
    agent.apply(
        pod(
            "restarts",
            guaranteed(1),
            "sh",
            "-c",
            "grep Cpus_allowed_list /proc/self/status; exit 1"));
    await("a second start", () -> agent.container("restarts", "app").path("starts").asInt() >= 2);
    await("both to print", () -> agent.printedBy("restarts").lines().count() >= 2);
    assertThat(agent.printedBy("restarts").lines()).allMatch(line -> line.endsWith(":\t1"));
    assertThat(agent.cpusOf("restarts")).hasToString("1");
  }

  @Test
  void initContainersSidecarsAndAppsRunInTheirOrder() throws IOException {
    String script = "echo %s >>" + folder + "/order; %s";
    agent.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: whole}
        spec:
          restartPolicy: Never
          terminationGracePeriodSeconds: 5
          initContainers:
          - {name: first, command: [sh, -c, '%s']}
          - {name: proxy, restartPolicy: Always, command: [sh, -c, '%s']}
          containers:
          - {name: app, command: [sh, -c, '%s']}
        """
            .formatted(
                script.formatted("first", "sleep 0.2; exit 0"),
                script.formatted("proxy", "exec sleep 1000"),
                script.formatted("app", "sleep 0.2; exit 0")));
    await("the pod to end", () -> agent.pod("whole").path("phase").asString().equals("Succeeded"));
    assertThat(Files.readAllLines(folder.resolve("order")))
        .startsWith("first")
        .containsExactlyInAnyOrder("first", "proxy", "app");
    assertThat(agent.container("whole", "proxy").path("code").asInt()).isEqualTo(143);
    assertThat(agent.container("whole", "app").path("code").asInt()).isZero();
  }

  @Test
  void oneThatIgnoresSigtermIsKilledWhenItsTimeIsUpAndNothingIsLeftOfIt() throws IOException {
    agent.apply(
        pod("stubborn", "{}", "sh", "-c", "trap '' TERM; sleep 1000 & while :; do sleep 0.1; done")
            .replace("terminationGracePeriodSeconds: 5", "terminationGracePeriodSeconds: 1"));
    long pid = agent.pidOf("stubborn");
    agent.remove("stubborn");
    assertThat(Path.of("/proc/" + pid)).doesNotExist();
    assertThat(agent.status().path("pods")).isEmpty();
    for (Path group : agent.groups()) {
      assertThat(group.resolve("pods/default_stubborn")).doesNotExist();
    }
  }

  @Test
  void runsAsAnotherUserInAnotherFolderWithVariables() throws IOException {
    agent.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: user}
        spec:
          restartPolicy: Never
          containers:
          - name: app
            command: [sh, -c, 'id -u; id -g; pwd; echo "$WORDS"; echo $BERTH_CPUS; sleep 1000']
            workingDir: /usr
            env: [{name: WORDS, value: "two  words"}]
            securityContext: {runAsUser: 65534, runAsGroup: 4242}
        """);
    await("it to print", () -> agent.printedBy("user").lines().count() == 5);
    assertThat(agent.printedBy("user").lines())
        .containsExactly("65534", "4242", "/usr", "two  words", agent.cpusOf("user").toString());
  }

  @Test
  void aContainersOwnPathMayHoldNothingThatWeNeed() throws IOException {
    agent.apply(
        pod("path", "{}", "/bin/sleep", "1000")
            .replace("command:", "env: [{name: PATH, value: /nowhere}], command:"));
    assertThat(allowed(agent.pidOf("path"))).isEqualTo(agent.cpusOf("path"));
  }

  @Test
  void leavesNothingBehindWhenNobodyIsLeft() throws Exception {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    agent.pidOf("alone");
    agent.end();
    assertThat(agent.groups()).as("a container runs on").isNotEmpty();
    agent.startAgain();
    agent.remove("alone");
    agent.end();
    assertThat(agent.groups()).isEmpty();
    assertThat(agent.socket()).doesNotExist();
    assertThat(agent.runtime()).doesNotExist();
  }
}
