package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cri.CriClient;
import dev.berth.cri.CriResources;
import dev.berth.cri.Updated;
import dev.berth.linux.ResumeLatency;
import dev.berth.runtime.Asks;
import dev.berth.runtime.Freeze;
import dev.berth.runtime.RealContainerd;
import dev.berth.runtime.RealPod;
import dev.berth.start.RealIdleStates;
import dev.berth.workload.CpuWish;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** An agent that looks after a real containerd's containers by NRI. CPU 0 is reserved. */
@Tag("slow")
class NriAgentTest {
  private static final long MEMORY = 64 << 20;
  private static final Asks ONE_CPU = Asks.limited(1_000, MEMORY);

  /** Tells where it may run with its first instruction, and again whenever that changes. */
  private static final String TELL =
      "while true; do now=$(grep Cpus_allowed_list /proc/self/status);"
          + " [ \"$now\" = \"$before\" ] || echo \"$now\"; before=$now; sleep 0.05; done";

  @TempDir Path folder;
  private RealContainerd containerd;
  private RealAgent agent;

  @BeforeEach
  void start() throws IOException {
    containerd = RealContainerd.current();
    agent = RealAgent.startByNri(folder, containerd.nriSocket());
  }

  @AfterEach
  void stop() throws IOException {
    if (agent != null) {
      agent.close();
    }
    if (containerd != null) {
      containerd.close();
    }
  }

  private RealPod guaranteed(String name) throws IOException {
    RealPod pod = containerd.pods().run(name, QosClass.GUARANTEED);
    pod.start("app", ONE_CPU, TELL);
    return pod;
  }

  private RealPod bestEffort(String name) throws IOException {
    RealPod pod = containerd.pods().run(name, QosClass.BEST_EFFORT);
    pod.start("app", Asks.NOTHING, TELL);
    return pod;
  }

  /** The CPUs that a container has told of so far, the first first. */
  private static Stream<String> told(RealPod pod, String container) {
    try {
      return pod.log(container).stream().map(line -> line.substring(line.indexOf(':') + 1).strip());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitLast(RealPod pod, String cpus) {
    RealAgent.await(
        "the container to be on " + cpus,
        () -> told(pod, "app").reduce((_, last) -> last).filter(cpus::equals).isPresent());
  }

  private String logOfAgent() throws IOException {
    return Files.readString(agent.log());
  }

  @Test
  void anOwnerIsOnItsCpusFromItsFirstInstructionAndOthersMakeWay() throws Exception {
    RealPod sharing = bestEffort("web");
    awaitLast(sharing, "0-1");
    RealPod owner = guaranteed("db");
    assertThat(owner.awaitLine("app", "Cpus_allowed_list:")).isEqualTo("1");
    awaitLast(sharing, "0");
    JsonNode container = agent.container("db", "app");
    assertThat(container.path("cpus").asString()).isEqualTo("1");
    assertThat(container.path("exclusive").asBoolean()).isTrue();
    assertThat(RealAgent.allowed(container.path("pid").asLong())).hasToString("1");
    owner.remove();
    awaitLast(sharing, "0-1");
    assertThat(told(owner, "app")).containsExactly("1");
  }

  @Test
  @ExtendWith(RealIdleStates.class)
  void anOwnersCpuIsAwakeFromItsCreationToItsEndWhoeverIsKilledMeanwhile() throws Exception {
    ResumeLatency kernel = ResumeLatency.here();
    RealIdleStates.assumeThere();
    String before = kernel.read(1);
    try {
      RealPod owner =
          containerd
              .pods()
              .run("db", QosClass.GUARANTEED, Map.of(CpuWish.AWAKE.annotation(), "true"));
      owner.start("app", ONE_CPU, TELL);
      RealAgent.await("its CPU to be awake", () -> kernel.read(1).equals(ResumeLatency.NONE));
      agent.kill();
      assertThat(kernel.read(1)).isEqualTo(ResumeLatency.NONE);
      agent.startAgain();
      assertThat(agent.container("db", "app").path("awake").asBoolean(false)).isTrue();
      assertThat(kernel.read(1)).isEqualTo(ResumeLatency.NONE);
      owner.remove();
      RealAgent.await("its CPU to be as before", () -> kernel.read(1).equals(before));
    } finally {
      kernel.write(1, before);
    }
  }

  @Test
  void aRefusedPodIsForgottenOnceItsSandboxIsGoneAndCanBeRemovedBefore() throws Exception {
    RealPod large = containerd.pods().run("large", QosClass.GUARANTEED);
    RealPod other = containerd.pods().run("other", QosClass.GUARANTEED);
    for (RealPod pod : List.of(large, other)) {
      assertThatThrownBy(() -> pod.start("app", Asks.limited(5_000, MEMORY), TELL))
          .hasMessageContaining("berth: ");
    }
    assertThat(agent.pod("large").path("phase").asString()).isEqualTo("Failed");
    agent.remove("other");
    assertThat(agent.pod("other").isMissingNode()).isTrue();
    agent.kill();
    large.remove();
    agent.startAgain();
    RealAgent.await("it to be forgotten", () -> agent.pod("large").isMissingNode());
    other.remove();
  }

  private void loseState() throws IOException, InterruptedException {
    agent.kill();
    for (String name : List.of("berth_state", "cpu_manager_state")) {
      Files.delete(agent.state().resolve(name));
    }
    agent.startAgain();
  }

  @Test
  void anOwnerKeepsItsCpuAfterALossOfState() throws Exception {
    RealPod sharing = bestEffort("web");
    RealPod owner = guaranteed("db");
    awaitLast(sharing, "0");
    loseState();
    RealPod second = containerd.pods().run("late", QosClass.GUARANTEED);
    assertThatThrownBy(() -> second.start("app", ONE_CPU, TELL))
        .hasMessageContaining("berth: late/app: ");
    JsonNode container = agent.container("db", "app");
    assertThat(container.path("cpus").asString()).isEqualTo("1");
    assertThat(container.path("exclusive").asBoolean()).isTrue();
    assertThat(RealAgent.allowed(container.path("pid").asLong())).hasToString("1");
    assertThat(agent.status().path("unknownHolders")).isEmpty();
    assertThat(told(owner, "app")).containsExactly("1");
    awaitLast(sharing, "0");
    owner.remove();
    second.start("app", ONE_CPU, TELL);
    assertThat(second.awaitLine("app", "Cpus_allowed_list:")).isEqualTo("1");
  }

  @Test
  void goingToPolicyNoneGivesAllCpusBack() throws Exception {
    RealPod sharing = bestEffort("web");
    RealPod owner = guaranteed("db");
    awaitLast(sharing, "0");
    agent.end();
    agent.flags(
        "--runtime",
        "nri",
        "--runtime-socket",
        containerd.nriSocket().toString(),
        "--cpu-manager-policy",
        "none");
    agent.startAgain();
    awaitLast(sharing, "0-1");
    awaitLast(owner, "0-1");
    RealAgent.await(
        "that to be told",
        () -> agent.ask("GET", "/events", "").contains("policy none: 2 cpusets have all CPUs"));
  }

  @Test
  void aFirstProcessThatLeavesItsGroupIsTold() throws Exception {
    agent.close();
    agent =
        RealAgent.startByNri(
            folder, containerd.nriSocket(), "--cpu-manager-reconcile-period", "300ms");
    guaranteed("db");
    RealAgent.await("its process", () -> agent.container("db", "app").has("pid"));
    long pid = agent.container("db", "app").path("pid").asLong();
    RealAgent.await("it to be alone", () -> RealAgent.allowed(pid).toString().equals("1"));
    agent.awaitPasses(2); // one of them sees it in its group
    Files.writeString(Path.of("/sys/fs/cgroup/cpuset/cgroup.procs"), String.valueOf(pid));
    RealAgent.await(
        "it to be told",
        () -> agent.ask("GET", "/events", "").contains("app: its first process is in cgroup "));
  }

  @Test
  void whatAsksTooMuchIsRefusedAndToldWhoHoldsWhat() throws Exception {
    RealPod owner = guaranteed("db");
    RealPod second = containerd.pods().run("late", QosClass.GUARANTEED);
    assertThatThrownBy(() -> second.start("app", ONE_CPU, TELL))
        .hasMessageContaining("berth: late/app: ")
        .hasMessageContaining("1 by db/app, shared 0, of which reserved 0");
    assertThat(agent.pod("late").path("phase").asString()).isEqualTo("Failed");
    owner.remove();
    second.start("app", ONE_CPU, TELL);
    assertThat(second.awaitLine("app", "Cpus_allowed_list:")).isEqualTo("1");
  }

  @Test
  void anInitContainerHandsItsCpusOnAndARestartKeepsThem() throws Exception {
    RealPod pod = containerd.pods().run("batch", QosClass.GUARANTEED);
    String init = pod.start("init", ONE_CPU, RealPod.TELL_CPUS);
    assertThat(pod.awaitEnd(init)).isZero();
    String first = pod.start("app", ONE_CPU, TELL);
    assertThat(told(pod, "init")).containsExactly("1");
    assertThat(pod.awaitLine("app", "Cpus_allowed_list:")).isEqualTo("1");
    pod.stop(first);
    assertThat(agent.container("batch", "app").path("state").asString()).isEqualTo("ended");
    RealPod other = containerd.pods().run("thief", QosClass.GUARANTEED);
    assertThatThrownBy(() -> other.create("app", ONE_CPU, TELL)).hasMessageContaining("berth");
    pod.start("app", ONE_CPU, TELL);
    RealAgent.await("the second attempt to tell its CPUs", () -> told(pod, "app").count() > 1);
    assertThat(told(pod, "app")).containsExactly("1", "1");
    assertThat(agent.container("batch", "app").path("cpus").asString()).isEqualTo("1");
    assertThatThrownBy(() -> other.create("app", ONE_CPU, TELL)).hasMessageContaining("berth");
  }

  @Test
  void everyContainerOfAPodIsWhereItWasPromisedFromItsFirstInstruction() throws Exception {
    RealPod pod = containerd.pods().run("batch", QosClass.GUARANTEED);
    pod.start("sidecar", Asks.limited(100, MEMORY), TELL);
    assertThat(pod.awaitLine("sidecar", "Cpus_allowed_list:")).isEqualTo("0-1");
    String init = pod.start("init", ONE_CPU, RealPod.TELL_CPUS);
    assertThat(pod.awaitEnd(init)).isZero();
    assertThat(pod.awaitLine("init", "Cpus_allowed_list:"))
        .isEqualTo("1")
        .isEqualTo(promised("batch", "init"));
    pod.start("app", ONE_CPU, TELL);
    assertThat(pod.awaitLine("app", "Cpus_allowed_list:"))
        .isEqualTo("1")
        .isEqualTo(promised("batch", "app"));
    RealPod burstable = containerd.pods().run("api", QosClass.BURSTABLE);
    burstable.start("app", Asks.requested(100), TELL);
    assertThat(burstable.awaitLine("app", "Cpus_allowed_list:"))
        .isEqualTo("0")
        .isEqualTo(promised("api", "app"));
    RealAgent.await("the sidecar to make way", () -> told(pod, "sidecar").count() > 1);
    assertThat(told(pod, "sidecar")).containsExactly("0-1", "0");
    assertThat(promised("batch", "sidecar")).isEqualTo("0");
    pod.remove();
    awaitLast(burstable, "0-1");
    assertThat(promised("api", "app")).isEqualTo("0-1");
  }

  private String promised(String pod, String container) throws IOException {
    return agent.container(pod, container).path("cpus").asString();
  }

  @Test
  void neitherTheRuntimesOwnUpdateNorAnybodyElseMovesAContainer() throws Exception {
    RealPod owner = guaranteed("db");
    owner.awaitLine("app", "Cpus_allowed_list:");
    long pid = agent.container("db", "app").path("pid").asLong();
    Path group = dev.berth.cgroup.Placement.Finder.here().group(pid).orElseThrow();
    Files.writeString(group.resolve("cpuset.cpus"), "0-1");
    agent.ask("POST", "/reload", "");
    RealAgent.await("repair", () -> RealAgent.allowed(pid).toString().equals("1"));
  }

  @Test
  void whatAKubeletUpdatesDoesNotMoveAnOwnerForAMoment() throws Exception {
    RealPod pod = containerd.pods().run("db", QosClass.GUARANTEED);
    String owner = pod.start("app", ONE_CPU, TELL);
    pod.awaitLine("app", "Cpus_allowed_list:");
    RealAgent.await("it to be seen running", () -> agent.container("db", "app").has("pid"));
    long pid = agent.container("db", "app").path("pid").asLong();
    KernelSamples samples = KernelSamples.begin(pid);
    try (samples;
        CriClient kubelet = CriClient.of(containerd.socket())) {
      for (int update = 0; update < 20; update++) {
        CriResources other =
            CriResources.NOTHING
                .withCpus(CpuSet.parse(update % 2 == 0 ? "0" : "0-1"))
                .withQuota(20_000L + update);
        assertThat(kubelet.update(owner, other)).isEqualTo(new Updated.Done());
      }
    }
    assertThat(samples.count()).isGreaterThan(100);
    assertThat(samples.cpus()).containsExactly("1");
    assertThat(samples.quotas()).containsExactly(-1L);
    assertThat(told(pod, "app")).containsExactly("1");
  }

  @Test
  void aKilledAgentFindsEverybodyAgain() throws Exception {
    RealPod sharing = bestEffort("web");
    RealPod owner = guaranteed("db");
    awaitLast(sharing, "0");
    agent.kill();
    agent.startAgain();
    assertThat(agent.container("db", "app").path("cpus").asString()).isEqualTo("1");
    assertThat(agent.container("web", "app").path("cpus").asString()).isEqualTo("0");
    owner.remove();
    awaitLast(sharing, "0-1");
    assertThat(told(owner, "app")).containsExactly("1");
  }

  @Test
  void aPodThatStoppedWhileTheAgentWasAwayGivesItsCpusBackBeforeItIsRemoved() throws Exception {
    RealPod sharing = bestEffort("web");
    RealPod owner = guaranteed("db");
    awaitLast(sharing, "0");
    agent.kill();
    owner.stop();
    agent.startAgain();
    awaitLast(sharing, "0-1");
    assertThat(agent.pod("db").isMissingNode()).isTrue();
  }

  @Test
  void whoCameWhileTheAgentWasAwayGetsItsPlaceWithinASecondOrSharesAndIsMarked() throws Exception {
    agent.kill();
    RealPod first = guaranteed("db");
    RealPod second = guaranteed("late");
    awaitLast(first, "0-1");
    awaitLast(second, "0-1");
    agent.startAgain();
    awaitLast(first, "1");
    awaitLast(second, "0");
    assertThat(agent.pod("late").path("displaced").asString())
        .startsWith("came while nobody looked, and shares");
    assertThat(agent.ask("GET", "/events", "").lines())
        .anyMatch(line ->
            line.contains("\"kind\":\"displaced\"")
                && line.contains("late")
                && line.contains("came while nobody looked, and shares"));
    assertThat(agent.ask("GET", "/metrics", "")).contains("berth_displaced_pods 1");
    first.remove();
    awaitLast(second, "1");
    assertThat(agent.pod("late").has("displaced")).isFalse();
    assertThat(agent.ask("GET", "/metrics", ""))
        .contains("berth_displaced_pods 0", "berth_runtime_connected 1")
        .containsPattern("berth_runtime_updates_total\\{outcome=\"done\"} [1-9]");
  }

  @Test
  void aStalledAgentComesBackByItself() throws Exception {
    RealPod sharing = bestEffort("web");
    awaitLast(sharing, "0-1");
    Freeze.stop(agent.pid());
    RealPod owner = guaranteed("db");
    assertThat(owner.awaitLine("app", "Cpus_allowed_list:"))
        .as("the runtime does not wait for ever, and starts it anywhere")
        .isEqualTo("0-1");
    Freeze.thaw(agent.pid());
    awaitLast(owner, "1");
    awaitLast(sharing, "0");
    RealAgent.await("the agent to be ready", agent::isReady);
    assertThat(logOfAgent()).contains("NRI: connection");
  }

  @Test
  void aKilledRuntimeFindsTheAgentAgain() throws Exception {
    RealPod owner = guaranteed("db");
    awaitLast(owner, "1");
    containerd.kill();
    RealAgent.await("the agent to notice", () -> !agent.isReady());
    containerd.restart();
    RealAgent.await("the agent to be ready", agent::isReady);
    RealPod sharing = bestEffort("web");
    assertThat(sharing.awaitLine("app", "Cpus_allowed_list:")).isEqualTo("0");
    owner.remove();
    awaitLast(sharing, "0-1");
    assertThat(told(owner, "app")).containsExactly("1");
  }

  @Test
  void manyAtOnceDoNotOverlap() throws Exception {
    for (int round = 0; round < 3; round++) {
      List<RealPod> pods = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        pods.add(containerd.pods().run("web" + i, QosClass.BEST_EFFORT));
      }
      RealPod owner = containerd.pods().run("db", QosClass.GUARANTEED);
      try (ExecutorService threads = Executors.newFixedThreadPool(5)) {
        pods.forEach(pod -> threads.execute(() -> pod.start("app", Asks.NOTHING, TELL)));
        threads.execute(() -> owner.start("app", ONE_CPU, TELL));
      }
      owner.awaitLine("app", "Cpus_allowed_list:");
      Thread.sleep(500);
      for (RealPod pod : pods) {
        awaitLast(pod, "0");
        assertThat(RealAgent.allowed(pid(pod)))
            .as("half a second after the start")
            .hasToString("0");
      }
      assertThat(told(owner, "app")).containsExactly("1");
      owner.remove();
      for (RealPod pod : pods) {
        pod.remove();
      }
    }
  }

  private long pid(RealPod pod) throws IOException {
    for (JsonNode one : agent.status().path("pods")) {
      if (one.path("uid").asString().startsWith(pod.uid())) {
        return one.path("containers").path(0).path("pid").asLong();
      }
    }
    throw new AssertionError("no pod " + pod.uid());
  }

  @Test
  void oneThatHasFailedKeepsItsCpusWhileItsPodIsThereThoughTheAgentRestarts() throws Exception {
    RealPod pod = containerd.pods().run("db", QosClass.GUARANTEED);
    String first = pod.start("app", ONE_CPU, "exit 3");
    assertThat(pod.awaitEnd(first)).isEqualTo(3);
    RealAgent.await(
        "the end to be noticed",
        () -> agent.container("db", "app").path("state").asString().equals("ended"));
    assertThat(agent.container("db", "app").path("code").asInt(-1)).isEqualTo(3);
    agent.kill();
    agent.startAgain();
    RealPod thief = containerd.pods().run("thief", QosClass.GUARANTEED);
    assertThatThrownBy(() -> thief.create("app", ONE_CPU, TELL)).hasMessageContaining("berth");
    pod.remove(first);
  }
}
