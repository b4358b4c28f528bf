package dev.berth.relief;

import dev.berth.cpu.CpuSet;
import dev.berth.hints.Reason;
import dev.berth.ledger.Device;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryAssignments;
import dev.berth.ledger.MemoryBlock;
import dev.berth.ledger.MemoryTable;
import dev.berth.ledger.Node;
import dev.berth.ledger.Owed;
import dev.berth.relief.NearMiss.InPlace;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts what a node lacks for a pod. */
final class Misses {
  private static final String CPU = "cpu";
  private static final String FULL_CORES = "full-pcpus-only";

  private final Node node;
  private final Pod pod;
  private final Owed owed;
  private final Map<String, Holding> holdings;

  Misses(Node node, Pod pod) {
    this.node = node;
    this.pod = pod;
    owed = Owed.of(node, pod);
    holdings = Holding.all(node);
  }

  List<NearMiss> of(Reason reason) {
    List<NearMiss> misses = new ArrayList<>();
    switch (reason) {
      case CACHE_ALIGNMENT -> misses.addAll(byCache());
      case SMT_ALIGNMENT -> wholeCores().ifPresent(misses::add);
      case TOPOLOGY_AFFINITY, UNEXPECTED, EMPTY_POD_SHARED_POOL -> {}
    }
    misses.addAll(byNode());
    return List.copyOf(misses);
  }

  private static List<InPlace> sorted(List<InPlace> misses) {
    misses.sort(
        Comparator.comparingDouble(InPlace::share)
            .thenComparingInt(InPlace::place)
            .thenComparing(InPlace::part));
    return misses;
  }

  private List<InPlace> byNode() {
    Places places = new Places(node);
    List<InPlace> misses = new ArrayList<>();
    for (Owed.Part part : owed.parts()) {
      if (places.binds(part)) {
        for (int at = 0; at < places.count(); at++) {
          addTo(misses, part, places.get(at));
        }
      }
    }
    return sorted(misses);
  }

  /** One that is larger than every cache may be below several. */
  private List<InPlace> byCache() {
    List<Domain> caches = node.machine().domains(Level.CACHE);
    int largest = caches.stream().mapToInt(Domain::size).max().orElse(0);
    CpuSet kept = keptBack();
    CpuSet free = node.assignable().difference(kept);
    List<InPlace> misses = new ArrayList<>();
    cpusByContainer()
        .forEach((name, asked) -> {
          for (Domain cache : caches) {
            if (asked <= largest) {
              cpus(misses, name, Level.CACHE, cache, asked, free, kept);
            }
          }
        });
    return sorted(misses);
  }

  /**
   * Caches are chosen by container also where the pod is placed as a whole, unless it has a budget:
   * that may be below several.
   */
  private SortedMap<String, Integer> cpusByContainer() {
    SortedMap<String, Integer> asked = new TreeMap<>();
    if (pod.budget().isPresent()) {
      owed.parts().forEach(part -> asked.put(part.name(), part.cpus()));
    } else {
      for (Container container : pod.containers()) {
        asked.put(container.name(), pod.exclusiveCpus(container));
      }
    }
    return asked;
  }

  /** Where only whole cores are given away, nobody gets the rest of a reserved one either. */
  private CpuSet keptBack() {
    CpuSet kept = node.reserved();
    if (node.configuration().optionsOn().contains(FULL_CORES)) {
      for (Domain core : node.machine().domains(Level.CORE)) {
        kept = core.cpus().intersects(node.reserved()) ? kept.union(core.cpus()) : kept;
      }
    }
    return kept.difference(node.exclusive());
  }

  /** Cores are not bound to a place, so all that the pod needs at one time counts. */
  private Optional<NearMiss> wholeCores() {
    CpuSet assignable = node.assignable();
    int whole = 0;
    int split = 0;
    long free = 0;
    for (Domain core : node.machine().domains(Level.CORE)) {
      boolean all = core.cpus().isSubsetOf(assignable);
      whole += all ? 1 : 0;
      free += all ? core.size() : 0;
      split += !all && core.cpus().intersects(assignable) ? 1 : 0;
    }
    String name = pod.containers().size() == 1 ? pod.containers().getFirst().name() : pod.uid();
    return free < owed.cpus()
        ? Optional.of(new NearMiss.WholeCores(name, owed.cpus(), free, whole, split))
        : Optional.empty();
  }

  private void cpus(
      List<InPlace> misses,
      String part,
      Level level,
      Domain place,
      int asked,
      CpuSet free,
      CpuSet reserved) {
    SortedMap<String, Long> holders = new TreeMap<>();
    holdings.forEach((uid, held) -> add(holders, uid, place.cpus().sharedWith(held.allCpus())));
    add(
        misses,
        new InPlace(
            part,
            level,
            place.id(),
            CPU,
            asked,
            place.cpus().sharedWith(free),
            place.cpus().sharedWith(reserved),
            holders));
  }

  private static void add(List<InPlace> misses, InPlace candidate) {
    if (candidate.free() < candidate.asked()) {
      misses.add(candidate);
    }
  }

  private void addTo(List<InPlace> misses, Owed.Part part, Domain place) {
    cpus(misses, part.name(), Level.NODE, place, part.cpus(), node.assignable(), node.reserved());
    part.memory()
        .forEach((kind, bytes) -> {
          node.memoryAssignments().ifPresent(all -> memory(misses, part, place, kind, bytes, all));
        });
    part.devices().forEach((resource, count) -> devices(misses, part, place, resource, count));
  }

  private static void add(Map<String, Long> holders, String uid, long amount) {
    if (amount > 0) {
      holders.merge(uid, amount, Long::sum);
    }
  }

  private static void memory(
      List<InPlace> misses,
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
    add(
        misses,
        new InPlace(part.name(), Level.NODE, place.id(), kind, bytes, free, reserved, holders));
  }

  private void devices(
      List<InPlace> misses, Owed.Part part, Domain place, String resource, long count) {
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
    add(
        misses,
        new InPlace(part.name(), Level.NODE, place.id(), resource, count, free, 0, holders));
  }
}
