package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cgroup.Bystanders;
import dev.berth.cpu.CpuSet;
import dev.berth.linux.Company;
import dev.berth.linux.Posix;
import dev.berth.start.BerthJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** {@code berth demo} as people run it: everybody else on this machine makes way for its probe. */
@Tag("slow")
@Tag("alone")
class UndisturbedDemoTest {
  private static final Path CPUSETS = Path.of("/sys/fs/cgroup/cpuset");

  @TempDir private Path folder;
  private final String cgroup = "berth-demo-" + ProcessHandle.current().pid();
  private @Nullable Process demo;
  private CpuSet everywhere;

  @BeforeEach
  void needsGroups() throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root for cgroups");
    assumeTrue(Files.isDirectory(CPUSETS), "needs cgroup v1");
    assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "needs two CPUs");
    everywhere = Posix.affinity(0);
  }

  @AfterEach
  void end() throws IOException, InterruptedException {
    if (demo != null) {
      demo.destroyForcibly().waitFor();
    }
    Bystanders.find(cgroup, Company::isFixed).keepOff(CpuSet.EMPTY);
  }

  private Process begin(String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of("env", "--default-signal"));
    words.addAll(BerthJvm.words(BerthJvm.SHORT));
    words.addAll(List.of("demo", "--socket", folder.resolve("s").toString()));
    words.addAll(List.of("--state", folder.resolve("state").toString(), "--cgroup", cgroup));
    words.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(words).redirectError(folder.resolve("err").toFile()).start();
    demo = process;
    return process;
  }

  private void assertEverybodyMayRunAnywhere() throws IOException {
    assertThat(Posix.affinity(0)).isEqualTo(everywhere);
    assertThat(Posix.affinity(ProcessHandle.current().pid())).isEqualTo(everywhere);
    assertThat(CPUSETS.resolve(cgroup + "-others")).doesNotExist();
    assertThat(CPUSETS.resolve(cgroup)).doesNotExist();
  }

  @Test
  void theKernelSaysThatNobodyElseMayRunThereAndLaterThatEverybodyMay() throws Exception {
    Process process = begin("--seconds", "1", "-o", "json");
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(folder.resolve("err"))).isZero();
    JsonNode json = new ObjectMapper().readTree(out);
    assertThat(json.path("undisturbed").asBoolean(false)).isTrue();
    assertEverybodyMayRunAnywhere();
  }

  @Test
  void anInterruptionInTheMiddleLeavesNobodyWhereItWasPut() throws Exception {
    Process process = begin("--seconds", "60");
    long self = ProcessHandle.current().pid();
    for (int i = 0; i < 2_400 && Posix.affinity(self).equals(everywhere); i++) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    assertThat(Posix.affinity(self)).isNotEqualTo(everywhere);
    Posix.kill(process.pid(), 2);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertEverybodyMayRunAnywhere();
  }
}
