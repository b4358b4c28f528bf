package dev.berth.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementTest {
  private static final long PROCESS = 17;

  @TempDir private Path machine;

  private void write(String file, String text) throws IOException {
    Path path = machine.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  private void mounted(String... lines) throws IOException {
    write("proc/self/mountinfo", String.join("\n", lines));
  }

  @Test
  void separateTreesAreReadEachInItsOwn() throws IOException {
    mounted(
        "30 24 0:26 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct",
        "31 24 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset");
    write("proc/17/cgroup", "5:cpuset:/pods/a\n4:cpu,cpuacct:/pods/b");
    write("sys/fs/cgroup/cpuset/pods/a/cpuset.cpus", "2-3");
    write("sys/fs/cgroup/cpuset/pods/a/cpuset.mems", "0");
    write("sys/fs/cgroup/cpu,cpuacct/pods/b/cpu.cfs_quota_us", "50000");
    Placement.Finder finder = Placement.Finder.below(machine);
    assertThat(finder.group(PROCESS).flatMap(Placement::read))
        .hasValue(new Placement(CpuSet.parse("2-3"), NodeSet.of(0)));
    assertThat(finder.quota(PROCESS)).isEqualTo(OptionalLong.of(50_000));
    write("sys/fs/cgroup/cpu,cpuacct/pods/b/cpu.cfs_quota_us", "-1");
    assertThat(finder.quota(PROCESS)).isEqualTo(OptionalLong.of(-1));
  }

  @Test
  void theProcessesOfAContainerAreFoundByWhatTheMakerOfItsGroupWasTold() throws IOException {
    mounted(
        "30 24 0:26 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct",
        "31 24 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset");
    write("sys/fs/cgroup/cpuset/cgroup.procs", "1");
    write("sys/fs/cgroup/cpuset/kubepods/podx/crio-a/cgroup.procs", "17\n18");
    Placement.Finder finder = Placement.Finder.below(machine);
    assertThat(finder.processes("/kubepods/podx/crio-a")).containsExactly(17L, 18L);
    assertThat(finder.processes("/kubepods/podx/crio-b")).isEmpty();
    assertThat(finder.processes("")).as("not everybody").isEmpty();
    assertThat(finder.processes("/kubepods/../..")).as("not everybody").isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "kubepods-burstable-podx.slice:crio:a, kubepods.slice/kubepods-burstable.slice"
        + "/kubepods-burstable-podx.slice/crio-a.scope",
    "kubepods-podx.slice:crio:a, kubepods.slice/kubepods-podx.slice/crio-a.scope/container",
    ":crio:a, system.slice/crio-a.scope",
    "-.slice:crio:a, crio-a.scope",
  })
  void aGroupThatSystemdMakesLiesInItsSlices(String told, String group) throws IOException {
    mounted("30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
    write("sys/fs/cgroup/" + group + "/cgroup.procs", "17");
    assertThat(Placement.Finder.below(machine).processes(told)).containsExactly(PROCESS);
  }

  @Test
  void aGroupOutsideOfWhatIsMountedHasNoProcesses() throws IOException {
    mounted("30 24 0:26 /ours /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
    write("sys/fs/cgroup/cgroup.procs", "1");
    assertThat(Placement.Finder.below(machine).processes("/kubepods/podx/crio-a")).isEmpty();
  }

  @Test
  void theUnifiedTreeHasBoth() throws IOException {
    mounted("30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
    write("proc/17/cgroup", "0::/pods/a");
    write("sys/fs/cgroup/pods/a/cpuset.cpus", "");
    write("sys/fs/cgroup/pods/a/cpuset.mems", "1");
    write("sys/fs/cgroup/pods/a/cpu.max", "max 100000");
    Placement.Finder finder = Placement.Finder.below(machine);
    assertThat(finder.group(PROCESS).flatMap(Placement::read))
        .hasValue(new Placement(CpuSet.EMPTY, NodeSet.of(1)));
    assertThat(finder.quota(PROCESS)).isEqualTo(OptionalLong.of(-1));
    write("sys/fs/cgroup/pods/a/cpu.max", "25000 100000");
    assertThat(finder.quota(PROCESS)).isEqualTo(OptionalLong.of(25_000));
  }

  @Test
  void whatCannotBeSeenIsNotKnown() throws IOException {
    assertThat(Placement.Finder.below(machine).quota(PROCESS)).isEmpty();
    mounted("30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
    assertThat(Placement.Finder.below(machine).group(PROCESS)).isEmpty();
    write("proc/17/cgroup", "0::/gone");
    assertThat(Placement.Finder.below(machine).quota(PROCESS)).isEmpty();
    write("sys/fs/cgroup/gone/cpu.max", "nonsense");
    assertThat(Placement.Finder.below(machine).quota(PROCESS)).isEmpty();
  }
}
