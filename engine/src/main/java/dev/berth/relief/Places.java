package dev.berth.relief;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Device;
import dev.berth.ledger.Node;
import dev.berth.ledger.Owed;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import java.util.Arrays;
import java.util.List;

/** The NUMA nodes of a machine as places, each of which has to hold all CPUs of some requests. */
final class Places {
  /** Beyond this the packing would cost more than a trial. */
  private static final int MOST_PACKED = 10;

  private static final String ALIGN_BY_SOCKET = "align-by-socket";

  private final Node node;
  private final List<Domain> nodes;
  private final boolean always;
  private final boolean wherePossible;

  Places(Node node) {
    this.node = node;
    nodes = node.machine().domains(Level.NODE);
    Policy policy = node.configuration().topology().policy();
    always = policy == Policy.SINGLE_NUMA_NODE;
    wherePossible =
        policy == Policy.RESTRICTED && !node.configuration().optionsOn().contains(ALIGN_BY_SOCKET);
  }

  /** Whether the policy lets nothing be on more than one node. */
  boolean isAlwaysOne() {
    return always;
  }

  int count() {
    return nodes.size();
  }

  Domain get(int position) {
    return nodes.get(position);
  }

  /** Whether the policy lets these CPUs in only on one NUMA node. */
  boolean binds(Owed.Part part) {
    return part.cpus() > 0 && (always || (wherePossible && part.cpus() <= largest()));
  }

  /** Reserved CPUs count, as they do where the policy decides what would be possible. */
  private int largest() {
    return nodes.stream().mapToInt(Domain::size).max().orElse(0);
  }

  /** How many of these CPUs each node has. */
  int[] spread(CpuSet cpus) {
    return nodes.stream().mapToInt(place -> place.cpus().sharedWith(cpus)).toArray();
  }

  /** The nodes that ever have the devices of a part, whoever has them now. */
  boolean[] near(Owed.Part part) {
    boolean[] near = new boolean[nodes.size()];
    Arrays.fill(near, true);
    part.devices()
        .forEach((resource, count) -> {
          List<Device> all =
              node.devices().stream().filter(one -> one.resource().equals(resource)).toList();
          boolean placed = all.stream().anyMatch(one -> !one.nodes().isEmpty());
          boolean single =
              node.machine().nodes().stream().anyMatch(n -> near(all, n.id(), false) >= count);
          for (int i = 0; i < near.length && placed && (always || single); i++) {
            near[i] &= near(all, nodes.get(i).id(), true) >= count;
          }
        });
    return near;
  }

  /** One without a place is counted everywhere: this is a bound, not a choice. */
  private static long near(List<Device> devices, int id, boolean healthyOnly) {
    return devices.stream()
        .filter(one -> one.nodes().isEmpty() || one.nodes().contains(id))
        .filter(one -> one.healthy() || !healthyOnly)
        .count();
  }

  /**
   * Whether the nodes of a set of parts and the room of each let all of them be on one node each.
   */
  boolean canHold(List<Item> items, int[] room) {
    List<Item> lasting = items.stream().filter(Item::isLasting).toList();
    for (Item item : items) {
      if (item.fit(room, 0) < 0) {
        return false;
      }
    }
    return lasting.size() > MOST_PACKED || pack(lasting, 0, room.clone());
  }

  private static boolean pack(List<Item> items, int index, int[] room) {
    if (index == items.size()) {
      return true;
    }
    Item item = items.get(index);
    for (int at = item.fit(room, 0); at >= 0; at = item.fit(room, at + 1)) {
      room[at] -= item.cpus();
      if (pack(items, index + 1, room)) {
        return true;
      }
      room[at] += item.cpus();
    }
    return false;
  }

  List<Item> items(Owed owed) {
    return owed.parts().stream().filter(this::binds).map(this::item).toList();
  }

  Item item(Owed.Part part) {
    return new Item(part.cpus(), near(part), part.lasting());
  }
}
