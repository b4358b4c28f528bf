package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.deviceplugin.Handover;
import dev.berth.protocols.nri.CDIDevice;
import dev.berth.protocols.nri.ContainerAdjustment;
import dev.berth.protocols.nri.KeyValue;
import dev.berth.protocols.nri.LinuxDevice;
import dev.berth.protocols.nri.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
  void everythingElseIsHandedOnToo() throws Exception {
    Handover handover =
        new Handover(
            new TreeMap<>(Map.of("DEVICES", "gpu-0", "LEVEL", "")),
            List.of(
                new Handover.Mount("/given", "/srv/given", true),
                new Handover.Mount("/scratch", "/srv/scratch", false)),
            List.of(),
            List.of("vendor.example/gpu=gpu-0", "vendor.example/gpu=gpu-1"),
            new TreeMap<>(Map.of("vendor.example/given", "gpu-0")),
            List.of());
    ContainerAdjustment adjust = Handing.of(handover);
    assertThat(adjust.getEnvList())
        .extracting(KeyValue::getKey, KeyValue::getValue)
        .containsExactly(tuple("DEVICES", "gpu-0"), tuple("LEVEL", ""));
    assertThat(adjust.getMountsList())
        .extracting(Mount::getDestination, Mount::getSource, Mount::getType)
        .containsExactly(
            tuple("/given", "/srv/given", "bind"), tuple("/scratch", "/srv/scratch", "bind"));
    assertThat(adjust.getMounts(0).getOptionsList()).containsExactly("rbind", "ro");
    assertThat(adjust.getMounts(1).getOptionsList()).containsExactly("rbind", "rw");
    assertThat(adjust.getCDIDevicesList())
        .extracting(CDIDevice::getName)
        .containsExactly("vendor.example/gpu=gpu-0", "vendor.example/gpu=gpu-1");
    assertThat(adjust.getAnnotationsMap()).isEqualTo(Map.of("vendor.example/given", "gpu-0"));
    assertThat(adjust.hasLinux()).isFalse();
  }

  @Test
  void nothingIsHandedOnWhereNothingIs() throws Exception {
    assertThat(Handing.of(Handover.NONE)).isEqualTo(ContainerAdjustment.getDefaultInstance());
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
