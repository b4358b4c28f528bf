package dev.berth.explain;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where a container sits, as the machine sees it.
 *
 * @param container its name
 * @param cpus its CPUs
 * @param own whether nobody else has them
 * @param sockets the sockets, by id, on which they are
 * @param nodes the NUMA nodes
 * @param caches the L3 caches
 * @param wholeCores how many cores it has all of
 * @param splitCores how many cores it has a part of
 * @param neighbours by uid, who else has CPUs of its own below the same L3 caches, and how many;
 *     nobody on a machine where all CPUs are below one
 */
public record Sitting(
    String container,
    CpuSet cpus,
    boolean own,
    List<Integer> sockets,
    List<Integer> nodes,
    List<Integer> caches,
    int wholeCores,
    int splitCores,
    SortedMap<String, Integer> neighbours) {
  /** Takes copies. */
  public Sitting {
    sockets = List.copyOf(sockets);
    nodes = List.copyOf(nodes);
    caches = List.copyOf(caches);
    neighbours = Collections.unmodifiableSortedMap(new TreeMap<>(neighbours));
  }

  /** Where the containers of a pod sit on a node now. */
  static List<Sitting> of(Node node, Pod pod) {
    List<Sitting> all = new ArrayList<>();
    for (Container container : pod.containers()) {
      CpuSet own = node.cpusOf(pod.uid(), container.name()).orElse(CpuSet.EMPTY);
      all.add(of(node, pod.uid(), container.name(), own));
    }
    return all;
  }

  private static Sitting of(Node node, String pod, String container, CpuSet own) {
    Machine machine = node.machine();
    CpuSet cpus = own.isEmpty() ? node.shared() : own;
    List<Domain> cores =
        machine.domains(Level.CORE).stream().filter(core -> core.cpus().intersects(cpus)).toList();
    int whole = (int) cores.stream().filter(core -> core.cpus().isSubsetOf(cpus)).count();
    return new Sitting(
        container,
        cpus,
        !own.isEmpty(),
        places(machine, Level.SOCKET, cpus),
        places(machine, Level.NODE, cpus),
        places(machine, Level.CACHE, cpus),
        whole,
        cores.size() - whole,
        own.isEmpty() ? Collections.emptySortedMap() : neighbours(node, pod, own));
  }

  private static List<Integer> places(Machine machine, Level level, CpuSet cpus) {
    return machine.domains(level).stream()
        .filter(place -> place.cpus().intersects(cpus))
        .map(Domain::id)
        .sorted()
        .toList();
  }

  private static SortedMap<String, Integer> neighbours(Node node, String pod, CpuSet own) {
    SortedMap<String, Integer> found = new TreeMap<>();
    List<Domain> caches = node.machine().domains(Level.CACHE);
    if (caches.size() == 1) {
      return found;
    }
    CpuSet near = CpuSet.EMPTY;
    for (Domain cache : caches) {
      near = cache.cpus().intersects(own) ? near.union(cache.cpus()) : near;
    }
    CpuSet around = near;
    Holding.all(node)
        .forEach((uid, held) -> {
          int there = around.sharedWith(held.allCpus());
          if (there > 0 && !uid.equals(pod)) {
            found.put(uid, there);
          }
        });
    return found;
  }

  /** How far apart it is, the most important first: less is better. */
  List<Integer> spread() {
    return List.of(sockets.size(), nodes.size(), caches.size(), splitCores);
  }
}
