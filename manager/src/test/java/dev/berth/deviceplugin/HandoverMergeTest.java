package dev.berth.deviceplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.protocols.deviceplugin.CDIDevice;
import dev.berth.protocols.deviceplugin.ContainerAllocateResponse;
import dev.berth.protocols.deviceplugin.DeviceSpec;
import dev.berth.protocols.deviceplugin.Mount;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandoverMergeTest {
  private final HandoverMerge merge = new HandoverMerge();

  private static ContainerAllocateResponse.Builder response() {
    return ContainerAllocateResponse.newBuilder();
  }

  private static DeviceSpec.Builder node(String path, String permissions) {
    return DeviceSpec.newBuilder()
        .setContainerPath(path)
        .setHostPath("/dev/null")
        .setPermissions(permissions);
  }

  private static Mount.Builder mount(String path, String host) {
    return Mount.newBuilder().setContainerPath(path).setHostPath(host).setReadOnly(true);
  }

  @Test
  void everyKindIsHandedOn() {
    merge.add(
        "a/gpu",
        response()
            .putEnvs("GPU", "0")
            .addMounts(mount("/lib/gpu", "/usr/lib/gpu"))
            .addDevices(node("/dev/gpu", "rwm"))
            .addCdiDevices(CDIDevice.newBuilder().setName("a/gpu=0"))
            .putAnnotations("gpu", "0")
            .build());
    Handover handover = merge.handover();
    assertThat(handover.environment()).containsEntry("GPU", "0").hasSize(1);
    assertThat(handover.mounts())
        .containsExactly(new Handover.Mount("/lib/gpu", "/usr/lib/gpu", true));
    assertThat(handover.devices())
        .containsExactly(new Handover.DeviceNode("/dev/gpu", "/dev/null", "rwm"));
    assertThat(handover.cdiDevices()).containsExactly("a/gpu=0");
    assertThat(handover.annotations()).containsEntry("gpu", "0").hasSize(1);
    assertThat(handover.conflicts()).isEmpty();
  }

  @Test
  void theSameTwiceIsOnceAndNoConflict() {
    ContainerAllocateResponse same =
        response()
            .putEnvs("DRIVER", "1")
            .addMounts(mount("/lib/driver", "/usr/lib/driver"))
            .addCdiDevices(CDIDevice.newBuilder().setName("a/driver=all"))
            .build();
    merge.add("a/gpu", same);
    merge.add("a/nic", same);
    Handover handover = merge.handover();
    assertThat(handover.mounts()).hasSize(1);
    assertThat(handover.cdiDevices()).hasSize(1);
    assertThat(handover.conflicts()).isEmpty();
  }

  @Test
  void whatTwoWantDifferentlyIsNamedAndTheFirstHolds() {
    merge.add(
        "a/gpu",
        response().addMounts(mount("/lib/x", "/one")).addDevices(node("/dev/x", "r")).build());
    merge.add(
        "a/nic",
        response().addMounts(mount("/lib/x", "/two")).addDevices(node("/dev/x", "rw")).build());
    Handover handover = merge.handover();
    assertThat(handover.mounts()).extracting(Handover.Mount::hostPath).containsExactly("/one");
    assertThat(handover.devices())
        .extracting(Handover.DeviceNode::permissions)
        .containsExactly("r");
    assertThat(handover.conflicts())
        .containsExactly(
            "mount /lib/x: a/nic wants it differently than a resource before it, which holds",
            "device /dev/x: a/nic wants it differently than a resource before it, which holds");
  }

  @Test
  void whatNoContainerCanHaveIsRefused() {
    List<ContainerAllocateResponse> bad =
        List.of(
            response().putEnvs("A=B", "1").build(),
            response().putEnvs("A", "1\0").build(),
            response().addMounts(mount("", "/x")).build(),
            response().addMounts(mount("/x", "/y\0")).build(),
            response().addDevices(node("/dev/x", "rx")).build(),
            response().addCdiDevices(CDIDevice.getDefaultInstance()).build());
    assertThat(bad)
        .allSatisfy(response ->
            assertThatThrownBy(() -> new HandoverMerge().add("a/gpu", response))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("device plugin of a/gpu: expected a "));
  }
}
