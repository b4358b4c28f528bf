package dev.berth.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cpu.CpuSet;
import dev.berth.linux.Affinity;
import dev.berth.linux.ProcessId;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whose load it is on a CPU, by the real kernel: two processes keep one CPU busy together. */
@Tag("slow")
class OwnerLoadTest {
  private static final Path CPUSET = Path.of("/sys/fs/cgroup/cpuset");
  private static final CpuSet CPU = CpuSet.of(0);
  private static final Machine MACHINE = Machines.parse("pack:1 core:1 pu:1");
  private static final int PATIENCE = 600;

  private final List<Process> started = new ArrayList<>();
  private final Path group = CPUSET.resolve("berth-load-" + ProcessHandle.current().pid());

  @AfterEach
  void clear() throws IOException, InterruptedException {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    for (int i = 0; i < PATIENCE && Files.exists(group); i++) {
      if (Files.readString(group.resolve("cgroup.procs")).isEmpty()) {
        Files.delete(group);
      } else {
        Thread.sleep(100);
      }
    }
  }

  /** Runs for ever on the one CPU. */
  private long busy(String script) throws IOException {
    Process process = new ProcessBuilder("sh", "-c", script).start();
    started.add(process);
    Affinity.apply(ProcessId.of(process.pid()).orElseThrow(), CPU);
    return process.pid();
  }

  private static News.Seen seen(long process) {
    PodLine pod =
        new PodLine("u", "pod", "Guaranteed", CPU, CPU, List.of(process), "0", "running", false);
    Status status =
        new Status("m", "static", CPU, CpuSet.EMPTY, CpuSet.EMPTY, List.of(pod), "", List.of());
    return new News.Seen(MACHINE, status, true, ProcessHandle.current().pid());
  }

  /** Until it is so: a host may take the CPU from both for a while. */
  private static Load measured(long process, Predicate<Load> wanted) throws InterruptedException {
    LoadMeter meter = LoadMeter.here();
    Load load = meter.measure(Optional.of(seen(process)));
    for (int i = 0; i < PATIENCE && !wanted.test(load); i++) {
      Thread.sleep(500);
      load = meter.measure(Optional.of(seen(process)));
    }
    assertThat(load).matches(wanted);
    return load;
  }

  private static int own(Load load) {
    return load.ofOwner("u", CPU).orElse(-1);
  }

  private static int other(Load load) {
    OptionalInt busy = load.of(CPU);
    return busy.isPresent() ? busy.getAsInt() - own(load) : -1;
  }

  @Test
  void tellsTheOwnersPartFromThatOfAnother() throws Exception {
    long owner = busy("while :; do :; done");
    busy("while :; do :; done");
    Load load = measured(owner, one -> own(one) > 20 && other(one) > 20);
    assertThat(own(load)).isLessThan(80);
  }

  @Test
  void countsWhatTheFirstProcessStarted() throws Exception {
    long owner = busy("while :; do :; done & wait");
    measured(owner, one -> own(one) > 20);
  }

  @Test
  void saysThatAnIdleOwnerUsesNothing() throws Exception {
    long owner = busy("exec sleep 600");
    busy("while :; do :; done");
    measured(owner, one -> own(one) == 0 && other(one) > 20);
  }

  /** On cgroup v1, those in the group count, whoever started them. */
  @Test
  void countsThoseWhoAreInItsGroup() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root for cgroups");
    assumeTrue(Files.isDirectory(CPUSET), "needs cgroup v1");
    Files.createDirectory(group);
    for (String file : List.of("cpuset.cpus", "cpuset.mems")) {
      Files.writeString(group.resolve(file), Files.readString(CPUSET.resolve(file)));
    }
    long owner = busy("exec sleep 600");
    long beside = busy("while :; do :; done");
    for (long process : List.of(owner, beside)) {
      Files.writeString(group.resolve("cgroup.procs"), String.valueOf(process));
      Affinity.apply(ProcessId.of(process).orElseThrow(), CPU);
    }
    measured(owner, one -> own(one) > 20);
  }
}
