package dev.berth.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import tools.jackson.databind.JsonNode;

/** Pods with CPUs of their own that come at an even pace, while the oldest go. */
final class Admissions {
  static final int A_SECOND = 50;

  /** As many pods stay at a time; then the oldest leaves before the next comes. */
  private static final int STAYING = 100;

  private Admissions() {}

  /** One with room for them. */
  static RealAgent agent(Path folder) throws IOException {
    return RealAgent.start(folder, "--machine", "pack:2 node:4 l3:4 core:8 pu:2");
  }

  /** So that nothing of what is measured is done for the first time. */
  static void warmUp(RealAgent agent) throws IOException {
    agent.apply(RealAgent.pod("warm", RealAgent.guaranteed(1), "true"));
    agent.remove("warm");
  }

  /**
   * How long each takes at the client, in nanoseconds, from the moment at which it was due: who had
   * to wait for an agent that does not keep up has waited. One that is not admitted is a fault.
   */
  static long[] of(RealAgent agent, int count) throws IOException, InterruptedException {
    long[] times = new long[count];
    Deque<String> there = new ArrayDeque<>();
    long begin = System.nanoTime();
    for (int i = 0; i < count; i++) {
      if (there.size() == STAYING) {
        agent.remove(there.removeFirst());
      }
      String name = "pod-" + i;
      String pod = RealAgent.pod(name, RealAgent.guaranteed(1 + i % 4), "true");
      long due = begin + i * 1_000_000_000L / A_SECOND;
      Thread.sleep(Duration.ofNanos(due - System.nanoTime()));
      JsonNode answer = agent.apply(pod);
      times[i] = System.nanoTime() - due;
      if (!answer.path(0).path("outcome").asString().equals("admitted")) {
        throw new AssertionError("expected " + name + " to be admitted, found " + answer);
      }
      there.addLast(name);
    }
    return times;
  }
}
