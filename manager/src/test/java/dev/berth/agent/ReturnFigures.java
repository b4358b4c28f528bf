package dev.berth.agent;

import dev.berth.runtime.RealContainerd;
import java.nio.file.Path;
import java.time.Duration;

/** How soon everybody is where it should be once an agent by NRI is back. */
final class ReturnFigures {
  private static final int TIMES = 3;

  private ReturnFigures() {}

  static void ofAgents(Path folder) throws Exception {
    try (Homecoming homecoming = Homecoming.open(folder)) {
      for (int i = 0; i < TIMES; i++) {
        Figures.tellTimes("return/killed", homecoming.agentKilled());
        Figures.tellTimes("return/upgraded", homecoming.agentUpgraded());
      }
    }
  }

  static void ofRuntimes(Path folder) throws Exception {
    try (Homecoming homecoming = Homecoming.open(folder)) {
      for (int i = 0; i < TIMES; i++) {
        Figures.tellTimes("return/runtime", homecoming.runtimeKilled());
      }
    }
  }

  static void fromStalls(Path folder) throws Exception {
    try (RealContainerd containerd = Stall.impatient();
        RealAgent agent = RealAgent.startByNri(folder, containerd.nriSocket())) {
      for (int i = 0; i < TIMES; i++) {
        Stall stall = Stall.of(containerd, agent);
        stall.assertAllSit(agent);
        Figures.tellTimes("return/stall", Duration.ofMillis(stall.lastMove()).toNanos());
        stall.leave();
      }
    }
  }
}
