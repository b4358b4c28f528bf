package dev.berth.ledger;

import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.Hint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Picks devices of one resource for one container.
 *
 * <p>What an init container left comes first, near ones before others. Then those near the agreed
 * nodes; then, where they are too few, the other ones that have a place, and at last those without.
 * Wherever some are left over, the maker's advice decides, and beyond it the lowest id.
 */
final class DevicePick {
  private final DeviceStock stock;
  private final int count;
  private final List<Device> free;
  private final List<Device> reusable;
  private final List<Device> near = new ArrayList<>();
  private final List<Device> elsewhere = new ArrayList<>();
  private final List<Device> placeless = new ArrayList<>();
  private final Map<String, Device> picked = new LinkedHashMap<>();

  DevicePick(DeviceStock stock, Hint place, int count, List<Device> free, List<Device> reusable) {
    this.stock = stock;
    this.count = count;
    this.free = free;
    NodeSet nodes =
        stock.isPlaced() && place.affinity() instanceof Affinity.To(var agreed)
            ? agreed
            : NodeSet.EMPTY;
    this.reusable =
        Stream.concat(
                reusable.stream().filter(device -> device.nodes().intersects(nodes)),
                reusable.stream().filter(device -> !device.nodes().intersects(nodes)))
            .toList();
    for (Device device : free) {
      boolean nowhere = nodes.isEmpty() || device.nodes().isEmpty();
      (nowhere ? placeless : device.nodes().intersects(nodes) ? near : elsewhere).add(device);
    }
  }

  /** The ids of the picked ones, lowest first. */
  List<String> ids() {
    return picked.keySet().stream().sorted(DeviceOrder.BY_ID).toList();
  }

  /** Picks; what is returned is why it cannot, if so. */
  Optional<String> choose(String container, Advice advice) {
    take(reusable);
    int needed = count - picked.size();
    if (needed == 0) {
      return Optional.empty();
    }
    if (free.size() < needed) {
      return Optional.of(
          "requested number of devices unavailable for "
              + stock.resource()
              + ". Requested: "
              + needed
              + ", Available: "
              + free.size());
    }
    if (needed < near.size()) {
      return takeAdvised(container, advice, near);
    }
    take(near);
    if (picked.size() == count) {
      return Optional.empty();
    }
    return takeAdvised(container, advice, free);
  }

  /** Takes what is advised among these, and the rest in order. */
  private Optional<String> takeAdvised(String container, Advice advice, List<Device> among) {
    List<Device> included = List.copyOf(picked.values());
    List<Device> available = new ArrayList<>(included);
    among.stream().filter(device -> !picked.containsKey(device.id())).forEach(available::add);
    available.sort((one, other) -> DeviceOrder.BY_ID.compare(one.id(), other.id()));
    Advice.Answer answer =
        advice.ask(container, stock.resource(), List.copyOf(available), included, count);
    if (answer.fault().isPresent()) {
      return Optional.of(
          "device plugin GetPreferredAllocation rpc failed with err: " + answer.fault().get());
    }
    take(among.stream().filter(device -> answer.ids().contains(device.id())).toList());
    take(near);
    take(elsewhere);
    take(placeless);
    return Optional.empty();
  }

  /** Takes from these until there are enough. */
  private void take(Collection<Device> devices) {
    for (Device device : devices) {
      if (picked.size() == count) {
        return;
      }
      picked.putIfAbsent(device.id(), device);
    }
  }
}
