package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.deviceplugin.Handover;
import dev.berth.protocols.nri.LinuxDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HandingTest {
  @TempDir private Path folder;

  private static LinuxDevice handed(String hostPath, String permissions) throws IOException {
    Handover handover =
        new Handover(
            new TreeMap<>(),
            List.of(),
            List.of(new Handover.DeviceNode("/dev/given", hostPath, permissions)),
            List.of(),
            new TreeMap<>(),
            List.of());
    return Handing.of(handover).getLinux().getDevices(0);
  }

  /** One like /dev/null, which belongs to somebody. */
  private String node(int mode) throws IOException, InterruptedException {
    Path node = folder.resolve("node");
    Process made = new ProcessBuilder("mknod", node.toString(), "c", "1", "3").inheritIO().start();
    assertThat(made.waitFor()).isZero();
    Files.setAttribute(node, "unix:mode", mode);
    Files.setAttribute(node, "unix:uid", 1_234);
    Files.setAttribute(node, "unix:gid", 5_678);
    return node.toString();
  }

  @Test
  void aNodeIsHandedOnWithItsOwnerAndMode() throws Exception {
    LinuxDevice device = handed(node(0640), "rwm");
    assertThat(device.getType()).isEqualTo("c");
    assertThat(device.getMajor()).isEqualTo(1);
    assertThat(device.getMinor()).isEqualTo(3);
    assertThat(device.getFileMode().getValue()).isEqualTo(0640);
    assertThat(device.getUid().getValue()).isEqualTo(1_234);
    assertThat(device.getGid().getValue()).isEqualTo(5_678);
  }

  @Test
  void whatMayOnlyBeReadCannotBeWritten() throws Exception {
    assertThat(handed(node(0662), "r").getFileMode().getValue()).isEqualTo(0440);
  }

  @Test
  void aRootsNodeIsToldAsOne() throws Exception {
    LinuxDevice device = handed("/dev/null", "rw");
    assertThat(device.hasUid()).isTrue();
    assertThat(device.hasGid()).isTrue();
    assertThat(device.getFileMode().getValue()).isEqualTo(0666);
  }

  @Test
  void whatIsNoNodeIsNamed() throws Exception {
    String missing = folder.resolve("none").toString();
    assertThatThrownBy(() -> handed(missing, "rw"))
        .hasMessage(missing + ": expected a device node, found none");
    String file = Files.createFile(folder.resolve("file")).toString();
    assertThatThrownBy(() -> handed(file, "rw"))
        .hasMessage(file + ": expected a device node, found something else");
  }
}
