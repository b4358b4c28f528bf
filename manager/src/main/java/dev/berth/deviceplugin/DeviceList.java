package dev.berth.deviceplugin;

import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.Device;
import dev.berth.protocols.deviceplugin.ListAndWatchResponse;
import dev.berth.protocols.deviceplugin.NUMANode;
import dev.berth.rpc.Lines;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The devices that a plugin reports, as the ledger knows them: pure. */
final class DeviceList {
  /**
   * How many devices a resource may have. Some plugins report every MiB of a GPU's memory as one,
   * which stays below it.
   */
  static final int MOST = 1 << 15;

  private static final int LONGEST_ID = 1024;

  /** Linux knows no node beyond; a plugin that knows of no node may say -1. */
  private static final int NODES = 1024;

  private static final String HEALTHY = "Healthy";

  private DeviceList() {}

  /**
   * Reads a list.
   *
   * @throws InvalidInputException where it has too many, one twice, or one without a usable id
   */
  static List<Device> read(String resource, ListAndWatchResponse response) {
    if (response.getDevicesCount() > MOST) {
      throw invalid(resource, "at most " + MOST + " devices", "" + response.getDevicesCount());
    }
    List<Device> devices = new ArrayList<>(response.getDevicesCount());
    Set<String> ids = new HashSet<>();
    for (var device : response.getDevicesList()) {
      String id = device.getID();
      if (id.isEmpty()
          || id.length() > LONGEST_ID
          || id.chars().anyMatch(Character::isISOControl)) {
        throw invalid(resource, "ids of devices", "\"" + Lines.shortened(id) + "\"");
      }
      if (!ids.add(id)) {
        throw invalid(resource, "every device once", id + " again");
      }
      int[] nodes =
          device.getTopology().getNodesList().stream()
              .mapToLong(NUMANode::getID)
              .filter(node -> node >= 0 && node < NODES)
              .mapToInt(Math::toIntExact)
              .toArray();
      devices.add(new Device(resource, id, NodeSet.of(nodes), device.getHealth().equals(HEALTHY)));
    }
    return List.copyOf(devices);
  }

  private static InvalidInputException invalid(String resource, String expected, String found) {
    return new InvalidInputException(
        "device plugin of " + resource + ": expected " + expected + ", found " + found);
  }
}
