package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cgroup.Placement;
import dev.berth.cpu.CpuSet;
import dev.berth.cri.CriClient;
import dev.berth.cri.CriResources;
import dev.berth.cri.Updated;
import dev.berth.runtime.RealCrio;
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
import tools.jackson.databind.JsonNode;

/**
 * What {@link NriAgentTest} and {@link CriAgentTest} claim under containerd, as far as it could be
 * otherwise under CRI-O. CPU 0 is reserved.
 */
@Tag("slow")
class CrioAgentTest {
  @TempDir private Path folder;
  private RealCrio crio;

  @BeforeEach
  void start() throws IOException {
    crio = RealCrio.start();
  }

  @AfterEach
  void stop() throws IOException {
    if (crio != null) {
      crio.close();
    }
  }

  private RealAgent byNri() throws IOException {
    return RealAgent.startByNri(folder, crio.nriSocket());
  }

  private RealAgent byCri() throws IOException {
    return RealAgent.start(
        folder,
        "--runtime",
        "cri",
        "--runtime-socket",
        crio.socket().toString(),
        "--cpu-manager-reconcile-period",
        "1s");
  }

  private Telltale guaranteed(String name) throws IOException {
    return Telltale.start(crio, name, QosClass.GUARANTEED);
  }

  private Telltale bestEffort(String name) throws IOException {
    return Telltale.start(crio, name, QosClass.BEST_EFFORT);
  }

  /** Its first process, once the agent has seen it, and not one that CRI-O has beside it. */
  private static long process(RealAgent agent, String pod) throws IOException {
    RealAgent.await("it to be seen running", () -> agent.container(pod, "app").has("pid"));
    return agent.container(pod, "app").path("pid").asLong();
  }

  /** Somebody writes into the file of the group. */
  private static void meddle(long process) throws IOException {
    Path group = Placement.Finder.here().group(process).orElseThrow();
    Files.writeString(group.resolve("cpuset.cpus"), "0-1");
  }

  @Test
  void byNriAnOwnerIsOnItsCpusFromItsFirstInstructionAndOthersMakeWay() throws Exception {
    try (RealAgent agent = byNri()) {
      Telltale sharing = bestEffort("web");
      sharing.await("0-1");
      Telltale owner = guaranteed("db");
      owner.await("1");
      sharing.await("0");
      JsonNode container = agent.container("db", "app");
      assertThat(container.path("cpus").asString()).isEqualTo("1");
      assertThat(container.path("exclusive").asBoolean()).isTrue();
      long pid = process(agent, "db");
      assertThat(Files.readString(Path.of("/proc/" + pid + "/cmdline"))).startsWith("/bin/sh");
      assertThat(Telltale.quota(agent, "db")).isEqualTo(-1);
      RealPod late = crio.pods().run("late", QosClass.GUARANTEED);
      assertThatThrownBy(() -> late.start("app", Telltale.ONE_CPU, Telltale.SCRIPT))
          .hasMessageContaining("berth: late/app: ")
          .hasMessageContaining("1 by db/app, shared 0, of which reserved 0");
      owner.pod().remove();
      sharing.await("0-1");
      assertThat(owner.told()).containsExactly("1");
    }
  }

  @Test
  void byNriNobodyElseMovesAnOwner() throws Exception {
    try (RealAgent agent = byNri()) {
      Telltale owner = guaranteed("db");
      owner.await("1");
      long pid = process(agent, "db");
      try (CriClient kubelet = CriClient.of(crio.socket())) {
        CriResources other = CriResources.NOTHING.withCpus(CpuSet.of(0)).withQuota(20_000);
        assertThat(kubelet.update(owner.app(), other)).isEqualTo(new Updated.Done());
      }
      assertThat(RealAgent.allowed(pid)).hasToString("1");
      assertThat(Telltale.quota(agent, "db")).isEqualTo(-1);
      assertThat(owner.told()).containsExactly("1");
      meddle(pid);
      agent.ask("POST", "/reload", "");
      RealAgent.await("repair", () -> RealAgent.allowed(pid).toString().equals("1"));
    }
  }

  @Test
  void byNriAnAgentAndARuntimeThatWereKilledFindEachOtherAndWhoCameMeanwhile() throws Exception {
    try (RealAgent agent = byNri()) {
      agent.kill();
      Telltale first = guaranteed("db");
      first.await("0-1");
      Telltale second = guaranteed("late");
      agent.startAgain();
      first.await("1");
      second.await("0");
      assertThat(agent.pod("late").path("displaced").asString())
          .startsWith("came while nobody looked, and shares");
      crio.kill();
      RealAgent.await("the agent to notice", () -> !agent.isReady());
      crio.restart();
      RealAgent.await("the agent to be ready", agent::isReady);
      assertThat(agent.container("db", "app").path("cpus").asString()).isEqualTo("1");
      first.pod().remove();
      second.await("1");
      assertThat(first.told()).containsExactly("0-1", "1");
    }
  }

  @Test
  void byCriAnOwnerGetsItsCpusAndWhatOthersChangeIsPutRight() throws Exception {
    try (RealAgent agent = byCri()) {
      Telltale sharing = bestEffort("web");
      Telltale limited = Telltale.start(crio, "tool", QosClass.BURSTABLE);
      sharing.await("0-1");
      Telltale owner = guaranteed("db");
      owner.await("1");
      sharing.await("0");
      limited.await("0");
      RealAgent.await("no quota", () -> Telltale.quota(agent, "db") == -1);
      assertThat(Telltale.quota(agent, "tool")).isEqualTo(50_000);
      long pid = process(agent, "db");
      meddle(pid);
      RealAgent.await("repair", () -> RealAgent.allowed(pid).toString().equals("1"));
      owner.pod().remove();
      sharing.await("0-1");
      RealAgent.await("the pod to be gone", () -> agent.pod("db").isMissingNode());
    }
  }

  @Test
  void byCriARuntimeThatTellsNothingAndWasKilledIsFoundAgain() throws Exception {
    crio.close();
    crio = RealCrio.withoutEvents();
    try (RealAgent agent = byCri()) {
      Telltale owner = guaranteed("db");
      owner.await("1");
      crio.kill();
      RealAgent.await("the agent to notice", () -> !agent.isReady());
      crio.restart();
      RealAgent.await("the agent to be ready", agent::isReady);
      Telltale second = guaranteed("late");
      second.await("0");
      assertThat(agent.pod("late").path("displaced").asString())
          .startsWith("CRI cannot refuse it, so it shares: ");
      owner.pod().remove();
      second.await("1");
      assertThat(Files.readAllLines(agent.log()))
          .as("once, and once more after the restart")
          .filteredOn(line -> line.contains("the runtime has no events"))
          .hasSizeBetween(1, 2);
    }
  }
}
