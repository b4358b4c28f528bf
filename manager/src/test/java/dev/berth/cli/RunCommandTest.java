package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.state.StateFolder;
import dev.berth.linux.ResumeLatency;
import dev.berth.linux.Slice;
import dev.berth.start.BerthJvm;
import dev.berth.start.RealIdleStates;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code berth run} as a process that becomes its command. */
@Tag("slow")
class RunCommandTest {
  private static final int SIGTERM = 15;

  @TempDir private Path folder;
  private final String cgroup = "berth-run-" + ProcessHandle.current().pid();
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void needsGroups() {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root for cgroups");
    assumeTrue(Files.isDirectory(Path.of("/sys/fs/cgroup/cpuset")), "needs cgroup v1");
    assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "needs two CPUs");
  }

  @AfterEach
  void theBroughtAgentEndsWithTheLastCommand() throws InterruptedException, IOException {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
    for (int i = 0; i < 1_500 && Files.exists(folder.resolve("s")); i++) {
      Thread.sleep(10);
    }
    assertThat(folder.resolve("s")).as("the agent's socket").doesNotExist();
    for (int i = 0; i < 500 && Files.exists(Path.of("/sys/fs/cgroup/cpuset", cgroup)); i++) {
      Thread.sleep(10);
    }
    assertThat(Path.of("/sys/fs/cgroup/cpuset", cgroup)).doesNotExist();
  }

  /** The outcome of a command: its code and all it printed. */
  private record Ended(int code, String text) {}

  private Process begin(String... arguments) throws IOException {
    List<String> words = new ArrayList<>(BerthJvm.words(BerthJvm.SHORT));
    words.addAll(List.of("run", "--socket", folder.resolve("s").toString()));
    words.addAll(List.of("--state", folder.resolve("state").toString(), "--cgroup", cgroup));
    words.addAll(List.of(arguments));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    started.add(process);
    return process;
  }

  private static Ended ended(Process process) throws IOException, InterruptedException {
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), text);
  }

  private Ended run(String... arguments) throws IOException, InterruptedException {
    return ended(begin(arguments));
  }

  @Test
  @ExtendWith(RealIdleStates.class)
  void keepsItsCpuAwakeAndLeavesItAsItWas() throws Exception {
    RealIdleStates.assumeThere();
    ResumeLatency kernel = ResumeLatency.here();
    String before = kernel.read(0) + kernel.read(1);
    String file = "/sys/devices/system/cpu/cpu$BERTH_CPUS/power/pm_qos_resume_latency_us";
    Ended ended = run("--awake", "--cpus", "1", "--", "sh", "-c", "cat " + file);
    assertThat(ended.text()).isEqualTo("n/a\n");
    assertThat(ended.code()).isZero();
    theBroughtAgentEndsWithTheLastCommand();
    assertThat(kernel.read(0) + kernel.read(1)).isEqualTo(before);
    assertThat(folder.resolve("state/berth_awake")).doesNotExist();
  }

  @Test
  void becomesTheCommandOnItsOwnCpusWithNothingInstalled() throws Exception {
    Process process =
        begin(
            "--cpus",
            "1",
            "--",
            "sh",
            "-c",
            "grep -E '^(Cpus_allowed_list|Sig(Blk|Ign))' /proc/self/status; echo $BERTH_CPUS"
                + " $OMP_NUM_THREADS $OMP_PLACES $$; exit 42");
    long pid = process.pid();
    Ended ended = ended(process);
    assertThat(ended.code()).isEqualTo(42);
    List<String> lines = ended.text().lines().toList();
    assertThat(lines)
        .contains("SigBlk:\t0000000000000000", "Cpus_allowed_list:\t1", "1 1 {1} " + pid)
        .hasSize(4);
    assertThat(ignored(lines.get(1))).isEqualTo(ignored(plain()));
  }

  @ParameterizedTest
  @CsvSource({"--cpus, 1, true", "--requested-cpus, 1, false"})
  void onlyOneWithACpuOfItsOwnGoesBeforeStrays(String flag, String cpus, boolean first)
      throws Exception {
    OptionalLong usual = Slice.of(0);
    assumeTrue(usual.isPresent(), "needs Linux 6.12 or newer");
    Process process = begin(flag, cpus, "--", "sh", "-c", "echo on; read line");
    assertThat(process.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("on");
    assertThat(Slice.of(process.pid())).hasValue(first ? Slice.SHORT : usual.getAsLong());
    process.getOutputStream().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
  }

  /** What any program finds that is started from here: more is none of our doing. */
  private static String plain() throws IOException, InterruptedException {
    return ended(new ProcessBuilder("grep", "^SigIgn", "/proc/self/status").start()).text();
  }

  /** The signals that are ignored, but for two that the C library keeps to itself. */
  private static long ignored(String line) {
    return Long.parseLong(line.strip().replaceFirst("SigIgn:\t", ""), 16) & Integer.MAX_VALUE;
  }

  @Test
  void aSecondCommandJoinsTheAgentOfTheFirstAndWaitsForRoom() throws Exception {
    Process first = begin("--cpus", "1", "--", "sh", "-c", "echo on; read line; exit 0");
    assertThat(first.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("on");
    Ended refused = run("--cpus", "1", "--", "true");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.text())
        .startsWith("berth: refused: UnexpectedAdmissionError: ")
        .contains("fits if pod default_run-" + first.pid() + " leaves");
    Ended late = run("--cpus", "1", "--wait=300ms", "--", "true");
    assertThat(late.code()).isEqualTo(1);
    Process second = begin("--cpus", "1", "--wait", "--", "sh", "-c", "echo $BERTH_CPUS");
    Thread.sleep(1_500);
    assertThat(second.isAlive()).isTrue();
    first.getOutputStream().close();
    assertThat(ended(second)).isEqualTo(new Ended(0, "1\n"));
  }

  /** So the next command finds the state folder free: the tutorial's is berth agent. */
  @ParameterizedTest
  @CsvSource({"--cpus 1000, 1", "--cpus 1 --device vendor.example/gpu=1, 1", "--name A_B, 2"})
  void theAgentThatWasBroughtEndsWithARefusal(String arguments, int code) throws Exception {
    List<String> words = new ArrayList<>(List.of(arguments.split(" ", -1)));
    words.addAll(List.of("--", "true"));
    Ended refused = run(words.toArray(String[]::new));
    assertThat(refused.code()).as(refused.text()).isEqualTo(code);
    assertThat(folder.resolve("s")).as("the agent's socket").doesNotExist();
    StateFolder.open(folder.resolve("state")).close();
  }

  @Test
  void signalsReachTheCommandItself() throws Exception {
    Process process =
        begin(
            "--cpus",
            "1",
            "--",
            "sh",
            "-c",
            "trap 'echo got it; exit 9' TERM; echo on; while :; do sleep 0.05; done");
    var reader = process.inputReader(StandardCharsets.UTF_8);
    assertThat(reader.readLine()).isEqualTo("on");
    dev.berth.linux.Posix.kill(process.pid(), SIGTERM);
    assertThat(reader.readLine()).isEqualTo("got it");
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(9);
  }

  @Test
  void startsRanksAndEndsWithTheFirstFailure() throws Exception {
    Ended ended =
        run(
            "-n",
            "3",
            "--",
            "sh",
            "-c",
            "echo rank $BERTH_RANK of $BERTH_RANKS on $BERTH_CPUS; exit $BERTH_RANK");
    assertThat(ended.text().lines().sorted())
        .containsExactly("rank 0 of 3 on 0-1", "rank 1 of 3 on 0-1", "rank 2 of 3 on 0-1");
    assertThat(ended.code()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -- no-such-command-here          | 127 | berth: no-such-command-here: command not found
          -- /etc/passwd                   | 126 | berth: /etc/passwd: not a file that can be run
          --cpus x -- true                 | 2   | berth: --cpus: quantity "x"
          --wait=soon -- true              | 2   | berth: --wait "soon": expected a time such as
          -n 0 -- true                     | 2   | berth: -n: expected 1 to 4096, found 0
          --cpus 1                         | 2   | berth: missing required parameter
          --awake -- true                  | 2   | berth: --awake: expected --cpus with a whole number above 0 beside it, found none
          --awake --cpus 0.5 -- true       | 2   | berth: --awake: expected --cpus with a whole number above 0 beside it, found 0.5
          --undisturbed --cpus 0 -- true   | 2   | berth: --undisturbed: expected --cpus with a whole number above 0 beside it, found 0
          --awake --cpus 0 -- true         | 2   | berth: --awake: expected --cpus with a whole number above 0 beside it, found 0
          """)
  void badInputIsOneLine(String arguments, int code, String line) throws Exception {
    Ended ended = run(arguments.split(" ", -1));
    assertThat(ended.code()).isEqualTo(code);
    assertThat(ended.text()).startsWith(line).hasLineCount(1);
  }
}
