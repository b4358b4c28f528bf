package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cgroup.Placement;
import dev.berth.cpu.CpuSet;
import dev.berth.cri.CriClient;
import dev.berth.cri.CriResources;
import dev.berth.cri.Updated;
import dev.berth.runtime.RealContainerd;
import dev.berth.runtime.RealPod;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * An agent that looks after a real containerd's containers by CRI: one that tells what happens, and
 * one that has to be listed. CPU 0 is reserved.
 */
@Tag("slow")
@ParameterizedClass
@ValueSource(booleans = {true, false})
class CriAgentTest {
  @Parameter private boolean current;
  @TempDir private Path folder;
  private RealContainerd containerd;
  private RealAgent agent;

  @BeforeEach
  void start() throws IOException {
    containerd = current ? RealContainerd.current() : RealContainerd.old();
    agent =
        RealAgent.start(
            folder,
            "--runtime",
            "cri",
            "--runtime-socket",
            containerd.socket().toString(),
            "--cpu-manager-reconcile-period",
            "1s");
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

  private Telltale guaranteed(String name) throws IOException {
    return Telltale.start(containerd, name, QosClass.GUARANTEED);
  }

  private Telltale bestEffort(String name) throws IOException {
    return Telltale.start(containerd, name, QosClass.BEST_EFFORT);
  }

  @Test
  void anOwnerGetsItsCpusAndThoseWhoShareMakeWay() throws Exception {
    Telltale sharing = bestEffort("web");
    Telltale limited = Telltale.start(containerd, "tool", QosClass.BURSTABLE);
    sharing.await("0-1");
    Telltale owner = guaranteed("db");
    owner.await("1");
    sharing.await("0");
    limited.await("0");
    JsonNode container = agent.container("db", "app");
    assertThat(container.path("cpus").asString()).isEqualTo("1");
    assertThat(container.path("exclusive").asBoolean()).isTrue();
    RealAgent.await("no quota", () -> Telltale.quota(agent, "db") == -1);
    assertThat(Telltale.quota(agent, "tool")).isEqualTo(50_000);
    owner.pod().remove();
    sharing.await("0-1");
    limited.await("0-1");
    assertThat(owner.told()).endsWith("1");
    RealAgent.await("the pod to be gone", () -> agent.pod("db").isMissingNode());
  }

  @Test
  void anInitContainerHandsItsCpusOnAndARestartKeepsThem() throws Exception {
    RealPod pod = containerd.pods().run("batch", QosClass.GUARANTEED);
    String init = pod.start("init", Telltale.ONE_CPU, "sleep 3; " + RealPod.TELL_CPUS);
    assertThat(pod.awaitEnd(init)).isZero();
    assertThat(Telltale.told(pod, "init")).containsExactly("1");
    String first = pod.start("app", Telltale.ONE_CPU, Telltale.SCRIPT);
    Telltale.awaitLast(pod, "1");
    pod.stop(first);
    RealAgent.await(
        "its end", () -> agent.container("batch", "app").path("state").asString().equals("ended"));
    Telltale other = guaranteed("thief");
    other.await("0");
    pod.remove(first);
    other.await("1");
  }

  @Test
  void whoFindsNoRoomSharesAndIsMarkedUntilThereIsRoom() throws Exception {
    Telltale first = guaranteed("db");
    first.await("1");
    Telltale second = guaranteed("late");
    second.await("0");
    assertThat(agent.pod("late").path("displaced").asString())
        .startsWith("CRI cannot refuse it, so it shares: ");
    assertThat(agent.ask("GET", "/metrics", "")).contains("berth_displaced_pods 1");
    assertThat(Telltale.quota(agent, "late")).isEqualTo(100_000);
    first.pod().remove();
    second.await("1");
    assertThat(agent.pod("late").has("displaced")).isFalse();
    RealAgent.await("no quota", () -> Telltale.quota(agent, "late") == -1);
  }

  @Test
  void whatOthersChangeIsPutRight() throws Exception {
    Telltale owner = guaranteed("db");
    owner.await("1");
    RealAgent.await("it to be seen running", () -> agent.container("db", "app").has("pid"));
    long pid = agent.container("db", "app").path("pid").asLong();
    Path group = Placement.Finder.here().group(pid).orElseThrow();
    Files.writeString(group.resolve("cpuset.cpus"), "0-1");
    RealAgent.await("repair", () -> RealAgent.allowed(pid).toString().equals("1"));
    try (CriClient kubelet = CriClient.of(containerd.socket())) {
      CriResources other = CriResources.NOTHING.withCpus(CpuSet.of(0)).withQuota(20_000);
      assertThat(kubelet.update(owner.app(), other)).isEqualTo(new Updated.Done());
      assertThat(RealAgent.allowed(pid).toString()).isIn("0", "1");
      RealAgent.await("repair", () -> RealAgent.allowed(pid).toString().equals("1"));
      RealAgent.await("its quota's end", () -> Telltale.quota(agent, "db") == -1);
      CriResources quota = CriResources.NOTHING.withQuota(20_000);
      assertThat(kubelet.update(owner.app(), quota)).isEqualTo(new Updated.Done());
      RealAgent.await("its quota's end", () -> Telltale.quota(agent, "db") == -1);
    }
  }

  @Test
  void aKilledAgentFindsEverybodyAgainAndWhoCameMeanwhile() throws Exception {
    Telltale sharing = bestEffort("web");
    Telltale gone = guaranteed("gone");
    gone.await("1");
    agent.kill();
    gone.pod().remove();
    Telltale owner = guaranteed("db");
    Telltale late = guaranteed("late");
    agent.startAgain();
    owner.await("1");
    late.await("0");
    sharing.await("0");
    assertThat(agent.pod("gone").isMissingNode()).isTrue();
    agent.kill();
    agent.startAgain();
    assertThat(agent.container("db", "app").path("cpus").asString()).isEqualTo("1");
    assertThat(owner.told()).endsWith("1");
    assertThat(agent.pod("late").path("displaced").asString()).startsWith("CRI cannot refuse it");
    owner.pod().remove();
    late.await("1");
  }

  @Test
  void aKilledRuntimeIsFoundAgainAndWhatItDidMeanwhile() throws Exception {
    Telltale owner = guaranteed("db");
    Telltale sharing = bestEffort("web");
    owner.await("1");
    sharing.await("0");
    containerd.kill();
    RealAgent.await("the agent to notice", () -> !agent.isReady());
    assertThat(agent.ask("GET", "/readyz", "")).contains("no runtime can be looked at by CRI");
    containerd.restart();
    RealAgent.await("the agent to be ready", agent::isReady);
    owner.pod().remove();
    sharing.await("0-1");
    guaranteed("next").await("1");
    sharing.await("0");
  }

  @Test
  void aFrozenRuntimeIsNoticedAndTheAgentAnswersMeanwhile() throws Exception {
    Telltale sharing = bestEffort("web");
    RealAgent.await(
        "it to be seen", () -> agent.container("web", "app").path("cpus").asString().equals("0-1"));
    containerd.freeze();
    try {
      RealAgent.await("the agent to notice", () -> !agent.isReady());
      assertThat(agent.container("web", "app").path("cpus").asString()).isEqualTo("0-1");
    } finally {
      containerd.thaw();
    }
    RealAgent.await("the agent to be ready", agent::isReady);
    guaranteed("db").await("1");
    sharing.await("0");
  }
}
