package dev.berth.agent;

import static dev.berth.agent.RealAgent.allowed;
import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cpu.CpuSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What the kernel has of the agent's words, also where others have their fingers in it. */
@Tag("slow")
class AgentGroupsTest {
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
  void repairsWhatOthersChangedAndCountsIt() throws IOException {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    long pid = agent.pidOf("alone");
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
    await("it to print", () -> !agent.printedBy("robbed").isEmpty());
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
    assertThat(
            agent.printedBy("robbed").lines().filter(line -> line.startsWith("Cpus_allowed_list")))
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
    long pid = agent.pidOf("free");
    assertThat(allowed(pid)).isEqualTo(allowed(ProcessHandle.current().pid()));
    assertThat(Path.of("/sys/fs/cgroup/cpuset", agent.cgroup())).doesNotExist();
    assertThat(agent.groups()).isNotEmpty();
  }

  @Test
  void goingToPolicyNoneGivesAllCpusBack() throws Exception {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    agent.apply(pod("shared", "{}", "sleep", "1000"));
    long alone = agent.pidOf("alone");
    long shared = agent.pidOf("shared");
    assertThat(allowed(alone)).hasToString("1");
    agent.end();
    agent.flags("--cpu-manager-policy", "none");
    agent.startAgain();
    CpuSet all = allowed(ProcessHandle.current().pid());
    assertThat(allowed(alone)).isEqualTo(all);
    assertThat(allowed(shared)).isEqualTo(all);
    assertThat(agent.cpusOf("alone")).isEqualTo(all);
    assertThat(agent.ask("GET", "/events", ""))
        .contains("\"kind\":\"released\"")
        .contains("cpusets have all CPUs");
  }

  @Test
  void reservedCpusThatMoveOnAFullMachineFormARingThatIsResolved() throws Exception {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    agent.apply(pod("shared", "{}", "sleep", "1000"));
    long alone = agent.pidOf("alone");
    long shared = agent.pidOf("shared");
    Path config = folder.resolve("reserved.yaml");
    Files.writeString(config, "reservedSystemCPUs: \"0\"\n");
    agent.end();
    agent.flags("--config", config.toString());
    agent.startAgain();
    assertThat(allowed(alone)).hasToString("1");
    Files.writeString(config, "reservedSystemCPUs: \"1\"\n");
    assertThat(agent.ask("POST", "/reload", "")).isEqualTo("reloaded\n");
    assertThat(allowed(alone)).hasToString("0");
    assertThat(allowed(shared)).hasToString("1");
    assertThat(allowed(agent.pid())).hasToString("1");
    assertThat(agent.cpusOf("alone")).hasToString("0");
    assertThat(agent.ask("GET", "/events", "")).doesNotContain("in a ring");
  }

  @Test
  void whatTheKernelHasIsToldBesideWhatIsWanted() throws Exception {
    agent.close();
    agent = RealAgent.start(folder, "--cpu-manager-reconcile-period", "1h");
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    agent.pidOf("alone");
    assertThat(agent.container("alone", "app").has("wanted")).isFalse();
    Path file = cpuset("pods/default_alone/app").resolve("cpuset.cpus");
    Files.writeString(file, "0-1");
    JsonNode container = agent.container("alone", "app");
    assertThat(container.path("cpus").asString()).isEqualTo("0-1");
    assertThat(container.path("wanted").asString()).isEqualTo("1");
    assertThat(agent.status().path("differences").get(0).asString())
        .isEqualTo("alone/app has CPUs 0-1, wanted 1");
  }

  @Test
  void leavingPolicyNoneBringsThoseWhoRunToTheirCpus() throws Exception {
    agent.close();
    agent = RealAgent.start(folder, "--cpu-manager-policy", "none");
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    agent.apply(pod("shared", "{}", "sleep", "1000"));
    long alone = agent.pidOf("alone");
    long shared = agent.pidOf("shared");
    agent.end();
    agent.flags("--cpu-manager-policy", "static");
    agent.startAgain();
    assertThat(agent.pidOf("alone")).isEqualTo(alone);
    assertThat(allowed(alone)).isEqualTo(agent.cpusOf("alone")).hasToString("1");
    assertThat(allowed(shared)).isEqualTo(agent.cpusOf("shared")).hasToString("0");
  }

  @Test
  void aMaskThatTheAgentWasStartedWithIsNobodysMachine() throws Exception {
    agent.end();
    agent.before("taskset", "-c", "0");
    agent.startAgain();
    assertThat(agent.status().path("cpus").asString())
        .isEqualTo(allowed(ProcessHandle.current().pid()).toString());
    agent.apply(pod("shared", "{}", "sleep", "1000"));
    assertThat(allowed(agent.pidOf("shared")))
        .isEqualTo(agent.cpusOf("shared"))
        .isNotEqualTo(CpuSet.of(0));
  }

  @Test
  void oneThatCannotBeKilledHoldsUpNobodyElse() throws Exception {
    Path freezer = Path.of("/sys/fs/cgroup/freezer");
    assumeTrue(Files.isDirectory(freezer), "needs cgroup v1");
    Path frozen = Files.createDirectory(freezer.resolve(agent.cgroup()));
    try {
      agent.apply(
          pod("frozen", "{}", "sleep", "1000")
              .replace("terminationGracePeriodSeconds: 5", "terminationGracePeriodSeconds: 0"));
      long pid = agent.pidOf("frozen");
      Files.writeString(frozen.resolve("cgroup.procs"), String.valueOf(pid));
      Files.writeString(frozen.resolve("freezer.state"), "FROZEN");
      Thread.ofVirtual()
          .start(() -> {
            try {
              agent.remove("frozen");
            } catch (IOException e) {
              throw new UncheckedIOException(e);
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
  void limitsHoldInTheKernel() throws IOException {
    agent.apply(pod("limited", "{limits: {cpu: 500m, memory: 32Mi}}", "sleep", "1000"));
    agent.pidOf("limited");
    Path memory = Path.of("/sys/fs/cgroup/memory", agent.cgroup(), "pods/default_limited/app");
    assumeTrue(Files.isDirectory(memory), "needs cgroup v1");
    assertThat(memory.resolve("memory.limit_in_bytes")).hasContent("33554432");
    Path cpu = Path.of("/sys/fs/cgroup/cpu", agent.cgroup(), "pods/default_limited/app");
    assertThat(cpu.resolve("cpu.cfs_quota_us")).hasContent("50000");
    assertThat(cpu.resolve("cpu.shares")).hasContent("512");
  }

  @Test
  void refusesHugepagesWithOneLineWhereTheyCannotBeLimited() throws IOException {
    assumeFalse(Files.exists(Path.of("/sys/fs/cgroup/hugetlb")), "needs a machine without hugetlb");
    JsonNode refused =
        agent
            .apply(pod("huge", "{limits: {cpu: 1, memory: 1Mi, hugepages-2Mi: 2Mi}}", "true"))
            .get(0);
    assertThat(refused.path("message").asString())
        .isEqualTo(
            "hugepages: expected the hugetlb controller, found none on this machine, so their"
                + " limit would not hold");
  }
}
