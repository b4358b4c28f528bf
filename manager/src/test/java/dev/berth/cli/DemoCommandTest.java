package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.Posix;
import dev.berth.linux.ResumeLatency;
import dev.berth.start.BerthJvm;
import dev.berth.start.RealIdleStates;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** {@code berth demo} with real processes; what it measures is the machine's affair. */
@Tag("slow")
@ExtendWith(RealIdleStates.class)
class DemoCommandTest {
  private static final int SIGINT = 2;

  @TempDir private Path folder;
  private final String cgroup = "berth-demo-" + ProcessHandle.current().pid();
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void needsGroups() {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root for cgroups");
    assumeTrue(Files.isDirectory(Path.of("/sys/fs/cgroup/cpuset")), "needs cgroup v1");
    assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "needs two CPUs");
  }

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  private Process begin(String... arguments) throws IOException {
    List<String> words = new ArrayList<>(BerthJvm.words(BerthJvm.SHORT));
    words.addAll(List.of("demo", "--socket", folder.resolve("s").toString()));
    words.addAll(List.of("--state", folder.resolve("state").toString(), "--cgroup", cgroup));
    words.addAll(List.of(arguments));
    // Tests that run beside these are not to be kept off a CPU; UndisturbedDemoTest does that.
    words.add("--no-undisturbed");
    // Whoever runs the tests in the background has them ignore Ctrl-C, which everything inherits.
    words.addAll(0, List.of("env", "--default-signal"));
    Process process =
        new ProcessBuilder(words).redirectError(folder.resolve("err").toFile()).start();
    started.add(process);
    return process;
  }

  /** All that belongs to a demonstration: its socket or its pods' name is on it. */
  private List<String> left() {
    String socket = folder.resolve("s").toString();
    String pods = "BERTH_POD=demo-" + started.getFirst().pid() + "-";
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(pid -> text(pid, "cmdline").contains(socket) || text(pid, "environ").contains(pods))
        .map(pid -> pid + " " + text(pid, "cmdline"))
        .toList();
  }

  private static String text(long pid, String file) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/" + file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  private static String latencies() throws IOException {
    ResumeLatency kernel = ResumeLatency.here();
    return Files.exists(kernel.file(1)) ? kernel.read(0) + " " + kernel.read(1) : "";
  }

  private void assertNothingIsLeft() {
    assertThat(left()).isEmpty();
    assertThat(folder.resolve("s")).doesNotExist();
    assertThat(Path.of("/sys/fs/cgroup/cpuset", cgroup)).doesNotExist();
    assertThat(Path.of("/sys/fs/cgroup/cpu", cgroup)).doesNotExist();
  }

  @Test
  void measuresAllThreeAndLeavesNothing() throws Exception {
    String before = latencies();
    Process process = begin("--seconds", "1", "-o", "json");
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(folder.resolve("err"))).isZero();
    assertNothingIsLeft();
    assertThat(latencies()).isEqualTo(before);
    JsonNode json = new ObjectMapper().readTree(out);
    assertThat(json.path("awake").asBoolean(false)).isEqualTo(RealIdleStates.areThere());
    assertThat(json.path("undisturbed").asBoolean(true)).isFalse();
    JsonNode phases = json.path("phases");
    assertThat(phases.path("shared").path("cpus").asString())
        .isEqualTo(phases.path("idle").path("cpus").asString())
        .isNotEqualTo(phases.path("exclusive").path("cpus").asString());
    assertThat(phases.path("exclusive").path("cpus").asString()).matches("[0-9]+");
    assertThat(phases.path("idle").path("requests").asInt()).isEqualTo(8_000);
    for (String phase : List.of("shared", "exclusive")) {
      JsonNode one = phases.path(phase);
      assertThat(one.path("requests").asInt()).isEqualTo(4_000);
      assertThat(one.path("p50").asLong()).isBetween(1L, one.path("max").asLong());
      assertThat(one.path("calm").path("requests").asInt(-1)).isBetween(0, 4_000);
    }
  }

  @Test
  void leavesNothingAfterAnInterruption() throws Exception {
    Process process = begin("--seconds", "60");
    awaitNeighbours();
    assertThat(Path.of("/sys/fs/cgroup/cpuset", cgroup, "pods")).exists();
    Posix.kill(process.pid(), SIGINT);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(130);
    assertNothingIsLeft();
    assertThat(Files.readString(folder.resolve("err"))).isEmpty();
  }

  private void awaitNeighbours() throws InterruptedException {
    boolean run = false;
    for (int i = 0; i < 600 && !run; i++) {
      Thread.sleep(50);
      run = left().stream().anyMatch(line -> line.contains("dev.berth.demo.Neighbour\0stream"));
    }
    assertThat(run).isTrue();
  }

  @Test
  void neighboursEndWithADemonstrationThatWasKilled() throws Exception {
    Process process = begin("--seconds", "60");
    awaitNeighbours();
    process.destroyForcibly().waitFor();
    for (int i = 0; i < 2_000 && !left().isEmpty(); i++) {
      Thread.sleep(10);
    }
    assertNothingIsLeft();
  }

  @Test
  void isRefusedWhereNoCpuIsToBeHad() throws Exception {
    Path config = folder.resolve("none.yaml");
    Files.writeString(config, "cpuManagerPolicy: none\n");
    Process process = begin("--seconds", "1", "--config", config.toString());
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(2);
    assertThat(Files.readString(folder.resolve("err")))
        .contains("expected 1 CPUs for the probe alone")
        .contains("cpuManagerPolicy")
        .hasLineCount(1);
    assertNothingIsLeft();
  }
}
