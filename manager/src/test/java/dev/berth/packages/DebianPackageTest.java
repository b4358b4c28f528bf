package dev.berth.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.agent.state.FormerLatencies;
import dev.berth.linux.Posix;
import dev.berth.linux.ResumeLatency;
import dev.berth.packages.Packages.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Installed below a folder: dpkg's list of packages is there too, and no script runs as if here.
 */
@Tag("slow")
class DebianPackageTest {
  private static final String BOOT = "3f1c5a52-0c6f-4f4e-9d0b-7a3f5f0e8b11";
  private static final String UNIT = "usr/lib/systemd/system/berth.service";

  @TempDir private Path root = Path.of("");

  @Test
  void isInstalledStartedRemovedAndPurged() throws IOException {
    Path packaged = Packages.named("berth_*.deb");
    assumeTrue(Posix.effectiveUser() == 0, "packages: dpkg needs root");
    Files.createDirectories(root.resolve("var/lib/dpkg/updates"));
    Files.createFile(root.resolve("var/lib/dpkg/status"));
    assertThat(dpkg("-i", packaged.toString()).code()).isZero();

    Ended version = Packages.run(root, root.resolve("usr/bin/berth").toString(), "--version");
    assertThat(version.said()).startsWith("berth ").hasLineCount(1);
    assertThat(root.resolve("usr/share/man/man1/berth-agent.1.gz")).isRegularFile();
    assertThat(root.resolve("usr/share/doc/berth/berth.cdx.json")).content().contains("CycloneDX");
    assertThat(dpkg("--verify", "berth").said()).as("files are as they were packed").isEmpty();

    Path settings = root.resolve("etc/berth/berth.yaml");
    Path state = Files.createDirectories(root.resolve("var/lib/berth"));
    Files.writeString(settings, "reservedSystemCPUs: \"0\"\n");
    assertThat(dpkg("--force-confold", "-i", packaged.toString()).code()).isZero();
    assertThat(settings).hasContent("reservedSystemCPUs: \"0\"");
    assertThat(dpkg("-r", "berth").code()).isZero();
    assertThat(root.resolve("usr/lib/berth")).doesNotExist();
    assertThat(settings).exists();
    ResumeLatency kernel = keepAwake(state, BOOT);
    Path top = root.resolve("sys/fs/cgroup/cpuset/tasks");
    Path others = Files.createDirectories(top.resolveSibling("berth-others"));
    Files.writeString(top, "");
    Files.writeString(others.resolve("tasks"), "4711\n");
    assertThat(dpkg("-P", "berth").code()).isZero();
    assertThat(top).as("who was kept off CPUs").hasContent("4711");
    Files.delete(others.resolve("tasks"));
    Files.delete(others);
    assertThat(List.of(kernel.read(1), kernel.read(12), kernel.read(2)))
        .as("CPUs that were kept awake, and another")
        .containsExactly("0", "20", "n/a");
    assertThat(settings).doesNotExist();
    assertThat(state).doesNotExist();
    try (Stream<Path> left = Files.walk(root)) {
      assertThat(left.map(Path::toString).filter(name -> name.contains("berth") && under(name)))
          .isEmpty();
    }
  }

  /** As an agent leaves it whose containers run on. */
  private ResumeLatency keepAwake(Path state, String boot) throws IOException {
    ResumeLatency kernel = ResumeLatency.below(root);
    for (int cpu : new int[] {1, 2, 12}) {
      Files.createDirectories(kernel.file(cpu).getParent());
      Files.writeString(kernel.file(cpu), ResumeLatency.NONE);
    }
    Path booted = root.resolve("proc/sys/kernel/random/boot_id");
    Files.createDirectories(booted.getParent());
    Files.writeString(booted, BOOT + "\n");
    new FormerLatencies(state, boot).write(new TreeMap<>(Map.of(1, "0", 12, "20")));
    return kernel;
  }

  /** Whoever wrote since the machine started, it was not us. */
  @Test
  void whatWasWrittenBeforeTheMachineStartedIsGivenToNobody() throws IOException {
    Path packaged = Packages.named("berth_*.deb");
    Path scripts = root.resolve("scripts");
    Files.createDirectory(scripts);
    assertThat(Packages.run(root, "dpkg-deb", "-e", packaged.toString(), "scripts").code())
        .isZero();
    Path state = Files.createDirectories(root.resolve("var/lib/berth"));
    ResumeLatency kernel = keepAwake(state, "another boot");
    Ended purged =
        Packages.run(
            root, "env", "DPKG_ROOT=" + root, scripts.resolve("postrm").toString(), "purge");
    assertThat(purged.code()).as(purged.said()).isZero();
    assertThat(List.of(kernel.read(1), kernel.read(12))).containsExactly("n/a", "n/a");
    assertThat(state).doesNotExist();
  }

  private boolean under(String name) {
    return !name.startsWith(root.resolve("var/lib/dpkg").toString());
  }

  private Ended dpkg(String... words) throws IOException {
    List<String> line =
        new ArrayList<>(List.of("dpkg", "--root=" + root, "--force-script-chrootless"));
    // No other package is there, the C library among them.
    line.add("--force-depends");
    line.addAll(List.of(words));
    return Packages.run(root, line);
  }

  @Test
  void hasAUnitThatSystemdUnderstands() throws IOException {
    Path packaged = Packages.named("berth_*.deb");
    assumeTrue(Packages.has("systemd-analyze"), "packages: no systemd-analyze");
    assertThat(Packages.run(root, "dpkg-deb", "-x", packaged.toString(), ".").code()).isZero();
    String unit = Files.readString(root.resolve(UNIT));
    assertThat(unit).contains("ExecStart=/usr/bin/berth agent --config /etc/berth/berth.yaml");
    Path here =
        Files.writeString(
            root.resolve("berth.service"),
            unit.replace("=/usr/bin/berth", "=" + root.resolve("usr/bin/berth")));
    Ended verified = Packages.run(root, "systemd-analyze", "verify", here.toString());
    assertThat(verified.code()).as(verified.said()).isZero();
    assertThat(verified.said().lines())
        .as("older ones do not know where the agent starts, which is written down")
        .allMatch(line -> line.contains("DelegateSubgroup"));
  }

  @Test
  void keepsDebiansRules() throws IOException {
    Path packaged = Packages.named("berth_*.deb");
    assumeTrue(Packages.has("lintian"), "packages: no lintian");
    Ended checked = Packages.run(root, "lintian", "--allow-root", packaged.toString());
    assertThat(checked.said().lines()).noneMatch(line -> line.matches("[EW]: .*"));
    assertThat(checked.code()).isZero();
  }
}
