package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cri.CriClient;
import dev.berth.runtime.Asks;
import dev.berth.runtime.Freeze;
import dev.berth.runtime.RealContainerd;
import dev.berth.runtime.RealPod;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A plugin that says nothing for longer than its runtime waits, while containers come. */
final class Stall {
  private static final long STALL_MILLISECONDS = 3_000;
  private static final long WATCHED_MILLISECONDS = 4_000;

  private final RealContainerd containerd;
  private final List<RealPod> pods = new ArrayList<>();
  private final Map<String, Long> processes = new LinkedHashMap<>();
  private long lastMove;

  private Stall(RealContainerd containerd) {
    this.containerd = containerd;
  }

  /** One that waits half a second for an answer. */
  static RealContainerd impatient() throws IOException {
    return RealContainerd.current(Duration.ofSeconds(5), Duration.ofMillis(500));
  }

  /** Returns a while after the end of the stall. */
  static Stall of(RealContainerd containerd, RealAgent agent)
      throws IOException, InterruptedException {
    Stall stall = new Stall(containerd);
    stall.comes("web", QosClass.BEST_EFFORT, Asks.NOTHING);
    Freeze.stop(agent.pid());
    long stopped = System.nanoTime();
    stall.comes("db", QosClass.GUARANTEED, Telltale.ONE_CPU);
    stall.comes("job", QosClass.BEST_EFFORT, Asks.NOTHING);
    stall.comes("late", QosClass.GUARANTEED, Telltale.ONE_CPU);
    stall.comes("api", QosClass.BURSTABLE, Asks.requested(100));
    long passed = (System.nanoTime() - stopped) / 1_000_000;
    Thread.sleep(Math.max(0, STALL_MILLISECONDS - passed));
    Freeze.thaw(agent.pid());
    stall.watch();
    return stall;
  }

  private void comes(String name, QosClass qos, Asks asks) throws IOException {
    RealPod pod = containerd.pods().run(name, qos);
    pods.add(pod);
    String id = pod.start("app", asks, "sleep 1000");
    try (CriClient client = CriClient.of(containerd.socket())) {
      processes.put(name, client.container(id).orElseThrow().pid().orElseThrow());
    }
  }

  private void watch() throws IOException, InterruptedException {
    Map<String, String> before = new HashMap<>();
    long began = System.nanoTime();
    long now = 0;
    while (now < WATCHED_MILLISECONDS) {
      for (Map.Entry<String, Long> one : processes.entrySet()) {
        String cpus = RealAgent.allowed(one.getValue()).toString();
        now = (System.nanoTime() - began) / 1_000_000;
        String earlier = before.put(one.getKey(), cpus);
        if (earlier != null && !earlier.equals(cpus)) {
          lastMove = now;
        }
      }
      Thread.sleep(2);
    }
  }

  /** One is on a CPU of its own, the others share, and the agent says so. */
  void assertAllSit(RealAgent agent) throws IOException {
    int owners = 0;
    for (Map.Entry<String, Long> one : processes.entrySet()) {
      String cpus = RealAgent.allowed(one.getValue()).toString();
      assertThat(agent.container(one.getKey(), "app").path("cpus").asString())
          .as(one.getKey())
          .isEqualTo(cpus);
      assertThat(cpus).as(one.getKey()).isIn("0", "1");
      owners += cpus.equals("1") ? 1 : 0;
    }
    assertThat(owners).as("who is on the CPU of its own").isEqualTo(1);
  }

  /** When the last of them moved, in milliseconds from the end of the stall; 0 where none did. */
  long lastMove() {
    return lastMove;
  }

  /** All of them go. */
  void leave() throws IOException {
    for (RealPod pod : pods) {
      pod.remove();
    }
  }
}
