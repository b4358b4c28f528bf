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

  private long pid(String pod) throws IOException {
    await(pod + " to run", () -> agent.container(pod, "app").has("pid"));
    return agent.container(pod, "app").path("pid").asLong();
  }

  private CpuSet promised(String pod) throws IOException {
    return CpuSet.parse(agent.container(pod, "app").path("cpus").asString());
  }

  private String printed(String pod) throws IOException {
    return agent.ask("GET", "/log/" + pod + "/app", "");
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
    long alone = pid("alone");
    long shared = pid("shared");
    assertThat(allowed(alone)).isEqualTo(promised("alone")).hasToString("1");
    assertThat(allowed(shared)).isEqualTo(promised("shared"));
    assertThat(promised("shared").intersects(promised("alone"))).isFalse();
    await("both to print", () -> printed("alone").contains("1") && !printed("shared").isEmpty());
    assertThat(printed("alone")).isEqualTo("Cpus_allowed_list:\t1\n");
    assertThat(printed("shared")).isEqualTo("Cpus_allowed_list:\t" + promised("shared") + "\n");
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
    long alone = pid("alone");
    assertThat(Slice.of(alone)).hasValue(Slice.SHORT);
    await("its child", () -> ProcessTree.of(ProcessId.of(alone).orElseThrow()).size() == 2);
    for (long process : ProcessTree.of(ProcessId.of(alone).orElseThrow())) {
      assertThat(Slice.of(process)).hasValue(Slice.SHORT);
    }
    assertThat(Slice.of(pid("shared"))).isEqualTo(usual);
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
    long shared = pid("shared");
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
    long alone = pid("alone");
    pid("ends");
    agent.kill();
    assertThat(allowed(alone)).hasToString("1");
    Files.createFile(folder.resolve("go"));
    Thread.sleep(300);
    agent.startAgain();
    assertThat(pid("alone")).isEqualTo(alone);
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
    await("both to print", () -> printed("restarts").lines().count() >= 2);
    assertThat(printed("restarts").lines()).allMatch(line -> line.endsWith(":\t1"));
    assertThat(promised("restarts")).hasToString("1");
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
    long pid = pid("stubborn");
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
    await("it to print", () -> printed("user").lines().count() == 5);
    assertThat(printed("user").lines())
        .containsExactly("65534", "4242", "/usr", "two  words", promised("user").toString());
  }

  @Test
  void repairsWhatOthersChangedAndCountsIt() throws IOException {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    long pid = pid("alone");
    Path file = cpuset("pods/default_alone/app").resolve("cpuset.cpus");
    Files.writeString(file, "0-1");
    await("the repair", () -> allowed(pid).toString().equals("1"));
    await(
        "the repair to be told",
        () -> agent.ask("GET", "/events", "").contains("\"kind\":\"repaired\""));
  }

  @Test
  void aContainerWhoseGroupSomebodyRemovedDoesNotRunOutsideOfIt() throws Exception {
    agent.close();
    agent = RealAgent.start(folder, "--cpu-manager-reconcile-period", "1h");
    String command = "grep Cpus_allowed_list /proc/self/status; sleep 0.3; exit 1";
    agent.apply(pod("robbed", guaranteed(1), "sh", "-c", command));
    await("it to print", () -> !printed("robbed").isEmpty());
    Path group = cpuset("pods/default_robbed/app");
    await(
        "the group to be empty",
        () -> {
          try {
            Files.delete(group);
            return true;
          } catch (IOException e) {
            return !Files.exists(group);
          }
        });
    await("further starts", () -> agent.container("robbed", "app").path("starts").asInt() >= 2);
    Thread.sleep(300);
    assertThat(printed("robbed").lines().filter(line -> line.startsWith("Cpus_allowed_list")))
        .allMatch(line -> line.endsWith(":\t1"));
  }

  private Path cpuset(String group) {
    Path v1 = Path.of("/sys/fs/cgroup/cpuset", agent.cgroup());
    return (Files.isDirectory(v1) ? v1 : Path.of("/sys/fs/cgroup", agent.cgroup())).resolve(group);
  }

  @Test
  void writesNoCpusetUnderPolicyNone() throws Exception {
    agent.close();
    agent = RealAgent.start(folder, "--cpu-manager-policy", "none");
    agent.apply(pod("free", guaranteed(1), "sleep", "1000"));
    long pid = pid("free");
    assertThat(allowed(pid)).isEqualTo(allowed(ProcessHandle.current().pid()));
    assertThat(Path.of("/sys/fs/cgroup/cpuset", agent.cgroup())).doesNotExist();
    assertThat(agent.groups()).isNotEmpty();
  }

  @Test
  void leavingPolicyNoneBringsThoseWhoRunToTheirCpus() throws Exception {
    agent.close();
    agent = RealAgent.start(folder, "--cpu-manager-policy", "none");
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    agent.apply(pod("shared", "{}", "sleep", "1000"));
    long alone = pid("alone");
    long shared = pid("shared");
    agent.end();
    agent.flags("--cpu-manager-policy", "static");
    agent.startAgain();
    assertThat(pid("alone")).isEqualTo(alone);
    assertThat(allowed(alone)).isEqualTo(promised("alone")).hasToString("1");
    assertThat(allowed(shared)).isEqualTo(promised("shared")).hasToString("0");
  }

  @Test
  void aMaskThatTheAgentWasStartedWithIsNobodysMachine() throws Exception {
    agent.end();
    agent.before("taskset", "-c", "0");
    agent.startAgain();
    assertThat(agent.status().path("cpus").asString())
        .isEqualTo(allowed(ProcessHandle.current().pid()).toString());
    agent.apply(pod("shared", "{}", "sleep", "1000"));
    assertThat(allowed(pid("shared"))).isEqualTo(promised("shared")).isNotEqualTo(CpuSet.of(0));
  }

  @Test
  void oneThatCannotBeKilledHoldsUpNobodyElse() throws Exception {
    Path freezer = Path.of("/sys/fs/cgroup/freezer");
    org.junit.jupiter.api.Assumptions.assumeTrue(Files.isDirectory(freezer), "needs cgroup v1");
    Path frozen = Files.createDirectory(freezer.resolve(agent.cgroup()));
    try {
      agent.apply(
          pod("frozen", "{}", "sleep", "1000")
              .replace("terminationGracePeriodSeconds: 5", "terminationGracePeriodSeconds: 0"));
      long pid = pid("frozen");
      Files.writeString(frozen.resolve("cgroup.procs"), String.valueOf(pid));
      Files.writeString(frozen.resolve("freezer.state"), "FROZEN");
      Thread.ofVirtual()
          .start(() -> {
            try {
              agent.remove("frozen");
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          });
      await("it to be told", () -> agent.ask("GET", "/events", "").contains("do not end"));
      long began = System.nanoTime();
      for (int i = 0; i < 20; i++) {
        assertThat(agent.ask("GET", "/healthz", "")).isEqualTo("ok\n");
      }
      assertThat(System.nanoTime() - began).as("twenty answers").isLessThan(10_000_000_000L);
      assertThat(agent.pod("frozen").path("phase").asString()).isEqualTo("Stopping");
      Files.writeString(frozen.resolve("freezer.state"), "THAWED");
      await("it to be gone", () -> agent.pod("frozen").isMissingNode());
      assertThat(Path.of("/proc/" + pid)).doesNotExist();
    } finally {
      Files.writeString(frozen.resolve("freezer.state"), "THAWED");
      await(
          "the freezer to be free",
          () -> {
            try {
              Files.delete(frozen);
              return true;
            } catch (IOException e) {
              return false;
            }
          });
    }
  }

  @Test
  void aContainersOwnPathMayHoldNothingThatWeNeed() throws IOException {
    agent.apply(
        pod("path", "{}", "/bin/sleep", "1000")
            .replace("command:", "env: [{name: PATH, value: /nowhere}], command:"));
    assertThat(allowed(pid("path"))).isEqualTo(promised("path"));
  }

  @Test
  void limitsHoldInTheKernel() throws IOException {
    agent.apply(pod("limited", "{limits: {cpu: 500m, memory: 32Mi}}", "sleep", "1000"));
    pid("limited");
    Path memory = Path.of("/sys/fs/cgroup/memory", agent.cgroup(), "pods/default_limited/app");
    org.junit.jupiter.api.Assumptions.assumeTrue(Files.isDirectory(memory), "needs cgroup v1");
    assertThat(memory.resolve("memory.limit_in_bytes")).hasContent("33554432");
    Path cpu = Path.of("/sys/fs/cgroup/cpu", agent.cgroup(), "pods/default_limited/app");
    assertThat(cpu.resolve("cpu.cfs_quota_us")).hasContent("50000");
    assertThat(cpu.resolve("cpu.shares")).hasContent("512");
  }

  @Test
  void refusesHugepagesWithOneLineWhereTheyCannotBeLimited() throws IOException {
    org.junit.jupiter.api.Assumptions.assumeFalse(
        Files.exists(Path.of("/sys/fs/cgroup/hugetlb")), "needs a machine without hugetlb");
    JsonNode refused =
        agent
            .apply(pod("huge", "{limits: {cpu: 1, memory: 1Mi, hugepages-2Mi: 2Mi}}", "true"))
            .get(0);
    assertThat(refused.path("message").asString())
        .isEqualTo(
            "hugepages: expected the hugetlb controller, found none on this machine, so their"
                + " limit would not hold");
  }

  @Test
  void leavesNothingBehindWhenNobodyIsLeft() throws Exception {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    pid("alone");
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
