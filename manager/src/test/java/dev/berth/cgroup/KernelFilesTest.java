package dev.berth.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Files that stay open between reads, over real groups of version 1. */
class KernelFilesTest {
  private static final GroupPath ONE = GroupPath.of("pods", "one");
  private static final GroupPath TWO = GroupPath.of("pods", "two");
  private static final Settings SETTINGS =
      Settings.NONE
          .withMems(NodeSet.of(0))
          .withCpus(CpuSet.of(0))
          .withWeight(512)
          .withMemory(Limit.of(64 << 20));

  @AutoClose private final RealGroups real = RealGroups.open();
  private final Cgroups cgroups = real.cgroups();

  private static SortedMap<GroupPath, Settings> both() {
    return new TreeMap<>(Map.of(ONE, SETTINGS, TWO, SETTINGS));
  }

  private Path cpus(GroupPath group) {
    return cgroups.joinFiles(group).stream()
        .map(file -> file.resolveSibling("cpuset.cpus"))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow();
  }

  /** How many descriptors of this process are of files of a group. */
  private static int opened(GroupPath group) throws IOException {
    int opened = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path one : all) {
        opened += target(one).contains("/" + group + "/") ? 1 : 0;
      }
    }
    return opened;
  }

  private static String target(Path descriptor) throws IOException {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  @Test
  void whatOthersChangeIsFoundInEveryPass() throws IOException {
    cgroups.apply(both());
    for (int i = 0; i < 3; i++) {
      assertThat(cgroups.reconcile(both())).isEqualTo(Changes.NONE);
      real.meddle(ONE, "cpu.shares", "700");
      real.meddle(TWO, "memory.limit_in_bytes", "32M");
      assertThat(cgroups.reconcile(both())).isEqualTo(new Changes(0, 2, 2, List.of()));
      assertThat(real.file(ONE, "cpu.shares")).isEqualTo("512");
    }
  }

  @Test
  void aGroupThatVanishesBetweenTwoPassesIsMadeAgain() throws IOException {
    cgroups.apply(both());
    cgroups.reconcile(both());
    Files.delete(cpus(ONE).getParent());

    Changes changes = cgroups.reconcile(both());

    assertThat(changes.made()).isEqualTo(1);
    assertThat(real.file(ONE, "cpuset.cpus")).isEqualTo("0");
    assertThat(cgroups.reconcile(both())).isEqualTo(Changes.NONE);
  }

  @Test
  void aGroupThatOthersMakeAnewIsNotTakenForTheOldOne() throws IOException {
    cgroups.apply(both());
    cgroups.reconcile(both());
    Path folder = cpus(ONE).getParent();
    Files.delete(folder);
    Files.createDirectory(folder);

    assertThat(cgroups.reconcile(both())).isEqualTo(new Changes(0, 3, 2, List.of()));
    assertThat(real.file(ONE, "cpuset.cpus")).isEqualTo("0");
  }

  @Test
  void aGroupThatIsRemovedOrNotWantedHoldsNoDescriptor() throws IOException {
    cgroups.apply(both());
    cgroups.reconcile(both());
    assertThat(opened(ONE)).isEqualTo(4);
    assertThat(opened(TWO)).isEqualTo(4);

    cgroups.remove(ONE);
    assertThat(opened(ONE)).isZero();
    assertThat(opened(TWO)).isEqualTo(4);

    cgroups.reconcile(new TreeMap<>(Map.of(GroupPath.of("pods"), SETTINGS)));
    assertThat(opened(TWO)).isZero();
  }

  @Test
  void noMoreStayOpenThanMayAndTheOthersAreReadAllTheSame() throws IOException {
    cgroups.apply(both());
    KernelFiles files = new KernelFiles(1);
    int before = opened(ONE);
    GroupFiles.Kept first = files.keep(cpus(ONE));
    GroupFiles.Kept second = files.keep(cpus(ONE));

    assertThat(List.of(first.read(), second.read(), first.read())).containsOnly("0");
    assertThat(opened(ONE)).isEqualTo(before + 1);
    first.close();
    assertThat(second.read()).isEqualTo("0");
    assertThat(opened(ONE)).isEqualTo(before + 1);
    second.close();
    assertThat(opened(ONE)).isEqualTo(before);
  }

  @Test
  void theLimitOfDescriptorsIsReadFromTheKernelsTable() {
    assertThat(Descriptors.limit()).isGreaterThan(64);
    List<String> table =
        List.of(
            "Limit                     Soft Limit           Hard Limit           Units",
            "Max open files            1024                 524288               files");
    assertThat(Descriptors.limit(table)).isEqualTo(1024);
    assertThat(Descriptors.limit(List.of("Max open files  unlimited unlimited files")))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(Descriptors.limit(List.of("Max open files  x y files"))).isEqualTo(256);
    assertThat(Descriptors.limit(List.of())).isEqualTo(256);
  }
}
