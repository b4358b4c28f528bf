package dev.berth.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private static void refuses(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageMatching("cgroup [a-z]+: expected [^\\n]+, found [^\\n]+");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", ".hidden", "a/b", "/", "a\nb", "a\u0000b", "\u007f"})
  void aNameThatIsNoneOfOursIsRefused(String name) {
    refuses(() -> GroupPath.of("pods", name));
    refuses(() -> Cgroups.detect(name));
  }

  @Test
  void aNameHas255BytesAtMost() {
    GroupPath.of("a".repeat(255));
    refuses(() -> GroupPath.of("a".repeat(256)));
    refuses(() -> GroupPath.of("ü".repeat(128)));
  }

  @Test
  void aGroupComesRightBeforeWhatIsBelowIt() {
    GroupPath pod = GroupPath.of("pods", "a");
    List<GroupPath> sorted =
        List.of(GroupPath.OWN, pod.parent(), pod, pod.child("x"), GroupPath.of("pods", "a-b"));
    assertThat(sorted.reversed().stream().sorted().toList()).isEqualTo(sorted);
    assertThat(pod.child("x").isBelow(pod)).isTrue();
    assertThat(GroupPath.of("pods", "a-b").isBelow(pod)).isFalse();
    assertThat(pod).hasToString("pods/a");
  }

  @Test
  void emptySetsAndNumbersTheKernelRefusesAreRefused() {
    refuses(() -> Settings.NONE.withCpus(CpuSet.EMPTY));
    refuses(() -> Settings.NONE.withMems(NodeSet.EMPTY));
    refuses(() -> Settings.NONE.withWeight(1));
    refuses(() -> Settings.NONE.withWeight(262_145));
    refuses(() -> Settings.NONE.withHugepages(0, Limit.of(0)));
    refuses(() -> Quota.of(999));
    refuses(() -> new Quota.Limited(5_000, 1_000_001));
    refuses(() -> Limit.of(-1));
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "1024, 39", "2048, 79", "262144, 10000", "100, 4"})
  void sharesBecomeWeights(int shares, int weight) {
    assertThat(VersionTwo.weight(shares)).isEqualTo(weight);
  }

  @Test
  void everyWeightComesBackAsItself() {
    for (int weight = 1; weight <= 10_000; weight++) {
      assertThat(VersionTwo.weight(VersionTwo.shares(weight))).isEqualTo(weight);
    }
  }

  @Test
  void everySettingReadsBackAsWhatWasWrittenInBothVersions() throws Exception {
    Settings all =
        Settings.NONE
            .withCpus(CpuSet.parse("0-3,8"))
            .withMems(NodeSet.of(1))
            .withWeight(777)
            .withQuota(new Quota.Limited(25_000, 50_000))
            .withMemory(Limit.of(1_000_000))
            .withHugepages(2 << 20, Limit.of(5 << 20))
            .withHugepages(1 << 30, Limit.unlimited())
            .withPartition(Partition.ISOLATED);
    for (Dialect dialect : List.of(new VersionOne(4_096), new VersionTwo(4_096))) {
      for (Setting setting : all.each()) {
        Optional<Setting> normal = dialect.normal(setting);
        if (normal.isPresent()) {
          Map<String, String> files = new HashMap<>();
          dialect
              .writes(Optional.empty(), normal.get())
              .forEach(write -> files.put(write.file(), write.value()));
          assertThat(dialect.read((controller, file) -> shown(files.get(file)), setting).value())
              .as(dialect + " " + setting)
              .isEqualTo(normal);
        }
      }
    }
  }

  /** Version 1 takes -1 for no limit and shows a great number. */
  private static @Nullable String shown(@Nullable String written) {
    return "-1".equals(written) ? "9223372036854771712" : written;
  }

  @Test
  void aPeriodThatChangesNeverLeavesTheBoundsOfOthers() {
    VersionOne dialect = new VersionOne(4_096);
    Optional<Setting> had = Optional.of(new Setting.Time(new Quota.Limited(50_000, 100_000)));
    Setting wanted = new Setting.Time(new Quota.Limited(20_000, 50_000));
    assertThat(dialect.writes(had, wanted))
        .extracting(Dialect.FileWrite::value)
        .containsExactly("-1", "50000", "20000");
    assertThat(dialect.writes(had, new Setting.Time(Quota.of(30_000))))
        .extracting(Dialect.FileWrite::value)
        .containsExactly("30000");
  }

  @Test
  void anInvalidPartitionIsNotWhatWasWanted() throws Exception {
    Setting isolated = new Setting.Parted(Partition.ISOLATED);
    Dialect.Reading reading =
        new VersionTwo(4_096)
            .read((controller, file) -> "isolated invalid (Cpu list not exclusive)", isolated);
    assertThat(reading).isEqualTo(Dialect.Reading.OTHER);
  }

  @Test
  void settingsIncludeThoseThatAskForLessButNoneThatDiffer() {
    Settings all =
        Settings.NONE
            .withCpus(CpuSet.of(0, 1))
            .withMems(NodeSet.of(0))
            .withWeight(512)
            .withQuota(Quota.of(50_000))
            .withMemory(Limit.of(4_096))
            .withHugepages(2 << 20, Limit.of(0))
            .withPartition(Partition.ROOT);
    List<Settings> others =
        List.of(
            all.withCpus(CpuSet.of(0)),
            all.withMems(NodeSet.of(1)),
            all.withWeight(2),
            all.withQuota(Quota.unlimited()),
            all.withMemory(Limit.unlimited()),
            all.withHugepages(2 << 20, Limit.of(2 << 20)),
            all.withPartition(Partition.MEMBER));
    assertThat(all.includes(all)).isTrue();
    assertThat(others).noneMatch(all::includes);
    for (Setting setting : all.each()) {
      assertThat(all.includes(all.without(setting))).isTrue();
      assertThat(all.without(setting).includes(all)).isFalse();
    }
  }
}
