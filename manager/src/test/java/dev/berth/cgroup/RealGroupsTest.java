package dev.berth.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real processes in real groups of version 1. */
class RealGroupsTest {
  private static final GroupPath AGENT = GroupPath.of("agent");
  private static final GroupPath PODS = GroupPath.of("pods");
  private static final GroupPath ONE = GroupPath.of("pods", "one", "main");
  private static final GroupPath TWO = GroupPath.of("pods", "two", "main");
  private static final Settings NODE = Settings.NONE.withMems(NodeSet.of(0));

  @AutoClose private final RealGroups real = RealGroups.open();
  private final Cgroups cgroups = real.cgroups();

  @BeforeEach
  void needTwoCpus() {
    assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "needs 2 CPUs");
  }

  private static SortedMap<GroupPath, Settings> on(String one, String two) {
    return new TreeMap<>(
        Map.of(
            ONE, NODE.withCpus(CpuSet.parse(one)),
            TWO, NODE.withCpus(CpuSet.parse(two))));
  }

  @Test
  void aProcessRunsWhereItsGroupMayAndFollows() throws IOException {
    Changes made = cgroups.apply(on("0", "0-1"));
    assertThat(made.failures()).isEmpty();
    Process one = real.start(ONE, "exec sleep 60");
    Process two = real.start(TWO, "exec sleep 60");
    assertThat(RealGroups.allowed(one.pid())).isEqualTo("0");
    assertThat(RealGroups.allowed(two.pid())).isEqualTo("0-1");

    Changes moved = cgroups.apply(on("1", "0"));

    assertThat(moved.failures()).isEmpty();
    assertThat(moved.writes()).isEqualTo(2);
    assertThat(RealGroups.allowed(one.pid())).isEqualTo("1");
    assertThat(RealGroups.allowed(two.pid())).isEqualTo("0");
    assertThat(cgroups.apply(on("1", "0"))).isEqualTo(Changes.NONE);
    assertThat(cgroups.reconcile(on("1", "0"))).isEqualTo(Changes.NONE);
  }

  @Test
  void pagesFollowToOtherNodes() throws IOException {
    cgroups.apply(on("0", "1"));
    assertThat(real.file(ONE, "cpuset.memory_migrate")).isEqualTo("1");
    assertThat(real.file(TWO, "cpuset.memory_migrate")).isEqualTo("1");
  }

  @Test
  void whatOthersChangedIsRepairedAndCounted() throws IOException {
    cgroups.apply(on("0", "1"));
    real.meddle(ONE, "cpuset.cpus", "0-1");

    assertThat(cgroups.apply(on("0", "1"))).isEqualTo(Changes.NONE);
    assertThat(real.file(ONE, "cpuset.cpus")).isEqualTo("0-1");
    Changes changes = cgroups.reconcile(on("0", "1"));
    assertThat(changes).isEqualTo(new Changes(0, 1, 1, List.of()));
    assertThat(real.file(ONE, "cpuset.cpus")).isEqualTo("0");
  }

  @Test
  void aGroupThatVanishedIsMadeAgain() throws IOException {
    cgroups.apply(on("0", "1"));
    for (Path join : cgroups.joinFiles(ONE)) {
      Files.delete(join.getParent());
    }

    Changes changes = cgroups.reconcile(on("0", "1"));

    assertThat(changes.failures()).isEmpty();
    assertThat(changes.made()).isEqualTo(1);
    assertThat(changes.repaired()).isEqualTo(2);
    assertThat(real.file(ONE, "cpuset.cpus")).isEqualTo("0");
  }

  @Test
  void weightQuotaAndMemoryAreWrittenOnceAndReadBackAsEqual() throws IOException {
    Settings settings =
        NODE.withCpus(CpuSet.of(0))
            .withWeight(512)
            .withQuota(Quota.of(50_000))
            .withMemory(Limit.of(50_000_001));
    SortedMap<GroupPath, Settings> wanted = new TreeMap<>(Map.of(ONE, settings));
    assertThat(cgroups.apply(wanted).failures()).isEmpty();

    assertThat(real.file(ONE, "cpu.shares")).isEqualTo("512");
    assertThat(real.file(ONE, "cpu.cfs_quota_us")).isEqualTo("50000");
    assertThat(Long.parseLong(real.file(ONE, "memory.limit_in_bytes")))
        .isBetween(50_000_001L - 65_536, 50_000_001L);
    assertThat(cgroups.reconcile(wanted)).isEqualTo(Changes.NONE);
    wanted.put(
        ONE, settings.withQuota(new Quota.Limited(20_000, 50_000)).withMemory(Limit.unlimited()));
    assertThat(cgroups.apply(wanted).failures()).isEmpty();
    assertThat(real.file(ONE, "cpu.cfs_period_us")).isEqualTo("50000");
    wanted.put(ONE, settings.withQuota(Quota.unlimited()).withMemory(Limit.unlimited()));
    assertThat(cgroups.apply(wanted).failures()).isEmpty();
    assertThat(real.file(ONE, "cpu.cfs_quota_us")).isEqualTo("-1");
    assertThat(cgroups.reconcile(wanted)).isEqualTo(Changes.NONE);
  }

  @Test
  void quotasOfNestedGroupsFallFromTheLeavesAndRiseFromTheTop() {
    for (long[] pair : new long[][] {{80_000, 70_000}, {30_000, 20_000}, {90_000, 90_000}}) {
      SortedMap<GroupPath, Settings> wanted = new TreeMap<>();
      wanted.put(PODS, Settings.NONE.withQuota(Quota.of(pair[0])));
      wanted.put(ONE, Settings.NONE.withQuota(Quota.of(pair[1])));
      assertThat(cgroups.apply(wanted).failures()).isEmpty();
    }
  }

  @Test
  void withoutCpusOrNodesThereIsNoCpusetOfOurs() throws IOException {
    cgroups.apply(new TreeMap<>(Map.of(ONE, Settings.NONE.withWeight(100))));
    assertThat(cgroups.joinFiles(ONE)).hasSize(1);
    assertThat(cgroups.joinFiles(ONE).getFirst().toString()).contains("/cpu");
    Process process = real.start(ONE, "exec sleep 60");

    // Later cpusets are used after all, and a process that runs already is to be in them.
    cgroups.apply(new TreeMap<>(Map.of(ONE, NODE.withWeight(100).withCpus(CpuSet.of(1)))));
    assertThat(cgroups.gather(ONE)).isEmpty();
    assertThat(RealGroups.allowed(process.pid())).isEqualTo("1");
  }

  @Test
  void groupsThatAContainerMadeForItselfFollow() throws IOException {
    cgroups.apply(on("0-1", "0-1"));
    Path inner = cgroups.joinFiles(ONE).getFirst().resolveSibling("inner");
    Path deep = inner.resolve("deep");
    Files.createDirectory(inner);
    Files.writeString(inner.resolve("cpuset.cpus"), "0-1");
    Files.writeString(inner.resolve("cpuset.mems"), "0");
    Files.createDirectory(deep);
    Files.writeString(deep.resolve("cpuset.cpus"), "1");

    assertThat(cgroups.apply(on("0", "1")).failures()).isEmpty();
    assertThat(Files.readString(inner.resolve("cpuset.cpus")).strip()).isEqualTo("0");
    assertThat(Files.readString(deep.resolve("cpuset.cpus")).strip()).isEqualTo("0");
    assertThat(cgroups.apply(on("1", "1")).failures()).isEmpty();
    assertThat(Files.readString(deep.resolve("cpuset.cpus")).strip()).isEqualTo("1");
  }

  @Test
  void groupsThatTradeTheirOnlyCpusAreLeftAloneWhereNoneIsFree() throws IOException {
    cgroups.apply(exclusive("0", "1"));
    Changes changes = cgroups.apply(exclusive("1", "0"));

    assertThat(changes.writes()).isZero();
    assertThat(changes.failures()).extracting(Failure::group).containsExactly(ONE, TWO);
    assertThat(real.file(ONE, "cpuset.cpus")).isEqualTo("0");
    assertThat(real.file(TWO, "cpuset.cpus")).isEqualTo("1");
  }

  @Test
  void groupsThatTradeTheirCpusDoSoWhereOneOfThemShares() throws IOException {
    cgroups.apply(on("0", "1"));
    SortedMap<GroupPath, Settings> traded = on("1", "0");
    traded.computeIfPresent(TWO, (_, settings) -> settings.withExclusive());
    assertThat(cgroups.apply(traded).failures()).isEmpty();
    assertThat(real.file(ONE, "cpuset.cpus")).isEqualTo("1");
    assertThat(real.file(TWO, "cpuset.cpus")).isEqualTo("0");
  }

  private static SortedMap<GroupPath, Settings> exclusive(String one, String two) {
    SortedMap<GroupPath, Settings> wanted = on(one, two);
    wanted.replaceAll((group, settings) ->
        group.equals(ONE) || group.equals(TWO) ? settings.withExclusive() : settings);
    return wanted;
  }

  @Test
  void aCpuThatIsNotThereIsRefusedInALineThatNamesGroupFileValueAndReason() {
    cgroups.apply(on("0", "1"));
    Changes changes = cgroups.apply(on("0,900", "1"));

    assertThat(changes.failures()).isNotEmpty();
    assertThat(changes.failures().getLast().toString())
        .matches("cgroup pods/one/main: cpuset.cpus = 0,900: [^\n]+");
  }

  @Test
  void nobodyIsGivenACpuThatCouldNotBeTakenFromItsOldOwner() throws IOException {
    cgroups.apply(on("0-1", "0"));
    // A group whose name we cannot use keeps CPU 1, and its parent with it: the kernel sees to
    // that.
    Path hidden = cgroups.joinFiles(ONE).getFirst().resolveSibling(".hidden");
    Files.createDirectory(hidden);
    Files.writeString(hidden.resolve("cpuset.cpus"), "1");

    Changes changes = cgroups.apply(on("0", "1"));

    assertThat(changes.failures()).extracting(Failure::group).containsExactly(ONE, TWO);
    assertThat(changes.failures().getLast().why()).contains("CPUs 1 could not be taken");
    assertThat(real.file(TWO, "cpuset.cpus")).isEqualTo("0");
    Files.delete(hidden);
    assertThat(cgroups.apply(on("0", "1")).failures()).isEmpty();
    assertThat(real.file(TWO, "cpuset.cpus")).isEqualTo("1");
  }

  @Test
  void killEndsEverythingBelowAndRemoveLeavesNothing() throws Exception {
    cgroups.apply(on("0", "1"));
    Process one = real.start(ONE, "sleep 60 & sleep 60 & wait");
    Process two = real.start(TWO, "exec sleep 60");
    assertThat(cgroups.populated(PODS)).isTrue();
    assertThat(cgroups.processes(GroupPath.of("pods", "one")).size()).isGreaterThan(1);
    assertThat(cgroups.processes(PODS)).contains(one.pid(), two.pid());

    assertThat(cgroups.kill(GroupPath.of("pods", "one"))).isEmpty();
    assertThat(one.waitFor(5, TimeUnit.SECONDS)).isTrue();
    assertThat(two.isAlive()).isTrue();
    assertThat(cgroups.remove(GroupPath.of("pods", "one"))).isEmpty();
    assertThat(cgroups.groups()).containsExactly(PODS, TWO.parent(), TWO);
    assertThat(cgroups.remove(GroupPath.of("pods", "one"))).isEmpty();
    assertThat(cgroups.populated(GroupPath.of("pods", "one"))).isFalse();
    assertThat(cgroups.kill(GroupPath.of("pods", "one"))).isEmpty();
  }

  @Test
  void aBusyGroupIsNotRemovedAndSaysSo() throws IOException {
    cgroups.apply(on("0", "1"));
    real.start(ONE, "exec sleep 60");
    assertThat(cgroups.remove(ONE).orElseThrow().toString()).contains("pods/one/main");
    assertThat(cgroups.groups()).contains(ONE);
  }

  @Test
  void ourOwnProcessEntersAndLeaves() throws IOException {
    String before = RealGroups.allowed(ProcessHandle.current().pid());
    cgroups.apply(new TreeMap<>(Map.of(AGENT, NODE.withCpus(CpuSet.of(0)))));
    try {
      cgroups.enter(AGENT);
      assertThat(RealGroups.allowed(ProcessHandle.current().pid())).isEqualTo("0");
      assertThat(cgroups.kill(AGENT).orElseThrow().why()).isEqualTo("our own process is in it");
    } finally {
      cgroups.leave();
    }
    assertThat(RealGroups.allowed(ProcessHandle.current().pid())).isEqualTo(before);
    assertThat(cgroups.populated(AGENT)).isFalse();
  }
}
