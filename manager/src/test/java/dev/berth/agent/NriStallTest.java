package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.CriClient;
import dev.berth.runtime.Asks;
import dev.berth.runtime.RealContainerd;
import dev.berth.runtime.RealPod;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where plugins of others fail: stalls while containers come, and a shared pool of one CPU. */
@Tag("slow")
class NriStallTest {
  private static final Asks ONE_CPU = Asks.limited(1_000, 64 << 20);
  private static final String SLEEP = "sleep 1000";

  @TempDir private Path folder;

  private RealAgent agent(RealContainerd containerd, String... more) throws IOException {
    String[] flags = new String[more.length + 4];
    System.arraycopy(more, 0, flags, 4, more.length);
    flags[0] = "--runtime";
    flags[1] = "nri";
    flags[2] = "--runtime-socket";
    flags[3] = containerd.nriSocket().toString();
    return RealAgent.start(folder, flags);
  }

  /** Starts a container; its first process. */
  private static long started(RealContainerd containerd, String name, QosClass qos, Asks asks)
      throws IOException {
    RealPod pod = containerd.pods().run(name, qos);
    String id = pod.start("app", asks, SLEEP);
    try (CriClient client = CriClient.of(containerd.socket())) {
      return client.container(id).orElseThrow().pid().orElseThrow();
    }
  }

  @Test
  void whoCameDuringAStallSitsWhereItShouldAfterItsEnd() throws Exception {
    try (RealContainerd containerd = Stall.impatient();
        RealAgent agent = agent(containerd)) {
      Stall stall = Stall.of(containerd, agent);
      stall.assertAllSit(agent);
      assertThat(stall.lastMove()).as("milliseconds until the last was moved").isPositive();
    }
  }

  @Test
  void theLastSharedCpuIsNotGivenAwayWhileSomethingRunsOnIt() throws Exception {
    Path config = folder.resolve("berth.yaml");
    Files.writeString(
        config,
        """
        cpuManagerPolicy: static
        reservedSystemCPUs: "0"
        cpuManagerPolicyOptions: {strict-cpu-reservation: "true"}
        """);
    try (RealContainerd containerd = RealContainerd.current();
        RealAgent agent = agent(containerd, "--config", config.toString())) {
      RealPod web = containerd.pods().run("web", QosClass.BEST_EFFORT);
      web.start("app", Asks.NOTHING, RealPod.TELL_CPUS + "; " + SLEEP);
      assertThat(web.awaitLine("app", "Cpus_allowed_list:")).isEqualTo("1");
      RealPod owner = containerd.pods().run("db", QosClass.GUARANTEED);
      assertThatThrownBy(() -> owner.start("app", ONE_CPU, SLEEP))
          .hasMessageContaining("berth: db/app: ")
          .hasMessageContaining(
              "it would take the last CPU of the shared pool, on which containers run");
      web.remove();
      owner.start("app", ONE_CPU, RealPod.TELL_CPUS + "; " + SLEEP);
      assertThat(owner.awaitLine("app", "Cpus_allowed_list:")).isEqualTo("1");
      RealPod next = containerd.pods().run("next", QosClass.BEST_EFFORT);
      assertThatThrownBy(() -> next.start("app", Asks.NOTHING, SLEEP))
          .hasMessageContaining("berth: next/app: ")
          .hasMessageContaining("the shared pool is empty, so there is no CPU for it to run on");
      agent.kill();
      long late = started(containerd, "late", QosClass.BEST_EFFORT, Asks.NOTHING);
      agent.startAgain();
      RealAgent.await(
          "one that came meanwhile to leave the owner's CPU",
          () -> RealAgent.allowed(late).toString().equals("0"));
      assertThat(agent.pod("late").path("displaced").asString()).contains("shared pool is empty");
    }
  }
}
