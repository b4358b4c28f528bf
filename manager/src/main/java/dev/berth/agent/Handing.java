package dev.berth.agent;

import dev.berth.deviceplugin.Handover;
import dev.berth.protocols.nri.CDIDevice;
import dev.berth.protocols.nri.ContainerAdjustment;
import dev.berth.protocols.nri.KeyValue;
import dev.berth.protocols.nri.LinuxContainerAdjustment;
import dev.berth.protocols.nri.LinuxDevice;
import dev.berth.protocols.nri.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a device plugin hands to a container, in NRI's words. */
final class Handing {
  private static final int TYPE_BITS = 0170000;
  private static final int BLOCK_DEVICE = 0060000;
  private static final int CHARACTER_DEVICE = 0020000;

  private Handing() {}

  /**
   * Adds it.
   *
   * @throws IOException where a device node is not what it should be
   */
  static void add(
      Handover handover, ContainerAdjustment.Builder adjust, LinuxContainerAdjustment.Builder linux)
      throws IOException {
    handover
        .environment()
        .forEach((key, value) -> adjust.addEnv(KeyValue.newBuilder().setKey(key).setValue(value)));
    for (Handover.Mount mount : handover.mounts()) {
      adjust.addMounts(
          Mount.newBuilder()
              .setDestination(mount.containerPath())
              .setSource(mount.hostPath())
              .setType("bind")
              .addOptions("rbind")
              .addOptions(mount.readOnly() ? "ro" : "rw"));
    }
    adjust.putAllAnnotations(handover.annotations());
    handover
        .cdiDevices()
        .forEach(name -> adjust.addCDIDevices(CDIDevice.newBuilder().setName(name)));
    for (Handover.DeviceNode device : handover.devices()) {
      linux.addDevices(node(device));
    }
  }

  /** A runtime wants a device node's numbers, not its path on the host. */
  private static LinuxDevice node(Handover.DeviceNode device) throws IOException {
    Path path = Path.of(device.hostPath());
    int mode = (Integer) Files.getAttribute(path, "unix:mode");
    long numbers = (Long) Files.getAttribute(path, "unix:rdev");
    String type =
        switch (mode & TYPE_BITS) {
          case BLOCK_DEVICE -> "b";
          case CHARACTER_DEVICE -> "c";
          default ->
              throw new IOException(
                  device.hostPath() + ": expected a device node, found something else");
        };
    return LinuxDevice.newBuilder()
        .setPath(device.containerPath())
        .setType(type)
        .setMajor((numbers >> 8 & 0xfff) | (numbers >> 32 & ~0xfffL))
        .setMinor((numbers & 0xff) | (numbers >> 12 & ~0xffL))
        .build();
  }
}
