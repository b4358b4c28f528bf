package dev.berth.ledger;

import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Nodes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The devices of one resource, whoever has them. Immutable; replaced when the devices change. */
final class DeviceStock {
  private final String resource;
  private final SortedMap<String, Device> devices = new TreeMap<>(DeviceOrder.BY_ID);
  private final NodeSet machineNodes;
  private final NodeSet nodes;
  private final boolean placed;
  private final boolean healthy;

  DeviceStock(String resource, List<Device> list, Nodes machine) {
    this.resource = resource;
    machineNodes = machine.all();
    NodeSet near = NodeSet.EMPTY;
    for (Device device : list) {
      if (!device.resource().equals(resource)) {
        throw new InvalidInputException(
            "devices of " + resource + ": expected no other, found one of " + device.resource());
      }
      if (devices.put(device.id(), device) != null) {
        throw new InvalidInputException(
            "devices of " + resource + ": expected every id once, found " + device.id() + " again");
      }
      near = near.union(device.nodes());
    }
    placed = !near.isEmpty();
    nodes = near.intersection(machineNodes);
    healthy = list.stream().anyMatch(Device::healthy);
  }

  String resource() {
    return resource;
  }

  /** Whether the place of any of them is known; if not, none is better than another. */
  boolean isPlaced() {
    return placed;
  }

  /** Whether any of them may be given. */
  boolean hasHealthy() {
    return healthy;
  }

  /** The machine's nodes that have such devices. */
  NodeSet nodes() {
    return nodes;
  }

  /** All of them, lowest id first. */
  List<Device> all() {
    return List.copyOf(devices.values());
  }

  /** Whether all of these are still here. */
  boolean hasAll(Collection<String> ids) {
    return devices.keySet().containsAll(ids);
  }

  /** Those of these that are still here, in the same order. */
  List<Device> some(Collection<String> ids) {
    List<Device> some = new ArrayList<>();
    for (String id : ids) {
      Device device = devices.get(id);
      if (device != null) {
        some.add(device);
      }
    }
    return some;
  }

  /** Those that can be given, lowest id first. */
  List<Device> free(Set<String> inUse, Set<String> alsoInUse) {
    List<Device> free = new ArrayList<>();
    for (Device device : devices.values()) {
      if (device.healthy() && !inUse.contains(device.id()) && !alsoInUse.contains(device.id())) {
        free.add(device);
      }
    }
    return free;
  }

  /** The machine's nodes that each of these is near. */
  List<NodeSet> places(List<Device> some) {
    return some.stream().map(device -> device.nodes().intersection(machineNodes)).toList();
  }

  /** The unknown nodes that its devices name, which are ignored. */
  NodeSet unknownNodes() {
    NodeSet near = NodeSet.EMPTY;
    for (Device device : devices.values()) {
      near = near.union(device.nodes());
    }
    return near.difference(machineNodes);
  }
}
