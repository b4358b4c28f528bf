package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.Figures.Size;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** How fast and how large an agent is, printed and held to its floors. */
@Tag("long")
class AgentFiguresTest {
  private static final int PODS = 100;
  private static final int PASSES = 40;
  private static final int A_SECOND = 50;
  private static final int ADMISSIONS = A_SECOND * Integer.getInteger("berth.seconds", 60);

  /** As many pods stay at a time; then the oldest leaves before the next comes. */
  private static final int STAYING = 100;

  /** The journal, and what the JVM waits with, are opened when they are first needed. */
  private static final int LAZY_DESCRIPTORS = 6;

  private static final double LONGEST_MILLIS = 20;
  private static final long LARGEST_KILOBYTES = 130_000;

  @TempDir private Path folder;

  @Test
  void aQuietPassOverTwoHundredContainersTakesLessThan20Milliseconds() throws Exception {
    try (RealAgent agent = RealAgent.start(folder, "--cpu-manager-reconcile-period", "200ms")) {
      agent.apply(twoContainers("warm"));
      agent.remove("warm");
      Size before = Size.of(agent);
      for (int i = 0; i < PODS; i++) {
        agent.apply(twoContainers("pod-" + i));
      }
      RealAgent.await("all to run", () -> running(agent) == 2 * PODS);
      double[] passes = passes(agent);
      System.out.println(Figures.line("quiet pass over " + 2 * PODS + " containers", passes));
      System.out.println("with them: " + Size.of(agent));
      IntStream.range(0, PODS).parallel().forEach(i -> leave(agent, "pod-" + i));
      RealAgent.await("calm", () -> Size.of(agent).processes() == before.processes());
      Size after = Size.of(agent);
      System.out.println("before " + before + ", after " + after);
      assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors() + LAZY_DESCRIPTORS);
      assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + 4);
      assertThat(after.residentKilobytes()).isLessThan(LARGEST_KILOBYTES);
      // What else runs on the machine makes some passes slow, but not most.
      assertThat(Figures.percentile(passes, 50)).isLessThan(LONGEST_MILLIS);
    }
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

  private static void leave(RealAgent agent, String pod) {
    try {
      agent.remove(pod);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** The next passes, in milliseconds, none of which writes anything. */
  private static double[] passes(RealAgent agent) throws IOException, InterruptedException {
    double[] passes = new double[PASSES];
    Thread.sleep(500);
    JsonNode begin = agent.status().path("reconciling");
    long seen = begin.path("passes").asLong();
    for (int i = 0; i < PASSES; i++) {
      JsonNode now = agent.status().path("reconciling");
      while (now.path("passes").asLong() == seen) {
        Thread.sleep(50);
        now = agent.status().path("reconciling");
      }
      seen = now.path("passes").asLong();
      passes[i] = now.path("lastMicroseconds").asLong() / 1000.0;
      assertThat(now.path("writes")).isEqualTo(begin.path("writes"));
    }
    return passes;
  }

  @Test
  void fiftyAdmissionsASecondTakeLessThan20MillisecondsEach() throws Exception {
    String machine = "pack:2 node:4 l3:4 core:8 pu:2";
    try (RealAgent agent = RealAgent.start(folder, "--machine", machine)) {
      agent.apply(RealAgent.pod("warm", RealAgent.guaranteed(1), "true"));
      agent.remove("warm");
      Size before = Size.of(agent);
      double[] times = admissions(agent);
      System.out.println(Figures.line("exclusive admissions at the client", times));
      Size after = Size.of(agent);
      System.out.println("before " + before + ", after " + after);
      Thread.sleep(2_000);
      System.out.println("idle " + Size.of(agent));
      assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors() + LAZY_DESCRIPTORS);
      assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + 4);
      assertThat(after.residentKilobytes()).isLessThan(LARGEST_KILOBYTES);
      assertThat(Figures.percentile(times, 99)).isLessThan(LONGEST_MILLIS);
    }
  }

  private static double[] admissions(RealAgent agent) throws IOException, InterruptedException {
    double[] times = new double[ADMISSIONS];
    Deque<String> there = new ArrayDeque<>();
    long begin = System.nanoTime();
    for (int i = 0; i < ADMISSIONS; i++) {
      if (there.size() == STAYING) {
        agent.remove(there.removeFirst());
      }
      long due = begin + i * 1_000_000_000L / A_SECOND;
      Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
      String name = "pod-" + i;
      long asked = System.nanoTime();
      JsonNode answer = agent.apply(RealAgent.pod(name, RealAgent.guaranteed(1 + i % 4), "true"));
      times[i] = (System.nanoTime() - asked) / 1e6;
      assertThat(answer.path(0).path("outcome").asString()).isEqualTo("admitted");
      there.addLast(name);
    }
    long took = (System.nanoTime() - begin) / 1_000_000;
    System.out.printf("%d admissions in %.1f s%n", ADMISSIONS, took / 1e3);
    assertThat(took).isLessThan(ADMISSIONS * 1_100L / A_SECOND);
    return times;
  }
}
