package dev.berth.agent;

import dev.berth.agent.Figures.Size;
import java.nio.file.Path;

/** How fast an agent is with many pods, and how large. */
final class AgentFigures {
  private static final int PASSES = 40;

  private AgentFigures() {}

  static void passes(Path folder) throws Exception {
    try (RealAgent agent = Crowd.agent(folder)) {
      Crowd.warmUp(agent);
      Crowd.comes(agent);
      Figures.tellTimes("agent/pass", Crowd.quietPasses(agent, PASSES));
      System.err.println("with them: " + Size.of(agent));
    }
  }

  /** A minute of them. */
  static void admissions(Path folder) throws Exception {
    try (RealAgent agent = Admissions.agent(folder)) {
      Admissions.warmUp(agent);
      Figures.tellTimes("agent/admission", Admissions.of(agent, 60 * Admissions.A_SECOND));
      Figures.tellMemory("agent/resident", Size.of(agent));
    }
  }
}
