package dev.berth.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** A hundred pods of two containers each, which do nothing. */
final class Crowd {
  private static final int PODS = 100;

  private Crowd() {}

  /** One that reconciles often. */
  static RealAgent agent(Path folder) throws IOException {
    return RealAgent.start(folder, "--cpu-manager-reconcile-period", "200ms");
  }

  /** So that nothing of what is measured is done for the first time. */
  static void warmUp(RealAgent agent) throws IOException {
    agent.apply(twoContainers("warm"));
    agent.remove("warm");
  }

  /** Returns when all run. */
  static void comes(RealAgent agent) throws IOException {
    for (int i = 0; i < PODS; i++) {
      agent.apply(twoContainers("pod-" + i));
    }
    RealAgent.await("all to run", () -> running(agent) == 2 * PODS);
  }

  static void leaves(RealAgent agent) {
    IntStream.range(0, PODS)
        .parallel()
        .forEach(i -> {
          try {
            agent.remove("pod-" + i);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static String twoContainers(String name) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s}
    spec:
      terminationGracePeriodSeconds: 5
      containers:
      - {name: one, resources: {requests: {cpu: 10m}}, command: [sleep, '1000']}
      - {name: two, resources: {limits: {memory: 64Mi}}, command: [sleep, '1000']}
    """
        .formatted(name);
  }

  private static int running(RealAgent agent) throws IOException {
    int running = 0;
    for (JsonNode pod : agent.status().path("pods")) {
      for (JsonNode container : pod.path("containers")) {
        running += container.has("pid") ? 1 : 0;
      }
    }
    return running;
  }

  /** What the agent's next passes take, in nanoseconds; one that writes something is a fault. */
  static long[] quietPasses(RealAgent agent, int count) throws IOException, InterruptedException {
    long[] passes = new long[count];
    Thread.sleep(500); // the last who came may still be moved
    JsonNode begin = agent.status().path("reconciling");
    long seen = begin.path("passes").asLong();
    for (int i = 0; i < count; i++) {
      JsonNode now = agent.status().path("reconciling");
      while (now.path("passes").asLong() == seen) {
        Thread.sleep(50);
        now = agent.status().path("reconciling");
      }
      seen = now.path("passes").asLong();
      passes[i] = now.path("lastMicroseconds").asLong() * 1_000;
      if (!now.path("writes").equals(begin.path("writes"))) {
        throw new AssertionError("expected " + begin + " but for passes, found " + now);
      }
    }
    return passes;
  }
}
