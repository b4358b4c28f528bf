package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code berth bundle} where no agent answers. */
class BundleCommandTest {
  @TempDir private Path folder;
  private final Captured captured = new Captured();

  private Path unpacked(Path file) throws Exception {
    Process tar =
        new ProcessBuilder(List.of("tar", "-xzf", file.toString(), "-C", folder.toString()))
            .redirectErrorStream(true)
            .start();
    String said = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tar.waitFor()).as(said).isZero();
    return folder.resolve("berth-bundle");
  }

  private int bundle(Path file, Path state) {
    return captured.berth(
        "bundle",
        "-o",
        file.toString(),
        "--socket",
        folder.resolve("none.sock").toString(),
        "--state",
        state.toString(),
        "--reserved-cpus",
        "0");
  }

  @Test
  void worksWithoutAnAgentAndSaysWhatIsMissing() throws Exception {
    Path state = Files.createDirectory(folder.resolve("state"));
    Files.writeString(state.resolve("cpu_manager_state"), "{}");
    Files.writeString(state.resolve("berth_state"), "00000000 {\"berth\":{\"version\":1}}\n");
    Files.writeString(state.resolve("shopping.txt"), "milk");
    Path file = folder.resolve("b.tar.gz");
    assertThat(bundle(file, state)).as(captured.err()).isZero();
    assertThat(captured.out()).isEqualTo(file + "\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    Path content = unpacked(file);
    assertThat(content.resolve("versions.txt")).content().startsWith("berth ");
    assertThat(content.resolve("configuration.yaml"))
        .content()
        .contains("reservedSystemCPUs: \"0\"");
    assertThat(content.resolve("state/cpu_manager_state")).hasContent("{}");
    assertThat(content.resolve("state/berth_state")).exists();
    assertThat(content.resolve("state/shopping.txt")).doesNotExist();
    assertThat(content.resolve("bundle.txt"))
        .content()
        .contains("agent: none answers at " + folder.resolve("none.sock"))
        .contains("state/shopping.txt: not known, left out");
  }

  @Test
  void theMachineInItIsReadBackAsItIs() throws Exception {
    Path file = folder.resolve("b.tar.gz");
    assertThat(bundle(file, folder)).as(captured.err()).isZero();
    Path machine = unpacked(file).resolve("machine");
    Captured there = new Captured();
    assertThat(there.berth("topology", "-o", "json", "--sysfs", machine.toString()))
        .as(there.err())
        .isZero();
    Captured here = new Captured();
    assertThat(here.berth("topology", "-o", "json", "--sysfs", "/")).isZero();
    assertThat(named(there.out(), "x")).isEqualTo(named(here.out(), "x"));
    assertThat(machine.resolve("topology.json")).content().contains("\"cpus\"");
  }

  /** A captured machine is called by its folder. */
  private static String named(String json, String name) {
    return json.replaceAll("\"name\" ?: ?\"[^\"]*\"", "\"name\":\"" + name + "\"");
  }

  @Test
  void itsPartsAreInOrder() throws Exception {
    Path file = folder.resolve("b.tar.gz");
    assertThat(bundle(file, Files.createDirectory(folder.resolve("state")))).isZero();
    Process tar = new ProcessBuilder("tar", "-tzf", file.toString()).start();
    assertThat(new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
        .isSorted()
        .hasSizeGreaterThan(10);
  }

  @Test
  void aPlaceThatCannotBeWrittenIsOneLine() {
    assertThat(bundle(folder.resolve("absent/b.tar.gz"), folder)).isNotZero();
    assertThat(captured.err().lines().filter(line -> !line.startsWith("note: "))).hasSize(1);
  }
}
