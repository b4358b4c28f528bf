package dev.berth.agent;

import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.linux.ResumeLatency;
import dev.berth.start.RealIdleStates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** CPUs of this machine that stay awake, by the kernel's own files. */
@Tag("slow")
@ExtendWith(RealIdleStates.class)
class AwakeAgentTest {
  private static final ResumeLatency KERNEL = ResumeLatency.here();

  @TempDir private Path folder;
  private final TreeMap<Integer, String> before = new TreeMap<>();
  private RealAgent agent;

  @BeforeEach
  void start() throws IOException {
    RealAgent.assumeRealGroups();
    RealIdleStates.assumeThere();
    for (int cpu = 0; cpu < 2; cpu++) {
      before.put(cpu, KERNEL.read(cpu));
      KERNEL.write(cpu, ResumeLatency.ANY);
    }
    agent = RealAgent.start(folder, "--cpu-manager-reconcile-period", "300ms");
  }

  @AfterEach
  void stop() throws IOException {
    if (agent != null) {
      agent.close();
    }
    for (Map.Entry<Integer, String> one : before.entrySet()) {
      KERNEL.write(one.getKey(), one.getValue());
    }
  }

  private static String awake(String name, String word, String... command) {
    return pod(name, guaranteed(1), command)
        .replace(
            "{name: " + name + "}",
            "{name: " + name + ", annotations: {cpus.berth.dev/awake: '" + word + "'}}");
  }

  private int admitted(String name, String yaml) throws IOException {
    JsonNode answer = agent.apply(yaml).get(0);
    assertThat(answer.path("outcome").asString()).as(answer.toString()).isEqualTo("admitted");
    return CpuSet.parse(agent.container(name, "app").path("cpus").asString()).first();
  }

  @Test
  void aPodsCpuIsAwakeBeforeItsFirstInstructionAndAsItWasAfterIt() throws Exception {
    Path seen = folder.resolve("seen");
    int cpu =
        admitted(
            "db",
            awake(
                "db",
                "true",
                "sh",
                "-c",
                "cat /sys/devices/system/cpu/cpu$BERTH_CPUS/power/pm_qos_resume_latency_us >"
                    + seen
                    + "; exec sleep 1000"));
    await("it to run", () -> Files.exists(seen) && Files.size(seen) > 0);
    assertThat(seen).hasContent("n/a");
    assertThat(agent.container("db", "app").path("awake").asBoolean(false)).isTrue();
    assertThat(agent.status().path("caution").asString()).isEmpty();
    assertThat(KERNEL.read(cpu == 0 ? 1 : 0)).isEqualTo("0");
    agent.remove("db");
    assertThat(KERNEL.read(cpu)).isEqualTo("0");
    assertThat(agent.state().resolve("berth_awake")).doesNotExist();
  }

  @Test
  void whoDoesNotAskForItSleeps() throws IOException {
    for (String yaml :
        new String[] {
          pod("db", guaranteed(1), "sleep", "1000"), awake("db", "false", "sleep", "1000")
        }) {
      int cpu = admitted("db", yaml);
      assertThat(KERNEL.read(cpu)).isEqualTo("0");
      assertThat(agent.container("db", "app").has("awake")).isFalse();
      agent.remove("db");
    }
  }

  @Test
  void refusesAnotherWordInOneLine() throws IOException {
    assertThat(agent.ask("POST", "/pods?source=pods.yaml", awake("db", "maybe", "sleep", "1")))
        .isEqualTo(
            "pods.yaml:3: metadata.annotations.cpus.berth.dev/awake: expected true or false, found"
                + " \"maybe\"\n");
  }

  @Test
  void whatWasSetBeforeIsThereAgain() throws IOException {
    KERNEL.write(0, "20");
    KERNEL.write(1, "20");
    int cpu = admitted("db", awake("db", "true", "sleep", "1000"));
    assertThat(KERNEL.read(cpu)).isEqualTo("n/a");
    agent.remove("db");
    assertThat(KERNEL.read(cpu)).isEqualTo("20");
  }

  @Test
  void goesWithItsPodToAnotherCpu() throws Exception {
    Path config = Files.writeString(folder.resolve("c.yaml"), "reservedSystemCPUs: '0'\n");
    agent.end();
    agent.flags("--config", config.toString());
    agent.startAgain();
    assertThat(admitted("db", awake("db", "true", "sleep", "1000"))).isEqualTo(1);
    assertThat(KERNEL.read(0) + " " + KERNEL.read(1)).isEqualTo("0 n/a");
    Files.writeString(config, "reservedSystemCPUs: '1'\n");
    agent.ask("POST", "/reload", "");
    assertThat(agent.container("db", "app").path("cpus").asString()).isEqualTo("0");
    assertThat(KERNEL.read(0) + " " + KERNEL.read(1)).isEqualTo("n/a 0");
    agent.remove("db");
  }

  @Test
  void repairsWhatAnotherChanged() throws IOException {
    int cpu = admitted("db", awake("db", "true", "sleep", "1000"));
    KERNEL.write(cpu, "0");
    await("it to be awake again", () -> KERNEL.read(cpu).equals("n/a"));
    await("it to be told", () -> agent.ask("GET", "/events", "").contains("\"repaired\""));
  }

  @Test
  void oneThatIsKilledLosesNothing() throws Exception {
    int cpu = admitted("db", awake("db", "true", "sleep", "1000"));
    agent.kill();
    assertThat(KERNEL.read(cpu)).as("its container runs on").isEqualTo("n/a");
    agent.startAgain();
    assertThat(KERNEL.read(cpu)).isEqualTo("n/a");
    await("it to be seen", () -> agent.container("db", "app").has("pid"));
    long pid = agent.container("db", "app").path("pid").asLong();
    agent.kill();
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    agent.startAgain();
    agent.remove("db");
    assertThat(KERNEL.read(cpu)).isEqualTo("0");
  }

  @Test
  void theNextAgentGivesBackWhatNobodyNeedsAnyMore() throws Exception {
    String once =
        awake("job", "true", "sleep", "1000").replace("spec:", "spec:\n  restartPolicy: Never");
    int cpu = admitted("job", once);
    await("it to run", () -> agent.container("job", "app").has("pid"));
    long pid = agent.container("job", "app").path("pid").asLong();
    agent.kill();
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    assertThat(KERNEL.read(cpu)).isEqualTo("n/a");
    agent.startAgain();
    await("it to be given back", () -> KERNEL.read(cpu).equals("0"));
  }

  @Test
  void oneThatEndsKeepsAwakeWhatRunsOn() throws Exception {
    int cpu = admitted("db", awake("db", "true", "sleep", "1000"));
    agent.end();
    assertThat(KERNEL.read(cpu)).isEqualTo("n/a");
    agent.startAgain();
    agent.remove("db");
    agent.end();
    assertThat(KERNEL.read(cpu)).isEqualTo("0");
  }

  @Test
  void oneThatPretendsTouchesNothing() throws Exception {
    agent.end();
    agent.flags("--dry-run");
    agent.startAgain();
    int cpu = admitted("db", awake("db", "true", "sleep", "1000"));
    assertThat(KERNEL.read(cpu)).isEqualTo("0");
    assertThat(agent.state().resolve("berth_awake")).doesNotExist();
  }
}
