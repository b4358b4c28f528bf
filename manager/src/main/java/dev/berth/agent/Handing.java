package dev.berth.agent;

import dev.berth.deviceplugin.Handover;
import dev.berth.protocols.nri.CDIDevice;
import dev.berth.protocols.nri.ContainerAdjustment;
import dev.berth.protocols.nri.KeyValue;
import dev.berth.protocols.nri.LinuxDevice;
import dev.berth.protocols.nri.Mount;
import dev.berth.protocols.nri.OptionalFileMode;
import dev.berth.protocols.nri.OptionalUInt32;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** What a device plugin hands to a container, in NRI's words. */
final class Handing {
  private static final int TYPE_BITS = 0170000;
  private static final int PERMISSIONS = 0777;
  private static final int WRITE_BITS = 0222;
  private static final int BLOCK_DEVICE = 0060000;
  private static final int CHARACTER_DEVICE = 0020000;

  private Handing() {}

  /**
   * Says it.
   *
   * @throws IOException where a device node is not what it should be
   */
  static ContainerAdjustment of(Handover handover) throws IOException {
    if (handover.equals(Handover.NONE)) {
      return ContainerAdjustment.getDefaultInstance();
    }
    ContainerAdjustment.Builder adjust = ContainerAdjustment.newBuilder();
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
      adjust.getLinuxBuilder().addDevices(node(device));
    }
    return adjust.build();
  }

  /** A runtime wants a device node's numbers, not its path on the host. */
  private static LinuxDevice node(Handover.DeviceNode device) throws IOException {
    Map<String, Object> attributes = attributes(device.hostPath());
    int mode = (Integer) attribute(attributes, "mode");
    long numbers = (Long) attribute(attributes, "rdev");
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
        // Runtimes let a container's group read and write whatever it is handed: only the node's
        // own
        // permissions can say less.
        .setFileMode(
            OptionalFileMode.newBuilder()
                .setValue(
                    mode & PERMISSIONS & (device.permissions().contains("w") ? ~0 : ~WRITE_BITS)))
        .setUid(number(attribute(attributes, "uid")))
        .setGid(number(attribute(attributes, "gid")))
        .build();
  }

  private static Map<String, Object> attributes(String path) throws IOException {
    try {
      return Files.readAttributes(Path.of(path), "unix:mode,rdev,uid,gid");
    } catch (NoSuchFileException e) {
      throw new IOException(path + ": expected a device node, found none", e);
    }
  }

  private static Object attribute(Map<String, Object> attributes, String name) {
    return Objects.requireNonNull(attributes.get(name), name);
  }

  private static OptionalUInt32.Builder number(Object id) {
    return OptionalUInt32.newBuilder().setValue((Integer) id);
  }
}
