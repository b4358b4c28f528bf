package dev.berth.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cpu.CpuSet;
import dev.berth.linux.Company;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes in real cpusets of version 1. What counts as the topmost one is a cpuset of the
 * test's own, so that nobody else is moved.
 */
class BystandersTest {
  private static final Path PROC = Path.of("/proc");
  private static final Path CPUSETS = Path.of("/sys/fs/cgroup/cpuset");

  private final Path top = CPUSETS.resolve("berth-top-" + ProcessHandle.current().pid());
  private final Bystanders bystanders = new Bystanders(PROC, top, "own", Company::isFixed);
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void makeTop() throws IOException {
    assumeTrue(Files.isWritable(CPUSETS), "needs root and cgroup v1");
    assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "needs two CPUs");
    make(top, "0-1");
  }

  /** What a process has started may need a moment until it is gone. */
  @AfterEach
  void removeAll() throws IOException, InterruptedException {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
    for (String group :
        List.of("own-others/theirs", "own-others", "own/pod", "own", "far/pod", "far", "")) {
      remove(top.resolve(group));
    }
  }

  private static void remove(Path group) throws IOException, InterruptedException {
    for (int attempt = 0; Files.isDirectory(group) && attempt < 500; attempt++) {
      for (String process : Files.readAllLines(group.resolve("cgroup.procs"))) {
        ProcessHandle.of(Long.parseLong(process)).ifPresent(ProcessHandle::destroyForcibly);
      }
      if (group.toFile().delete()) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThat(group).doesNotExist();
  }

  private static void make(Path group, String cpus) throws IOException {
    Files.createDirectory(group);
    Files.writeString(group.resolve("cpuset.mems"), "0");
    Files.writeString(group.resolve("cpuset.cpus"), cpus);
  }

  /** Starts a shell in a group, which runs a command there. */
  private Process start(Path group, String command) throws IOException {
    String join = "echo 0 > " + group + "/cgroup.procs && echo && ";
    Process process = new ProcessBuilder("sh", "-c", join + command).start();
    started.add(process);
    assertThat(process.getInputStream().read()).isEqualTo('\n');
    return process;
  }

  private static String allowed(Process process) throws IOException {
    return RealGroups.allowed(process.pid());
  }

  @Test
  void whoMayRunAnywhereRunsElsewhereAndWhatItStartsToo() throws Exception {
    Process one = start(top, "read line; sleep 60 & echo $!; wait");
    assertThat(bystanders.keepOff(CpuSet.of(1))).isTrue();
    assertThat(allowed(one)).isEqualTo("0");
    one.outputWriter().write("go\n");
    one.outputWriter().flush();
    long child = Long.parseLong(one.inputReader().readLine());
    assertThat(RealGroups.allowed(child)).isEqualTo("0");
    assertThat(bystanders.keptOff()).isEqualTo(CpuSet.of(1));
    assertThat(bystanders.intruders(CpuSet.of(1), true)).isEmpty();

    assertThat(bystanders.keepOff(CpuSet.of(0))).isTrue();
    assertThat(allowed(one)).isEqualTo("1");
    assertThat(bystanders.keepOff(CpuSet.of(0))).as("as it was").isFalse();

    assertThat(bystanders.keepOff(CpuSet.EMPTY)).isTrue();
    assertThat(allowed(one)).isEqualTo("0-1");
    assertThat(RealGroups.allowed(child)).isEqualTo("0-1");
    assertThat(top.resolve("own-others")).doesNotExist();
    assertThat(bystanders.keptOff().isEmpty()).isTrue();
    assertThat(bystanders.keepOff(CpuSet.EMPTY)).isFalse();
    assertThat(ProcessHandle.of(child).orElseThrow().destroyForcibly()).isTrue();
  }

  @Test
  void whomSomebodyHasBoundStaysBoundAndIsNamed() throws Exception {
    Process there = start(top, "exec taskset -c 1 sleep 60");
    Process elsewhere = start(top, "exec taskset -c 0 sleep 60");
    awaitBound(there, "1");
    awaitBound(elsewhere, "0");
    bystanders.keepOff(CpuSet.of(1));
    assertThat(allowed(there)).isEqualTo("1");
    assertThat(bystanders.intruders(CpuSet.of(1), true))
        .containsExactly("thread " + there.pid() + " (sleep)");
    bystanders.keepOff(CpuSet.EMPTY);
    assertThat(allowed(there)).isEqualTo("1");
    assertThat(allowed(elsewhere)).isEqualTo("0");
  }

  /** Bound is a process before it becomes {@code sleep}. */
  private static void awaitBound(Process process, String cpus) throws Exception {
    Path comm = PROC.resolve(process.pid() + "/comm");
    for (int i = 0; i < 200 && !Files.readString(comm).equals("sleep\n"); i++) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(allowed(process)).isEqualTo(cpus);
  }

  @Test
  void groupsOfOthersAreNamedAndNotTouched() throws Exception {
    make(top.resolve("far"), "0-1");
    make(top.resolve("far/pod"), "0-1");
    make(top.resolve("own"), "0-1");
    make(top.resolve("own/pod"), "1");
    Process far = start(top.resolve("far/pod"), "exec sleep 60");
    Process own = start(top.resolve("own/pod"), "exec sleep 60");
    bystanders.keepOff(CpuSet.of(1));
    assertThat(allowed(far)).isEqualTo("0-1");
    assertThat(allowed(own)).isEqualTo("1");
    assertThat(bystanders.intruders(CpuSet.of(1), true)).containsExactly("group far/pod");
    Files.writeString(top.resolve("far/pod/cpuset.cpus"), "1");
    assertThat(bystanders.intruders(CpuSet.of(1), true)).containsExactly("group far/pod");
    assertThat(bystanders.intruders(CpuSet.of(1), false)).as("those of a runtime").isEmpty();
  }

  @Test
  void whoMayAlsoRunOnCpusThatAreNotThereYetMayRunAnywhere(@TempDir Path proc) throws Exception {
    Process one = start(top, "exec sleep 60");
    Path own = Files.createDirectory(proc.resolve(String.valueOf(one.pid())));
    Files.writeString(own.resolve("status"), "Name:\tsleep\nCpus_allowed_list:\t0-127\n");
    new Bystanders(proc, top, "own", Company::isFixed).keepOff(CpuSet.of(1));
    assertThat(allowed(one)).isEqualTo("0");
  }

  @Test
  void whoStartsOthersAllTheTimeIsLetGoWithAllOfThem() throws Exception {
    Process busy = start(top, "while :; do sleep 0.001 & sleep 0.001; done");
    for (int round = 0; round < 5; round++) {
      bystanders.keepOff(CpuSet.of(1));
      assertThat(allowed(busy)).isEqualTo("0");
      bystanders.keepOff(CpuSet.EMPTY);
      assertThat(allowed(busy)).isEqualTo("0-1");
      assertThat(top.resolve("own-others")).doesNotExist();
    }
  }

  @Test
  void groupsThatOthersHaveMadeBelowAreInNobodysWay() throws Exception {
    Process one = start(top, "exec sleep 60");
    bystanders.keepOff(CpuSet.of(1));
    Path below = top.resolve("own-others/theirs");
    make(below, "0");
    assertThat(bystanders.keepOff(CpuSet.EMPTY)).isTrue();
    assertThat(allowed(one)).isEqualTo("0-1");
    assertThat(bystanders.keptOff().isEmpty()).isTrue();
    assertThat(bystanders.keepOff(CpuSet.EMPTY)).as("nothing is left to do").isFalse();
    Files.delete(below);
    bystanders.keepOff(CpuSet.EMPTY);
    assertThat(top.resolve("own-others")).doesNotExist();
  }

  @Test
  void somebodyHasToHaveACpu() throws Exception {
    Process one = start(top, "exec sleep 60");
    assertThatThrownBy(() -> bystanders.keepOff(CpuSet.of(0, 1)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            top + "/own-others: expected a CPU for everybody else, found that none is left");
    assertThat(allowed(one)).isEqualTo("0-1");
    assertThat(top.resolve("own-others")).doesNotExist();
  }

  @Test
  void theNextOneFindsWhatOneBeforeItHasLeft() throws Exception {
    Process one = start(top, "exec sleep 60");
    bystanders.keepOff(CpuSet.of(1));
    Bystanders next = new Bystanders(PROC, top, "own", Company::isFixed);
    assertThat(next.keptOff()).isEqualTo(CpuSet.of(1));
    assertThat(next.keepOff(CpuSet.of(1))).isFalse();
    Files.writeString(top.resolve("own-others/cpuset.cpus"), "0-1");
    assertThat(next.keepOff(CpuSet.of(1))).as("somebody changed it").isTrue();
    assertThat(allowed(one)).isEqualTo("0");
    next.keepOff(CpuSet.EMPTY);
    assertThat(allowed(one)).isEqualTo("0-1");
  }

  @Test
  void saysInALineWhereTheyCannotBeMoved(@TempDir Path machine) throws IOException {
    Path self = Files.createDirectories(machine.resolve("proc/self"));
    Files.writeString(
        self.resolve("mountinfo"), "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    assertThatThrownBy(() -> Bystanders.find(machine, "own", Company::isFixed))
        .isInstanceOf(IOException.class)
        .hasMessage("expected cpusets of cgroup v1, or berth.partition: isolated, found none");
    Files.writeString(
        self.resolve("mountinfo"),
        "30 23 0:26 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n");
    assertThatThrownBy(() -> Bystanders.find(machine, "own", Company::isFixed))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "expected to be allowed to write "
                + machine.resolve("sys/fs/cgroup/cpuset")
                + ", found that it is not");
  }
}
