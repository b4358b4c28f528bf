package dev.berth.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The system calls, on real processes of this test's own. */
class PosixTest {
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void end() {
    started.stream().flatMap(Process::descendants).forEach(ProcessHandle::destroyForcibly);
    started.forEach(Process::destroyForcibly);
  }

  private Process start(String... command) throws IOException {
    Process process = new ProcessBuilder(command).start();
    started.add(process);
    return process;
  }

  private static ProcessId id(Process process) {
    return ProcessId.of(process.pid()).orElseThrow();
  }

  @Test
  void theAffinityOfAnotherProcessIsSetAndRead() throws IOException {
    Process process = start("sleep", "60");
    CpuSet all = Posix.affinity(process.pid());
    assertThat(all).isEqualTo(Posix.affinity(0));
    CpuSet one = CpuSet.of(all.last());
    Posix.setAffinity(process.pid(), one);
    assertThat(Posix.affinity(process.pid())).isEqualTo(one);
  }

  @Test
  void setsBeyond1024CpusAreUnderstood() throws IOException {
    Process process = start("sleep", "60");
    CpuSet one = CpuSet.of(Posix.affinity(0).first());
    Posix.setAffinity(process.pid(), one.union(CpuSet.of(1_500, 20_000)));
    assertThat(Posix.affinity(process.pid())).isEqualTo(one);
    assertThatThrownBy(() -> Posix.setAffinity(process.pid(), CpuSet.of(20_000)))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("sched_setaffinity of thread \\d+ to CPUs 20000: .+ \\(errno 22\\)");
  }

  @Test
  void anErrorIsOneLineWithTheCallAndTheKernelsWords() {
    assertThatThrownBy(() -> Posix.kill(999_999_999, 0))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("kill 999999999 with signal 0: [^\\n]+ \\(errno 3\\)");
    assertThatThrownBy(() -> Posix.kill(-1, Posix.SIGKILL))
        .hasMessage("kill: expected the number of one process, found -1");
    assertThatThrownBy(() -> Posix.execve("/no/such/program", List.of("x"), List.of()))
        .hasMessageMatching("execve /no/such/program: [^\\n]+ \\(errno 2\\)");
    assertThatThrownBy(() -> Posix.affinity(999_999_999)).hasMessageContaining("errno 3");
  }

  @Test
  void theUserIsTheOneOfTheProcess() throws IOException {
    String uids =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("Uid:"))
            .findFirst()
            .orElseThrow();
    assertThat(Posix.effectiveUser()).isEqualTo(Integer.parseInt(uids.split("\\s+", -1)[2]));
  }

  @Test
  void aSignalReachesTheProcessAndNoneThatOnlyHasItsNumber() throws Exception {
    Process process = start("sleep", "60");
    ProcessId id = id(process);
    ProcessId other = new ProcessId(id.pid(), id.startTicks() + 1);
    assertThat(id.isAlive()).isTrue();
    assertThat(other.isAlive()).isFalse();
    assertThat(other.signal(Posix.SIGKILL)).isFalse();
    assertThat(process.isAlive()).isTrue();

    assertThat(id.signal(Posix.SIGTERM)).isTrue();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(128 + Posix.SIGTERM);
    assertThat(id.isAlive()).isFalse();
    assertThat(id.signal(Posix.SIGTERM)).isFalse();
  }

  @Test
  void aNameOfAnyKindDoesNotConfuse(@TempDir Path folder) throws IOException {
    Path odd = folder.resolve("a) R 1 (b c");
    Files.copy(Path.of("/bin/sleep").toRealPath(), odd);
    assertThat(odd.toFile().setExecutable(true)).isTrue();
    Process process = start(odd.toString(), "60");
    ProcessStat stat = ProcessStat.of(ProcessId.PROC, process.pid()).orElseThrow();
    assertThat(stat.parent()).isEqualTo(ProcessHandle.current().pid());
    assertThat(id(process).isAlive()).isTrue();
    assertThat(ProcessStat.parse(1, "1 (x) S")).isEmpty();
    assertThat(ProcessStat.parse(1, "1 (x)")).isEmpty();
    assertThat(ProcessStat.parse(1, "")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"S,1,true", "R,5,true", "Z,1,false", "Z,2,true", "X,1,false", "X,2,false"})
  void aProcessEndsWithTheLastOfItsThreadsAndNotWithTheFirst(
      char state, int threads, boolean running) {
    String text =
        "7 (a) b) " + state + " 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 " + threads + " 0 99 0 ";
    ProcessStat stat = ProcessStat.parse(7, text).orElseThrow();
    assertThat(stat.startTicks()).isEqualTo(99);
    assertThat(stat.isRunning()).isEqualTo(running);
  }

  @Test
  void affinityReachesAllThatAProcessStarted() throws Exception {
    Process root = start("setsid", "sh", "-c", "sleep 60 & (sleep 60 & sleep 60 &) ; echo; wait");
    assertThat(root.getInputStream().read()).isEqualTo('\n');
    // The shell began a session of its own, and the one between it and two of the sleepers ended.
    ProcessId id = id(root);
    assertThat(ProcessTree.of(id)).hasSize(4);
    CpuSet one = CpuSet.of(Posix.affinity(0).last());
    boolean changes = !Posix.affinity(0).equals(one);

    assertThat(Affinity.apply(id, one)).isEqualTo(changes ? 4 : 0);
    assertThat(Affinity.apply(id, one)).isZero();
    for (long process : ProcessTree.of(id)) {
      assertThat(Posix.affinity(process)).isEqualTo(one);
    }
    for (long process : ProcessTree.of(id)) {
      Posix.kill(process, Posix.SIGKILL);
    }
  }

  @Test
  @Tag("slow")
  void theProgramThatReplacesUsHasOurNumberAndTheCallersAffinity() throws Exception {
    CpuSet one = CpuSet.of(Posix.affinity(0).last());
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Replaced.class.getName(),
                one.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    started.add(process);
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(Set.copyOf(said.lines().toList()))
        .containsExactlyInAnyOrder(
            "pid " + process.pid(),
            "cpus " + one,
            "variable value with spaces",
            "blocked 0000000000000000",
            "descriptors closed");
    assertThat(process.waitFor()).isEqualTo(7);
  }

  /** Pins its own thread and becomes a shell. */
  static final class Replaced {
    private Replaced() {}

    public static void main(String[] arguments) throws IOException {
      Posix.setAffinity(0, CpuSet.parse(arguments[0]));
      Posix.execve(
          "/bin/sh",
          List.of(
              "sh",
              "-c",
              "while read name rest; do case $name in Cpus_allowed_list:) echo cpus $rest;;"
                  + " SigBlk:) echo blocked $rest;; esac; done < /proc/self/status;"
                  + " for file in /proc/self/fd/*; do case $(readlink $file) in"
                  + " */modules) echo open $file;; esac; done; echo descriptors closed;"
                  + " echo pid $$; echo variable $X; exit 7"),
          List.of("X=value with spaces", "PATH=/usr/bin:/bin"));
    }
  }
}
