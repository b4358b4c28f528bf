package dev.berth.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two hundred containers in real groups of version 1. */
class ManyGroupsTest {
  private static final int CONTAINERS = 200;

  @AutoClose private final RealGroups real = RealGroups.open();
  private final Cgroups cgroups = real.cgroups();

  private static GroupPath group(int container) {
    return GroupPath.of("pods", "pod-" + container / 2, "container-" + container % 2);
  }

  private static SortedMap<GroupPath, Settings> all(CpuSet cpus) {
    SortedMap<GroupPath, Settings> wanted = new TreeMap<>();
    for (int i = 0; i < CONTAINERS; i++) {
      wanted.put(
          group(i),
          Settings.NONE
              .withCpus(cpus)
              .withMems(NodeSet.of(0))
              .withWeight(100 + i)
              .withQuota(Quota.of(50_000))
              .withMemory(Limit.of(100_000_000L + i)));
    }
    return wanted;
  }

  @Test
  @Tag("slow")
  void aQuietPassWritesNothingAndARepairOnlyWhatWasChanged() throws IOException {
    SortedMap<GroupPath, Settings> wanted = all(CpuSet.of(0));
    assertThat(cgroups.reconcile(wanted).failures()).isEmpty();
    assertThat(cgroups.reconcile(wanted)).isEqualTo(Changes.NONE);

    real.meddle(group(17), "cpuset.cpus", "1");
    real.meddle(group(18), "cpu.shares", "3");
    real.meddle(group(19), "memory.limit_in_bytes", "200000000");
    Changes repair = cgroups.reconcile(wanted);
    assertThat(repair.writes()).isEqualTo(3);
    assertThat(repair.repaired()).isEqualTo(3);
    assertThat(cgroups.reconcile(wanted)).isEqualTo(Changes.NONE);
    assertThat(cgroups.apply(all(CpuSet.of(1))).writes()).isEqualTo(CONTAINERS);
  }
}
