package dev.berth.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Pretended groups are of version 2, so that its rules of making groups are seen here. */
class DryRunTest {
  private static final GroupPath WEB = GroupPath.of("pods", "web");
  private static final String AT = "/sys/fs/cgroup/berth-pretended";

  private final DryRun run =
      Cgroups.dryRun("berth-pretended", CpuSet.range(0, 511), NodeSet.of(0, 1));
  private final Cgroups cgroups = run.cgroups();

  private static SortedMap<GroupPath, Settings> wanted(Settings settings) {
    SortedMap<GroupPath, Settings> wanted = new TreeMap<>();
    wanted.put(WEB, settings);
    return wanted;
  }

  @Test
  void saysWhatItWouldDoAndDoesNothing() {
    Settings settings = Settings.NONE.withCpus(CpuSet.of(400, 401)).withMemory(Limit.of(8_192));
    Changes changes = cgroups.apply(wanted(settings));

    assertThat(changes.failures()).isEmpty();
    assertThat(run.takeLines())
        .containsSubsequence(
            "would make " + AT,
            "would write +cpuset to /sys/fs/cgroup/cgroup.subtree_control",
            "would make " + AT + "/pods",
            "would write +cpuset to " + AT + "/cgroup.subtree_control",
            "would make " + AT + "/pods/web",
            "would write +memory to " + AT + "/pods/cgroup.subtree_control",
            "would write 400-401 to " + AT + "/pods/web/cpuset.cpus",
            "would write 8192 to " + AT + "/pods/web/memory.max");
    assertThat(Files.exists(Path.of(AT))).isFalse();
    assertThat(Files.exists(Path.of("/sys/fs/cgroup/cpuset/berth-pretended"))).isFalse();
  }

  @Test
  void remembersWhatItWouldHaveDone() {
    Settings settings =
        Settings.NONE
            .withCpus(CpuSet.of(7))
            .withWeight(1_024)
            .withQuota(Quota.unlimited())
            .withHugepages(2 << 20, Limit.of(4 << 20))
            .withPartition(Partition.ISOLATED);
    cgroups.apply(wanted(settings));
    run.takeLines();
    assertThat(cgroups.reconcile(wanted(settings))).isEqualTo(Changes.NONE);
    assertThat(cgroups.apply(wanted(settings))).isEqualTo(Changes.NONE);
    assertThat(run.takeLines()).isEmpty();
    assertThat(cgroups.groups()).containsExactly(WEB.parent(), WEB);

    assertThat(cgroups.kill(WEB)).isEmpty();
    assertThat(cgroups.remove(WEB.parent())).isEmpty();
    assertThat(cgroups.groups()).isEmpty();
    assertThat(cgroups.apply(wanted(settings)).made()).isPositive();
  }

  @Test
  void withoutCpusOrNodesNoCpusetFileIsWritten() {
    cgroups.apply(wanted(Settings.NONE.withWeight(5).withQuota(Quota.of(20_000))));
    assertThat(run.takeLines()).isNotEmpty().noneMatch(line -> line.contains("cpuset"));
  }

  @Test
  void entersAGroupOfItsOwnInWordsOnly() throws Exception {
    cgroups.enter(GroupPath.of("agent"));
    assertThat(run.takeLines()).last().asString().endsWith("/agent/cgroup.procs");
    assertThat(cgroups.populated(GroupPath.OWN)).isFalse();
  }
}
