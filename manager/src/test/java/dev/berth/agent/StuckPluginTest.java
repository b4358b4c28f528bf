package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.deviceplugin.FakePlugin;
import dev.berth.deviceplugin.FakePlugin.Call;
import dev.berth.linux.Posix;
import dev.berth.protocols.deviceplugin.ContainerAllocateResponse;
import dev.berth.protocols.deviceplugin.DevicePluginOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A plugin that does not answer holds up the pod that needs it, and nobody else: pods come, start,
 * are listed and go meanwhile. CPU 1 and one device are there to be had.
 */
@Tag("slow")
class StuckPluginTest {
  private static final String GPU = "vendor.example/gpu";
  private static final String ASKS = "{limits: {cpu: 1, memory: 64Mi, vendor.example/gpu: 1}}";

  /** Far below the 10 and 30 s that plugins are waited for, on a machine with much else to do. */
  private static final Duration SOON = Duration.ofSeconds(6);

  @TempDir private Path folder;
  private RealAgent agent;
  private FakePlugin plugin;

  @BeforeEach
  void start() throws Exception {
    RealAgent.assumeRealGroups();
    Files.createDirectories(folder.resolve("plugins"));
    Path settings = folder.resolve("berth.yaml");
    Files.writeString(
        settings,
        """
        cpuManagerPolicy: static
        reservedSystemCPUs: "0"
        berth: {devicePlugins: %s}
        """
            .formatted(folder.resolve("plugins")));
    agent = RealAgent.start(folder, "--config", settings.toString());
    register(UnaryOperator.identity());
  }

  private void register() throws IOException {
    register(UnaryOperator.identity());
  }

  /** A plugin comes that hands on this. */
  private void register(UnaryOperator<ContainerAllocateResponse.Builder> handsOn)
      throws IOException {
    plugin =
        FakePlugin.start(
            folder.resolve("plugins"),
            "gpu.sock",
            DevicePluginOptions.newBuilder().setPreStartRequired(true).build(),
            FakePlugin.device("gpu-0", true));
    plugin.handsOn(handsOn);
    plugin.register(GPU);
    RealAgent.await(
        "the plugin's device",
        () ->
            agent
                .ask("GET", "/metrics", "")
                .contains("berth_devices{resource=\"" + GPU + "\",health=\"healthy\"} 1"));
  }

  @AfterEach
  void end() throws IOException {
    if (agent != null) {
      agent.close();
    }
    if (plugin != null) {
      plugin.close();
    }
  }

  private static String sleeper(String name, String asks) {
    return RealAgent.pod(name, asks, "sh", "-c", "echo DEVICES=$DEVICES; exec sleep 1000");
  }

  private CompletableFuture<JsonNode> stuck(String name) {
    return stuckPod(sleeper(name, ASKS));
  }

  /** Applies it on a thread of its own, and returns when its plugin is being asked. */
  private CompletableFuture<JsonNode> stuckPod(String pod) {
    CompletableFuture<JsonNode> answer =
        CompletableFuture.supplyAsync(() -> {
          try {
            return agent.apply(pod).path(0);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    RealAgent.await("the plugin to be asked", () -> plugin.unanswered() > 0);
    return answer;
  }

  private static String outcome(JsonNode answer) {
    return answer.path("outcome").asString();
  }

  private String state(String pod) throws IOException {
    return agent.container(pod, "app").path("state").asString();
  }

  private void assertOthersGoOn(String held) throws IOException {
    long began = System.nanoTime();
    assertThat(agent.pod(held).path("phase").asString()).isNotEqualTo("Failed");
    assertThat(agent.container(held, "app").path("cpus").asString()).isEqualTo("1");
    assertThat(outcome(agent.apply(sleeper("other", "{}")).path(0))).isEqualTo("admitted");
    RealAgent.await("the other to run", () -> agent.container("other", "app").has("pid"));
    JsonNode greedy = agent.apply(sleeper("greedy", RealAgent.guaranteed(1))).path(0);
    assertThat(outcome(greedy)).as("its CPU is held").isEqualTo("refused");
    agent.remove("greedy");
    agent.remove("other");
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON);
  }

  private void assertNothingIsLeft(String pod) throws IOException {
    assertThat(agent.pod(pod).isMissingNode()).isTrue();
    assertThat(agent.groups())
        .noneMatch(group -> group.toString().contains("/pods/default_" + pod));
    assertThat(agent.status().path("exclusive").asString()).isEmpty();
    JsonNode next = agent.apply(sleeper("next", ASKS)).path(0);
    assertThat(outcome(next)).as(next.toString()).isEqualTo("admitted");
    RealAgent.await(
        "the next to have the device",
        () -> agent.ask("GET", "/log/next", "").contains("DEVICES=gpu-0"));
  }

  private void assertNeverStarted(String pod) throws IOException {
    assertThat(agent.ask("GET", "/events", ""))
        .contains("\"started\",\"pod\":\"next")
        .doesNotContain("\"started\",\"pod\":\"" + pod);
  }

  private void removeSoon(String pod) throws IOException {
    long began = System.nanoTime();
    agent.remove(pod);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON);
  }

  @Test
  void oneThatHangsInAllocateHoldsUpItsOwnPodOnlyAndThatIsRefusedAfterItsTime() throws Exception {
    plugin.hangAt(Call.ALLOCATE);
    CompletableFuture<JsonNode> answer = stuck("train");
    assertOthersGoOn("train");
    assertThat(answer).isNotDone();
    JsonNode refused = answer.get(20, TimeUnit.SECONDS);
    assertThat(outcome(refused)).isEqualTo("refused");
    assertThat(refused.path("reason").asString()).isEqualTo("UnexpectedAdmissionError");
    assertThat(refused.path("message").asString())
        .startsWith("device plugin of vendor.example/gpu: expected an allocation, found ");
    plugin.answerLate();
    assertThat(agent.pod("train").path("phase").asString()).isEqualTo("Failed");
    agent.remove("train");
    assertNothingIsLeft("train");
    assertNeverStarted("train");
  }

  @Test
  void oneThatIsRemovedWhileAllocateHangsLeavesNothingAndNeverStarts() throws Exception {
    plugin.hangAt(Call.ALLOCATE);
    CompletableFuture<JsonNode> answer = stuck("train");
    removeSoon("train");
    assertThat(answer.get(6, TimeUnit.SECONDS).path("reason").asString()).isEqualTo("Removed");
    plugin.answerLate();
    assertNothingIsLeft("train");
    assertNeverStarted("train");
  }

  @Test
  void oneThatIsRemovedWhilePreStartHangsLeavesNothingAndNeverStarts() throws Exception {
    plugin.hangAt(Call.PRE_START);
    assertThat(outcome(stuck("train").get(6, TimeUnit.SECONDS))).isEqualTo("admitted");
    assertThat(state("train")).isEqualTo("starting");
    assertOthersGoOn("train");
    removeSoon("train");
    plugin.answerLate();
    assertNothingIsLeft("train");
    assertNeverStarted("train");
  }

  @Test
  void oneThatBeginsAgainWaitsForItsPluginAlone() throws Exception {
    assertThat(outcome(agent.apply(sleeper("train", ASKS)).path(0))).isEqualTo("admitted");
    RealAgent.await("it to run", () -> agent.container("train", "app").has("pid"));
    plugin.hangAt(Call.PRE_START);
    Posix.kill(agent.container("train", "app").path("pid").asLong(), Posix.SIGKILL);
    RealAgent.await("the plugin to be asked", () -> plugin.unanswered() == 1);
    assertThat(state("train")).isEqualTo("starting");
    assertOthersGoOn("train");
    plugin.answerLate();
    RealAgent.await(
        "it to run again",
        () -> agent.ask("GET", "/log/train", "").equals("DEVICES=gpu-0\nDEVICES=gpu-0\n"));
    assertThat(agent.container("train", "app").path("starts").asInt()).isEqualTo(2);
  }

  @Test
  void anAgentThatIsKilledMeanwhileStartsItsPodsOnceTheirPluginIsBack() throws Exception {
    plugin.hangAt(Call.ALLOCATE);
    CompletableFuture<JsonNode> answer = stuck("train");
    agent.kill();
    assertThat(answer).failsWithin(SOON);
    plugin.close();
    agent.startAgain();
    assertThat(agent.container("train", "app").path("cpus").asString()).isEqualTo("1");
    register();
    RealAgent.await(
        "it to run", () -> agent.ask("GET", "/log/train", "").equals("DEVICES=gpu-0\n"));
    removeSoon("train");
    assertNothingIsLeft("train");
  }

  @Test
  void anAgentThatEndsMeanwhileEndsAtOnceAndDecidesNothing() throws Exception {
    plugin.hangAt(Call.PRE_START);
    assertThat(outcome(stuck("train").get(6, TimeUnit.SECONDS))).isEqualTo("admitted");
    long began = System.nanoTime();
    agent.end();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON);
    assertThat(Files.readString(agent.log())).doesNotContain("ended train");
    plugin.close();
    agent.startAgain();
    assertThat(agent.container("train", "app").path("cpus").asString()).isEqualTo("1");
    removeSoon("train");
    register();
    assertNothingIsLeft("train");
    assertNeverStarted("train");
  }

  /** What the agent answers to a process that wants to become a command. */
  private CompletableFuture<String> run(Process command, long wait) {
    String body =
        """
        {"pid": %d, "wait": %d, "pod": {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "job"}, "spec": {"containers": [{"name": "app", "command": ["x"],
          "resources": {"limits": {"cpu": 1, "memory": "64Mi", "vendor.example/gpu": 1}}}]}}}
        """
            .formatted(command.pid(), wait);
    return CompletableFuture.supplyAsync(() -> {
      try {
        return agent.ask("POST", "/run", body);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
  }

  @Test
  void aCommandThatEndsWhileItsPluginHangsGivesBackWhatWasHeldForIt() throws Exception {
    plugin.hangAt(Call.ALLOCATE);
    Process command = new ProcessBuilder("sleep", "1000").start();
    try {
      CompletableFuture<String> answer = run(command, 0);
      RealAgent.await("the plugin to be asked", () -> plugin.unanswered() == 1);
      assertOthersGoOn("job");
      command.destroyForcibly().waitFor();
      assertThat(answer.get(6, TimeUnit.SECONDS)).contains("\"reason\":\"Removed\"");
      plugin.answerLate();
      assertNothingIsLeft("job");
      assertNeverStarted("job");
    } finally {
      command.destroyForcibly().waitFor();
    }
  }

  @Test
  void aCommandMayBeginWhenItsPluginsAreReady() throws Exception {
    plugin.hangAt(Call.PRE_START);
    Process command = new ProcessBuilder("sleep", "1000").start();
    try {
      CompletableFuture<String> answer = run(command, 0);
      RealAgent.await("the plugin to be asked", () -> plugin.unanswered() == 1);
      CompletableFuture<String> again = run(command, 0);
      assertOthersGoOn("job");
      assertThat(answer).isNotDone();
      plugin.answerLate();
      assertThat(answer.get(6, TimeUnit.SECONDS)).contains("\"DEVICES\":\"gpu-0\"");
      assertThat(again.get(6, TimeUnit.SECONDS)).contains("\"DEVICES\":\"gpu-0\"");
    } finally {
      command.destroyForcibly().waitFor();
    }
  }

  @Test
  void aCommandThatWaitsAsksAPluginThatRefusesLessAndLessOften() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    plugin.handsOn(answer -> {
      asked.incrementAndGet();
      return answer.putEnvs("NO=NAME", "");
    });
    Process command = new ProcessBuilder("sleep", "1000").start();
    try {
      long began = System.nanoTime();
      CompletableFuture<String> answer = run(command, 60_000);
      RealAgent.await("the plugin to be asked again", () -> asked.get() >= 3);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(3));
      assertThat(answer).isNotDone();
      assertThat(agent.ask("GET", "/events", ""))
          .as("it is told once")
          .containsOnlyOnce("\"refused\",\"pod\":\"job");
      plugin.handsOn(UnaryOperator.identity());
      assertThat(answer.get(15, TimeUnit.SECONDS)).contains("\"DEVICES\":\"gpu-0\"");
    } finally {
      command.destroyForcibly().waitFor();
    }
  }

  @Test
  void aCommandThatWaitsAndIsRemovedWhileItsPluginHangsDoesNotComeBack() throws Exception {
    plugin.hangAt(Call.ALLOCATE);
    Process command = new ProcessBuilder("sleep", "1000").start();
    try {
      CompletableFuture<String> answer = run(command, 60_000);
      RealAgent.await("the plugin to be asked", () -> plugin.unanswered() == 1);
      removeSoon("job");
      assertThat(answer.get(6, TimeUnit.SECONDS)).contains("\"reason\":\"Removed\"");
      plugin.answerLate();
      assertNothingIsLeft("job");
    } finally {
      command.destroyForcibly().waitFor();
    }
  }

  /** Its plugin comes late, and refuses it first. */
  @Test
  void aCommandThatAsksTheNextAgentAgainBeginsOnceItsPluginIsBackAndReady() throws Exception {
    plugin.hangAt(Call.ALLOCATE);
    Process command = new ProcessBuilder("sleep", "1000").start();
    try {
      CompletableFuture<String> lost = run(command, 60_000);
      RealAgent.await("the plugin to be asked", () -> plugin.unanswered() == 1);
      agent.kill();
      assertThat(lost).failsWithin(SOON);
      plugin.close();
      agent.startAgain();
      CompletableFuture<String> answer = run(command, 60_000);
      AtomicInteger asked = new AtomicInteger();
      register(refused -> {
        asked.incrementAndGet();
        return refused.putEnvs("NO=NAME", "");
      });
      RealAgent.await("the plugin to be asked", () -> asked.get() > 0);
      plugin.handsOn(UnaryOperator.identity());
      assertThat(answer.get(15, TimeUnit.SECONDS)).contains("\"DEVICES\":\"gpu-0\"");
    } finally {
      command.destroyForcibly().waitFor();
    }
  }

  @Test
  void whatIsStartedOnceOnlyWaitsForItsPluginAfterTheAgentWasKilled() throws Exception {
    plugin.hangAt(Call.PRE_START);
    String once = sleeper("train", ASKS).replace("spec:\n", "spec:\n  restartPolicy: Never\n");
    assertThat(outcome(stuckPod(once).get(6, TimeUnit.SECONDS))).isEqualTo("admitted");
    agent.kill();
    plugin.close();
    agent.startAgain();
    RealAgent.await("it to be about to start", () -> state("train").equals("starting"));
    Thread.sleep(1_000);
    assertThat(state("train")).isEqualTo("starting");
    register();
    RealAgent.await(
        "it to run", () -> agent.ask("GET", "/log/train", "").equals("DEVICES=gpu-0\n"));
  }

  @Test
  @Tag("long")
  void oneThatHangsInPreStartFailsTheStartAfterItsTime() throws Exception {
    plugin.hangAt(Call.PRE_START);
    assertThat(outcome(stuck("train").get(6, TimeUnit.SECONDS))).isEqualTo("admitted");
    long until = System.nanoTime() + Duration.ofSeconds(45).toNanos();
    while (!agent.ask("GET", "/events", "").contains("expected readiness for a start, found ")) {
      assertThat(System.nanoTime()).isLessThan(until);
      assertOthersGoOn("train");
    }
    plugin.answerLate();
    RealAgent.await("it to run", () -> agent.container("train", "app").has("pid"));
  }
}
