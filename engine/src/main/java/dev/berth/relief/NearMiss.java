package dev.berth.relief;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Device;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryAssignments;
import dev.berth.ledger.MemoryBlock;
import dev.berth.ledger.MemoryTable;
import dev.berth.ledger.Node;
import dev.berth.ledger.Owed;
import dev.berth.topology.Domain;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A NUMA node that lacks something for a request that has to be on one node: what, how much, and
 * who has it.
 *
 * @param part the container that asks, or the pod where it is placed as a whole
 * @param node the NUMA node
 * @param resource {@code cpu}, a kind of memory, or a device's resource
 * @param asked what the part asks for; memory in bytes
 * @param free what the node has free, less than that
 * @param reserved what the node keeps back for the system
 * @param holders by uid, what others have of it on this node; memory that several nodes give
 *     together counts on each
 */
public record NearMiss(
    String part,
    int node,
    String resource,
    long asked,
    long free,
    long reserved,
    SortedMap<String, Long> holders) {
  private static final String CPU = "cpu";
  private static final int LISTED = 4;

  /** Takes an unmodifiable copy. */
  public NearMiss {
    holders = Collections.unmodifiableSortedMap(new TreeMap<>(holders));
  }

  /**
   * What each NUMA node lacks for a pod, the one that lacks least first; none where the policy does
   * not want anything on one node.
   */
  public static List<NearMiss> of(Node node, Pod pod) {
    Places places = new Places(node);
    List<NearMiss> misses = new ArrayList<>();
    for (Owed.Part part : Owed.of(node, pod).parts()) {
      if (places.binds(part)) {
        for (int at = 0; at < places.count(); at++) {
          addTo(misses, node, part, places.get(at));
        }
      }
    }
    misses.sort(
        Comparator.comparingDouble(NearMiss::share)
            .thenComparingInt(NearMiss::node)
            .thenComparing(NearMiss::part));
    return List.copyOf(misses);
  }

  /** The part that is missing, from 0 to 1. */
  private double share() {
    return (double) (asked - free) / asked;
  }

  private static void addTo(List<NearMiss> misses, Node node, Owed.Part part, Domain place) {
    SortedMap<String, Long> cpus = new TreeMap<>();
    Holding.all(node)
        .forEach((uid, held) -> add(cpus, uid, place.cpus().sharedWith(held.allCpus())));
    CpuSet free = node.assignable();
    add(
        misses,
        part,
        place,
        CPU,
        part.cpus(),
        place.cpus().sharedWith(free),
        place.cpus().sharedWith(node.reserved()),
        cpus);
    part.memory()
        .forEach((kind, bytes) -> {
          node.memoryAssignments().ifPresent(all -> memory(misses, part, place, kind, bytes, all));
        });
    part.devices()
        .forEach((resource, count) -> devices(misses, node, part, place, resource, count));
  }

  private static void add(Map<String, Long> holders, String uid, long amount) {
    if (amount > 0) {
      holders.merge(uid, amount, Long::sum);
    }
  }

  private static void add(
      List<NearMiss> misses,
      Owed.Part part,
      Domain place,
      String resource,
      long asked,
      long free,
      long reserved,
      SortedMap<String, Long> holders) {
    if (free < asked) {
      misses.add(new NearMiss(part.name(), place.id(), resource, asked, free, reserved, holders));
    }
  }

  private static void memory(
      List<NearMiss> misses,
      Owed.Part part,
      Domain place,
      String kind,
      long bytes,
      MemoryAssignments all) {
    SortedMap<String, Long> holders = new TreeMap<>();
    for (String uid : all.blocks().keySet()) {
      for (MemoryBlock block : all.counted(uid)) {
        if (block.type().equals(kind) && block.nodes().contains(place.id())) {
          add(holders, uid, block.size());
        }
      }
    }
    MemoryAssignments.NodeAccount account = all.nodes().get(place.id());
    MemoryTable table = account == null ? null : account.tables().get(kind);
    long free = table == null ? 0 : table.free();
    long reserved = table == null ? 0 : table.systemReserved();
    add(misses, part, place, kind, bytes, free, reserved, holders);
  }

  private static void devices(
      List<NearMiss> misses, Node node, Owed.Part part, Domain place, String resource, long count) {
    SortedMap<String, Long> holders = new TreeMap<>();
    List<Device> all =
        node.devices().stream().filter(device -> device.resource().equals(resource)).toList();
    if (all.stream().allMatch(device -> device.nodes().isEmpty())) {
      return;
    }
    long free = 0;
    for (Device device : all) {
      if (device.nodes().contains(place.id()) && device.healthy()) {
        List<String> having =
            node.deviceAssignments().ids().keySet().stream()
                .filter(uid -> node.deviceAssignments().ofPod(uid, resource).contains(device.id()))
                .toList();
        having.forEach(uid -> add(holders, uid, 1));
        free += having.isEmpty() ? 1 : 0;
      }
    }
    add(misses, part, place, resource, count, free, 0, holders);
  }

  /** One line for a person; pods by uid. */
  public String text() {
    String have =
        "NUMA node "
            + node
            + (free == 0 ? " has none of the " : " has " + amount(free) + " of the ")
            + Amounts.of(resource, asked)
            + " free that "
            + part
            + " asks for";
    String kept = reserved == 0 ? "" : "reserved " + amount(reserved);
    if (holders.isEmpty()) {
      return have + ", and no more to give" + (kept.isEmpty() ? "" : " (" + kept + ")");
    }
    return have + "; held there: " + held() + (kept.isEmpty() ? "" : "; " + kept);
  }

  private String amount(long some) {
    return resource.equals(CPU) ? String.valueOf(some) : Amounts.of(resource, some);
  }

  private String held() {
    String listed =
        holders.entrySet().stream()
            .sorted(
                Map.Entry.<String, Long>comparingByValue()
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(LISTED)
            .map(entry -> entry.getKey() + " " + amount(entry.getValue()))
            .collect(Collectors.joining(", "));
    int more = holders.size() - LISTED;
    return listed + (more > 0 ? " and " + more + " more" : "");
  }
}
