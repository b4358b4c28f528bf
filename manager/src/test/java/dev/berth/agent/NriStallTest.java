package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cri.CriClient;
import dev.berth.linux.Posix;
import dev.berth.runtime.Asks;
import dev.berth.runtime.RealContainerd;
import dev.berth.runtime.RealPod;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where plugins of others fail: stalls while containers come, and a shared pool of one CPU. */
@Tag("slow")
class NriStallTest {
  private static final Asks ONE_CPU = Asks.limited(1_000, 64 << 20);
  private static final String SLEEP = "sleep 1000";
  private static final int SIGSTOP = 19;
  private static final int SIGCONT = 18;
  private static final long STALL_MILLISECONDS = 3_000;
  private static final long WATCHED_MILLISECONDS = 4_000;

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

  /** When the last of them moved, in milliseconds from now on; looks for a while. */
  private static long lastMove(Map<String, Long> processes)
      throws IOException, InterruptedException {
    Map<String, String> before = new HashMap<>();
    long began = System.nanoTime();
    long last = 0;
    long now = 0;
    while (now < WATCHED_MILLISECONDS) {
      for (Map.Entry<String, Long> one : processes.entrySet()) {
        String cpus = RealAgent.allowed(one.getValue()).toString();
        now = (System.nanoTime() - began) / 1_000_000;
        String earlier = before.put(one.getKey(), cpus);
        if (earlier != null && !earlier.equals(cpus)) {
          last = now;
        }
      }
      Thread.sleep(2);
    }
    return last;
  }

  @Test
  void whoCameDuringAStallSitsWhereItShouldWithinASecondOfItsEnd() throws Exception {
    try (RealContainerd containerd =
            RealContainerd.current(Duration.ofSeconds(5), Duration.ofMillis(500));
        RealAgent agent = agent(containerd)) {
      Map<String, Long> processes = new LinkedHashMap<>();
      processes.put("web", started(containerd, "web", QosClass.BEST_EFFORT, Asks.NOTHING));
      Posix.kill(agent.pid(), SIGSTOP);
      long stopped = System.nanoTime();
      processes.put("db", started(containerd, "db", QosClass.GUARANTEED, ONE_CPU));
      processes.put("job", started(containerd, "job", QosClass.BEST_EFFORT, Asks.NOTHING));
      processes.put("late", started(containerd, "late", QosClass.GUARANTEED, ONE_CPU));
      processes.put("api", started(containerd, "api", QosClass.BURSTABLE, Asks.requested(100)));
      long passed = (System.nanoTime() - stopped) / 1_000_000;
      Thread.sleep(Math.max(0, STALL_MILLISECONDS - passed));
      Posix.kill(agent.pid(), SIGCONT);
      long last = lastMove(processes);
      System.out.printf(
          "4 of 5 created during a stall of %d ms: all in place %d ms after its end%n",
          Math.max(passed, STALL_MILLISECONDS), last);
      int owners = 0;
      for (Map.Entry<String, Long> one : processes.entrySet()) {
        String cpus = RealAgent.allowed(one.getValue()).toString();
        assertThat(agent.container(one.getKey(), "app").path("cpus").asString())
            .as(one.getKey())
            .isEqualTo(cpus);
        owners += cpus.equals("1") ? 1 : 0;
        assertThat(cpus).as(one.getKey()).isIn("0", "1");
      }
      assertThat(owners).as("who is on the CPU of its own").isEqualTo(1);
      assertThat(last).isBetween(1L, 1_000L);
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
