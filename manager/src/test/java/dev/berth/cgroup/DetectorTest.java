package dev.berth.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cpu.CpuSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines as their mount tables, groups and permissions show them. */
class DetectorTest {
  private static final String UNIFIED =
      "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate";

  @TempDir Path machine;

  private static String one(String controllers, String root) {
    return "31 30 0:27 "
        + root
        + " /sys/fs/cgroup/"
        + controllers
        + " rw - cgroup cgroup rw,"
        + controllers;
  }

  private void write(String path, String... lines) throws IOException {
    Path file = machine.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, String.join("\n", lines) + "\n");
  }

  private void mounts(String... lines) throws IOException {
    write("proc/self/mountinfo", lines);
  }

  private Path group(String path, String controllers) throws IOException {
    write("sys/fs/cgroup" + path + "/cgroup.controllers", controllers);
    write("sys/fs/cgroup" + path + "/cgroup.procs", "");
    write("sys/fs/cgroup" + path + "/cgroup.subtree_control", "");
    if (!path.isEmpty()) {
      write("sys/fs/cgroup" + path + "/cgroup.type", "domain");
    }
    return machine.resolve("sys/fs/cgroup" + path);
  }

  private Detected detect(Predicate<Path> writable) {
    return Detector.detect(machine, "berth", writable);
  }

  private static Cgroups usable(Detected detected) {
    return switch (detected) {
      case Detected.Usable(Cgroups cgroups) -> cgroups;
      case Detected.Unusable(String why) -> throw new AssertionError(why);
    };
  }

  private static String unusable(Detected detected) {
    return switch (detected) {
      case Detected.Usable(Cgroups cgroups) -> throw new AssertionError(cgroups.description());
      case Detected.Unusable(String why) -> why;
    };
  }

  private String entered(Cgroups cgroups) throws IOException {
    GroupPath agent = GroupPath.of("agent");
    // Made by hand, as a folder has no files of the kernel's here.
    for (String at : new String[] {"", "/user.slice/mine", "/system.slice/berth.service"}) {
      Path own = machine.resolve("sys/fs/cgroup" + at + "/berth/agent");
      Files.createDirectories(own);
    }
    return machine.relativize(cgroups.joinFiles(agent).getFirst()).toString();
  }

  @Test
  void rootMayUseTheWholeOfVersionTwo() throws IOException {
    mounts(UNIFIED);
    write("proc/self/cgroup", "0::/user.slice/mine");
    group("", "cpuset cpu io memory hugetlb pids");
    group("/user.slice/mine", "cpu memory");

    Cgroups cgroups = usable(detect(path -> true));

    assertThat(cgroups.isUnified()).isTrue();
    assertThat(cgroups.mustEnter()).isFalse();
    assertThat(cgroups.notes()).isEmpty();
    assertThat(cgroups.controllers()).containsExactly(Controller.values());
    assertThat(cgroups.description()).isEqualTo("cgroup v2 at /sys/fs/cgroup");
    assertThat(entered(cgroups)).isEqualTo("sys/fs/cgroup/berth/agent/cgroup.procs");
  }

  @Test
  void withoutRootOurOwnGroupServesIfItIsOurs() throws IOException {
    mounts(UNIFIED);
    write("proc/self/cgroup", "0::/user.slice/mine");
    group("", "cpuset cpu memory hugetlb");
    Path mine = group("/user.slice/mine", "cpuset cpu memory");

    Cgroups cgroups = usable(detect(path -> path.startsWith(mine)));

    assertThat(cgroups.mustEnter()).isTrue();
    assertThat(entered(cgroups))
        .isEqualTo("sys/fs/cgroup/user.slice/mine/berth/agent/cgroup.procs");
    assertThat(cgroups.notes())
        .containsExactly(
            "cgroup v2 at "
                + mine
                + ": no hugetlb controller, so limits of hugepages cannot be enforced");
  }

  @Test
  void aDelegatedUnitIsUsedByRootToo() throws IOException {
    mounts(UNIFIED);
    write("proc/self/cgroup", "0::/system.slice/berth.service");
    group("", "cpuset cpu memory hugetlb");
    Path unit = group("/system.slice/berth.service", "cpuset cpu memory hugetlb");
    assertThat(usable(detect(path -> true)).mustEnter()).as("before it is delegated").isFalse();
    delegate(unit);

    Cgroups cgroups = usable(detect(path -> true));

    assertThat(cgroups.mustEnter()).isTrue();
    assertThat(entered(cgroups))
        .isEqualTo("sys/fs/cgroup/system.slice/berth.service/berth/agent/cgroup.procs");
  }

  @Test
  void aUnitThatStartedUsInASubgroupNeedsNobodyToMove() throws IOException {
    mounts(UNIFIED);
    write("proc/self/cgroup", "0::/system.slice/berth.service/main");
    group("", "cpuset cpu memory hugetlb");
    delegate(group("/system.slice/berth.service", "cpuset cpu memory hugetlb"));
    group("/system.slice/berth.service/main", "");

    Cgroups cgroups = usable(detect(path -> true));

    assertThat(cgroups.mustEnter()).isFalse();
    assertThat(cgroups.description()).endsWith("/system.slice/berth.service");
  }

  private static void delegate(Path unit) throws IOException {
    assumeTrue(
        Files.getFileStore(unit).supportsFileAttributeView(UserDefinedFileAttributeView.class),
        "needs a temporary folder with extended attributes");
    Files.setAttribute(unit, "user:delegate", "1".getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void aGroupThatHoldsOthersTooCannotHandAnythingDown() throws IOException {
    mounts(UNIFIED);
    write("proc/self/cgroup", "0::/user.slice/mine");
    group("", "cpuset cpu memory hugetlb");
    Path mine = group("/user.slice/mine", "cpuset cpu memory hugetlb");
    long own = ProcessHandle.current().pid();
    write("sys/fs/cgroup/user.slice/mine/cgroup.procs", String.valueOf(own));
    assertThat(usable(detect(path -> path.startsWith(mine))).mustEnter()).isTrue();
    write("sys/fs/cgroup/user.slice/mine/cgroup.procs", "1", String.valueOf(own));
    assertThat(unusable(detect(path -> path.startsWith(mine))))
        .contains("user.slice/mine: other processes are in our own group")
        .contains("Delegate=yes");
  }

  @Test
  void theCpusOfAPartitionFromBeforeAreKnown() throws IOException {
    mounts(UNIFIED);
    write("proc/self/cgroup", "0::/");
    group("", "cpuset cpu memory hugetlb");
    Cgroups cgroups = usable(detect(path -> true));
    assertThat(cgroups.partitioned()).as("without a group").isEqualTo(CpuSet.EMPTY);
    write("sys/fs/cgroup/berth/cpuset.cpus", "2-31");
    write("sys/fs/cgroup/berth/cpuset.cpus.partition", "member");
    assertThat(cgroups.partitioned()).as("as a member").isEqualTo(CpuSet.EMPTY);
    write("sys/fs/cgroup/berth/cpuset.cpus.partition", "root");
    assertThat(cgroups.partitioned()).hasToString("2-31");
  }

  @Test
  void whereNothingMayBeWrittenItSaysWhatWouldHelp() throws IOException {
    mounts(UNIFIED);
    write("proc/self/cgroup", "0::/user.slice/mine");
    group("", "cpuset cpu memory hugetlb");
    group("/user.slice/mine", "cpu memory");
    assertThat(unusable(detect(path -> false)))
        .startsWith("cgroup v2 at /sys/fs/cgroup: neither it nor our own group ")
        .contains("Delegate=yes");
  }

  @Test
  void withoutCpusetsVersionTwoIsOfNoUse() throws IOException {
    mounts(UNIFIED);
    write("proc/self/cgroup", "0::/");
    group("", "cpu memory");
    assertThat(unusable(detect(path -> true)))
        .isEqualTo(
            "cgroup v2 at /sys/fs/cgroup: no cpuset controller, so processes cannot be kept on"
                + " their CPUs and NUMA nodes");
  }

  @Test
  void versionOneCountsWhereBothAreMounted() throws IOException {
    mounts(
        one("cpuset", "/"),
        one("cpu,cpuacct", "/"),
        "40 30 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw");
    write("proc/self/cgroup", "3:cpuset:/", "2:cpu,cpuacct:/x", "0::/");

    Cgroups cgroups = usable(detect(path -> true));

    assertThat(cgroups.isUnified()).isFalse();
    assertThat(cgroups.controllers()).containsExactly(Controller.CPUSET, Controller.CPU);
    assertThat(cgroups.notes())
        .contains(
            "cgroup v1 at /sys/fs/cgroup: no hugetlb controller, so limits of hugepages cannot be"
                + " enforced",
            "cgroup v1 at /sys/fs/cgroup: no memory controller, so limits of memory cannot be"
                + " enforced");
  }

  @Test
  void aTreeOfVersionOneWithoutOurControllersDoesNotCount() throws IOException {
    mounts("33 30 0:38 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd", UNIFIED);
    write("proc/self/cgroup", "1:name=systemd:/", "0::/");
    group("", "cpuset cpu memory hugetlb");
    assertThat(usable(detect(path -> true)).isUnified()).isTrue();
  }

  @Test
  void insideAContainerOurOwnGroupOfVersionOneIsTheMountPoint() throws IOException {
    mounts(one("cpuset", "/docker/abc"));
    write("proc/self/cgroup", "3:cpuset:/docker/abc");
    Path own = machine.resolve("sys/fs/cgroup/cpuset");
    Files.createDirectories(own.resolve("berth"));

    Cgroups cgroups = usable(detect(path -> path.equals(own)));

    assertThat(cgroups.joinFiles(GroupPath.OWN)).containsExactly(own.resolve("berth/cgroup.procs"));
  }

  @Test
  void aTreeOfVersionOneThatIsNotOursIsUsedBelowOurOwnGroup() throws IOException {
    mounts(one("cpuset", "/"), one("memory", "/"));
    write("proc/self/cgroup", "3:cpuset:/mine", "4:memory:/theirs");
    Path mine = machine.resolve("sys/fs/cgroup/cpuset/mine");
    Files.createDirectories(mine.resolve("berth"));

    Cgroups cgroups = usable(detect(path -> path.equals(mine)));

    assertThat(cgroups.controllers()).containsExactly(Controller.CPUSET);
    assertThat(cgroups.joinFiles(GroupPath.OWN))
        .containsExactly(mine.resolve("berth/cgroup.procs"));
    assertThat(cgroups.notes()).anyMatch(note -> note.contains("memory may not be written"));
    assertThat(unusable(detect(path -> false))).contains("may not be written, so processes");
  }

  @Test
  void aMachineWithoutGroupsIsUnusable() throws IOException {
    mounts("22 1 0:20 / /proc rw - proc proc rw");
    write("proc/self/cgroup", "");
    assertThat(unusable(detect(path -> true))).contains("none is mounted");
    Files.delete(machine.resolve("proc/self/cgroup"));
    assertThat(unusable(detect(path -> true))).contains("cannot be read");
  }
}
