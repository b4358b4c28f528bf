package dev.berth.hwloc;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.topology.CoreKind;
import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;
import dev.berth.topology.NodeMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Collects the objects of a topology file and makes a machine of their sets. */
final class HwlocMachine {
  /** Objects that group CPUs. */
  enum Kind {
    PACKAGE,
    DIE,
    L3,
    CLUSTER,
    CORE
  }

  private record Place(int id, CpuSet cpus) {}

  private record Matrix(List<Integer> indexes, List<Double> values, double base) {}

  private static final class Node {
    final CpuSet cpus;
    long bytes;
    final SortedMap<Long, Long> pages = new TreeMap<>();

    Node(CpuSet cpus) {
      this.cpus = cpus;
    }
  }

  private final Map<Kind, List<Place>> places = new EnumMap<>(Kind.class);
  private final SortedMap<Integer, Node> nodes = new TreeMap<>();
  private final List<Integer> nodeOrder = new ArrayList<>();
  private final List<CoreKind> kinds = new ArrayList<>();
  private CpuSet cpus = CpuSet.EMPTY;
  private CpuSet complete = CpuSet.EMPTY;
  private CpuSet allowed = CpuSet.EMPTY;
  private String name;
  private boolean named;
  private final List<Matrix> matrices = new ArrayList<>();

  /** What memory and pages belong to: the NUMA node that is open, or the whole machine. */
  private Node current = new Node(CpuSet.EMPTY);

  private final Node whole = current;

  HwlocMachine(String name) {
    this.name = name;
    for (Kind kind : Kind.values()) {
      places.put(kind, new ArrayList<>());
    }
  }

  void whole(CpuSet all, CpuSet known, CpuSet usable) {
    complete = known.union(all);
    allowed = usable;
    current = whole;
  }

  void place(Kind kind, int id, CpuSet members) {
    places.getOrDefault(kind, List.of()).add(new Place(id, members));
    current = new Node(members);
  }

  void other() {
    current = new Node(CpuSet.EMPTY);
  }

  void cpu(int id, CpuSet members) {
    cpus = cpus.union(id < 0 ? members : CpuSet.of(id));
    current = new Node(members);
  }

  void node(int id, CpuSet members) {
    current = new Node(members);
    if (nodes.putIfAbsent(id, current) != null) {
      throw new InvalidInputException(
          "hwloc xml: expected every NUMANode once, found " + id + " again");
    }
    nodeOrder.add(id);
  }

  void memory(long bytes) {
    current.bytes = bytes;
  }

  void pages(long size, long count) {
    current.pages.put(size >> 10, count);
  }

  void info(String key, String value) {
    boolean ours = key.equals(HwlocWriter.NAME);
    if (ours || (!named && (key.equals("HostName") || key.equals("SyntheticDescription")))) {
      name = value;
      named = true;
    }
  }

  void kind(CpuSet members) {
    kinds.add(new CoreKind("kind " + kinds.size(), members, 0));
  }

  void kindInfo(String key, String value) {
    CoreKind last = kinds.removeLast();
    kinds.add(
        switch (key) {
          case "CoreType" -> new CoreKind(kindName(value), last.cpus(), last.capacity());
          case "LinuxCapacity" ->
              new CoreKind(
                  last.name(),
                  last.cpus(),
                  value.matches("[0-9]{1,6}") ? Integer.parseInt(value) : 0);
          default -> last;
        });
  }

  private static String kindName(String coreType) {
    return switch (coreType) {
      case "IntelCore" -> "performance";
      case "IntelAtom" -> "efficiency";
      default -> coreType.toLowerCase(Locale.ROOT);
    };
  }

  /** Keeps a matrix until all nodes are known; version 1 puts it before them. */
  void distances(List<Integer> indexes, List<Double> values, double base) {
    matrices.add(new Matrix(List.copyOf(indexes), List.copyOf(values), base));
  }

  /** The rows in the order of the node ids, or null for a matrix of other objects. */
  private int @Nullable [][] rows(Matrix matrix) {
    List<Integer> order = matrix.indexes.isEmpty() ? nodeOrder : matrix.indexes;
    int count = order.size();
    if (matrix.values.size() != count * count || !new HashSet<>(order).equals(nodes.keySet())) {
      return null;
    }
    List<Integer> sorted = List.copyOf(nodes.keySet());
    int[][] rows = new int[count][count];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        long distance = Math.round(matrix.values.get(i * count + j) * matrix.base);
        rows[sorted.indexOf(order.get(i))][sorted.indexOf(order.get(j))] = (int) distance;
      }
    }
    return Arrays.stream(rows).flatMapToInt(Arrays::stream).allMatch(d -> d > 0) ? rows : null;
  }

  Machine build() {
    CpuSet usable = allowed.isEmpty() ? cpus : cpus.intersection(allowed);
    if (usable.isEmpty()) {
      throw new InvalidInputException("hwloc xml: expected at least one PU, found none");
    }
    MachineBuilder builder = Machine.builder(name);
    CpuSet left = cpus.difference(usable);
    if (!left.isEmpty()) {
      builder.note(
          "CPUs " + left + " are left out: the file says that only " + usable + " are allowed");
    }
    int[] sockets = names(Kind.PACKAGE, usable, null);
    int[] caches = names(Kind.L3, usable, sockets);
    int[] cores = cores(usable);
    int[] home = homes(usable);
    usable.forEach(cpu -> builder.cpu(cpu, cores[cpu], sockets[cpu], home[cpu], caches[cpu]));
    tellNodes(builder);
    tellGroups(builder, usable, sockets);
    if (kinds.size() > 1) {
      // hwloc sorts from the weakest to the strongest.
      Collections.reverse(kinds);
      kinds.stream()
          .filter(kind -> kind.cpus().intersects(usable))
          .map(kind -> new CoreKind(kind.name(), kind.cpus().intersection(usable), kind.capacity()))
          .forEach(builder::kind);
    }
    return builder.offline(complete.difference(cpus)).build();
  }

  /**
   * The name of each CPU's place: the file's os_index where it tells all places apart, else the
   * lowest CPU; {@code otherwise}, or 0, where a CPU is in none.
   */
  private int[] names(Kind kind, CpuSet usable, int @Nullable [] otherwise) {
    int[] result = otherwise == null ? new int[usable.last() + 1] : otherwise.clone();
    List<Place> known =
        places.getOrDefault(kind, List.of()).stream()
            .filter(place -> place.cpus.intersects(usable))
            .toList();
    Set<Integer> ids = new HashSet<>();
    boolean keep = known.stream().allMatch(place -> place.id >= 0 && ids.add(place.id));
    for (Place place : known) {
      CpuSet members = place.cpus.intersection(usable);
      int id = keep ? place.id : members.first();
      members.forEach(cpu -> result[cpu] = id);
    }
    return result;
  }

  private int[] cores(CpuSet usable) {
    int[] result = new int[usable.last() + 1];
    usable.forEach(cpu -> result[cpu] = cpu);
    for (Place place : places.getOrDefault(Kind.CORE, List.of())) {
      CpuSet members = place.cpus.intersection(usable);
      members.forEach(cpu -> result[cpu] = members.first());
    }
    return result;
  }

  /**
   * The smallest node around each CPU; ties go to the lowest id. Version 1 has none on small
   * machines.
   */
  private int[] homes(CpuSet usable) {
    int[] home = new int[usable.last() + 1];
    if (nodes.isEmpty()) {
      return home;
    }
    usable.forEach(cpu -> {
      int best = -1;
      int size = Integer.MAX_VALUE;
      for (Map.Entry<Integer, Node> node : nodes.entrySet()) {
        CpuSet near = node.getValue().cpus;
        if (near.contains(cpu) && near.size() < size) {
          best = node.getKey();
          size = near.size();
        }
      }
      if (best < 0) {
        throw new InvalidInputException(
            "hwloc xml: expected CPU "
                + cpu
                + " in a NUMANode, found it in none of "
                + nodes.keySet());
      }
      home[cpu] = best;
    });
    return home;
  }

  private void tellNodes(MachineBuilder builder) {
    if (nodes.isEmpty()) {
      nodes.put(0, whole);
    }
    nodes.forEach((id, node) -> {
      // The smallest size is the ordinary page.
      if (!node.pages.isEmpty()) {
        node.pages.remove(node.pages.firstKey());
      }
      builder.memory(id, NodeMemory.of(node.bytes, node.pages));
    });
    for (Matrix matrix : matrices) {
      int @Nullable [][] rows = rows(matrix);
      if (rows != null) {
        builder.distances(rows);
      }
    }
  }

  private void tellGroups(MachineBuilder builder, CpuSet usable, int[] sockets) {
    if (!places.getOrDefault(Kind.DIE, List.of()).isEmpty()) {
      int[] dies = names(Kind.DIE, usable, sockets);
      usable.forEach(cpu ->
          builder.die(
              dies[cpu],
              CpuSet.of(usable.stream().filter(other -> dies[other] == dies[cpu]).toArray())));
    }
    for (Place cluster : places.getOrDefault(Kind.CLUSTER, List.of())) {
      CpuSet members = cluster.cpus.intersection(usable);
      if (!members.isEmpty()) {
        builder.cluster(cluster.id >= 0 ? cluster.id : members.first(), members);
      }
    }
  }
}
