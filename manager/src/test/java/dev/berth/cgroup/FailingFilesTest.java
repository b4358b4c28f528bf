package dev.berth.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A kernel of version 2 that does not do what it is asked to. */
class FailingFilesTest {
  private static final Path MOUNT = Path.of("/sys/fs/cgroup");
  private static final GroupPath A = GroupPath.of("pods", "a");
  private static final GroupPath B = GroupPath.of("pods", "b");

  /** Pretended files of which one answers otherwise. */
  private static final class Odd implements GroupFiles {
    private final PretendedFiles files =
        new PretendedFiles(MOUNT, CpuSet.range(0, 7), NodeSet.of(0));
    private String name = "";
    private @Nullable String reads;
    private @Nullable IOException fails;

    @Override
    public @Nullable String read(Path file) {
      String text = files.read(file);
      return text != null && reads != null && file.endsWith(name) ? reads : text;
    }

    @Override
    public void write(Path file, String value) throws IOException {
      fail(file);
      files.write(file, value);
    }

    @Override
    public boolean make(Path folder) throws IOException {
      fail(folder);
      return files.make(folder);
    }

    private void fail(Path path) throws IOException {
      if (fails != null && path.endsWith(name)) {
        throw fails;
      }
    }

    @Override
    public boolean remove(Path folder) {
      return files.remove(folder);
    }

    @Override
    public boolean isFolder(Path path) {
      return files.isFolder(path);
    }

    @Override
    public List<String> folders(Path folder) {
      return files.folders(folder);
    }
  }

  private final Odd odd = new Odd();
  private final Cgroups cgroups = new Cgroups(layout(), odd);

  private static Layout layout() {
    Map<Controller, Path> parents = new EnumMap<>(Controller.class);
    for (Controller controller : Controller.values()) {
      parents.put(controller, MOUNT);
    }
    return new Layout(
        new VersionTwo(4_096), "odd", parents, "berth", true, false, List.of(), List.of());
  }

  private static SortedMap<GroupPath, Settings> wanted(String a, String b) {
    SortedMap<GroupPath, Settings> wanted = new TreeMap<>();
    wanted.put(A, Settings.NONE.withCpus(CpuSet.parse(a)));
    wanted.put(B, Settings.NONE.withCpus(CpuSet.parse(b)));
    return wanted;
  }

  @Test
  void aPartitionThatTheKernelCallsInvalidIsAFailureWithItsReason() {
    odd.name = "cpuset.cpus.partition";
    odd.reads = "isolated invalid (Cpu list in cpuset.cpus not exclusive)";
    Settings isolated = Settings.NONE.withCpus(CpuSet.of(1)).withPartition(Partition.ISOLATED);
    SortedMap<GroupPath, Settings> wanted = new TreeMap<>(Map.of(A, isolated));

    for (int pass = 0; pass < 2; pass++) {
      assertThat(cgroups.reconcile(wanted).failures())
          .singleElement()
          .hasToString(
              "cgroup pods/a: cpuset.cpus.partition = isolated: the kernel says \"isolated invalid"
                  + " (Cpu list in cpuset.cpus not exclusive)\"");
    }
    odd.reads = null;
    assertThat(cgroups.reconcile(wanted).failures()).isEmpty();
  }

  @Test
  void nothingIsWrittenInAGroupThatCouldNotBeMadeAndTheOthersAreDone() {
    odd.name = "pods/a";
    odd.fails = new IOException("No space left on device");

    Changes changes = cgroups.apply(wanted("1", "2"));

    assertThat(changes.failures())
        .extracting(Failure::toString)
        .containsExactly(
            "cgroup pods/a: /sys/fs/cgroup/berth/pods/a: No space left on device",
            "cgroup pods/a: cpuset.cpus = 1: the group could not be made");
    assertThat(odd.read(MOUNT.resolve("berth/pods/b/cpuset.cpus"))).isEqualTo("2");
  }

  @Test
  void whatCouldNotBeTakenIsNotGivenUntilItCan() {
    assertThat(cgroups.apply(wanted("1-3", "4")).failures()).isEmpty();
    odd.name = "pods/a/cpuset.cpus";
    odd.fails = new IOException("Device or resource busy");

    assertThat(cgroups.apply(wanted("1", "2-4")).failures())
        .extracting(Failure::toString)
        .containsExactly(
            "cgroup pods/a: cpuset.cpus = 1: Device or resource busy",
            "cgroup pods/b: cpuset.cpus = 2-4: CPUs 2-3 could not be taken from others first");
    assertThat(odd.read(MOUNT.resolve("berth/pods/b/cpuset.cpus"))).isEqualTo("4");

    odd.fails = null;
    assertThat(cgroups.apply(wanted("1", "2-4")).failures()).isEmpty();
    assertThat(odd.read(MOUNT.resolve("berth/pods/b/cpuset.cpus"))).isEqualTo("2-4");
  }

  @Test
  void aGroupThatVanishedHoldsNothingAndIsMadeAgain() {
    assertThat(cgroups.apply(wanted("1-3", "4")).failures()).isEmpty();
    odd.name = "pods/a/cpuset.cpus";
    odd.fails = new NoSuchFileException("pods/a");

    assertThat(cgroups.apply(wanted("1", "2-4")).failures())
        .extracting(Failure::toString)
        .containsExactly("cgroup pods/a: cpuset.cpus = 1: the group is gone");
    assertThat(odd.read(MOUNT.resolve("berth/pods/b/cpuset.cpus"))).isEqualTo("2-4");
    odd.fails = null;
    assertThat(cgroups.apply(wanted("1", "2-4")).failures()).isEmpty();
  }
}
