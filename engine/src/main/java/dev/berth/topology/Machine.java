package dev.berth.topology;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A machine as decisions see it: its usable CPUs and the places they sit in.
 *
 * <p>Immutable, and safe for use by any number of threads. Make one with {@link #builder}, with
 * {@link Machines} or from a description in {@link Synthetic} syntax; discovery of a real machine
 * lives outside the engine.
 */
public final class Machine {
  private final String name;
  private final CpuSet cpus;
  private final int[] ids;
  private final CpuSet offline;
  private final CpuSet isolated;
  private final List<Cpu> list;
  private final Map<Level, List<Domain>> domains = new EnumMap<>(Level.class);
  private final Map<Level, int[]> indexByCpu = new EnumMap<>(Level.class);
  private final List<Domain> dies;
  private final List<Domain> clusters;
  private final List<CoreKind> kinds;
  private final List<NumaNode> nodes;
  private final Distances distances;
  private final boolean memoryAssumed;
  private final List<String> notes;
  private final Map<Class<?>, Object> derived = new ConcurrentHashMap<>();

  Machine(MachineBuilder builder) {
    name = builder.name;
    list = List.copyOf(builder.cpus.values());
    if (list.isEmpty()) {
      throw new InvalidInputException(
          "machine " + name + ": expected at least one CPU, found none");
    }
    ids = list.stream().mapToInt(Cpu::id).toArray();
    cpus = CpuSet.of(ids);
    offline = builder.offline;
    isolated = builder.isolated.intersection(cpus);
    for (Level level : Level.values()) {
      List<Domain> places = group(level);
      domains.put(level, places);
      indexByCpu.put(level, index(places));
    }
    dies = usable(builder.dies);
    clusters = usable(builder.clusters);
    kinds = List.copyOf(builder.kinds);
    nodes = nodes(builder.memory);
    int[] nodeIds = nodes.stream().mapToInt(NumaNode::id).toArray();
    distances =
        builder.distances == null
            ? Distances.unknown(nodeIds)
            : Distances.of(nodeIds, builder.distances);
    memoryAssumed = builder.memoryAssumed;
    notes = List.copyOf(builder.notes);
  }

  /** Starts the description of a machine. */
  public static MachineBuilder builder(String name) {
    return new MachineBuilder(name);
  }

  private List<Domain> group(Level level) {
    SortedMap<Integer, List<Integer>> byId = new TreeMap<>();
    for (Cpu cpu : list) {
      byId.computeIfAbsent(cpu.in(level), id -> new ArrayList<>()).add(cpu.id());
    }
    List<Domain> places = new ArrayList<>();
    byId.forEach((id, members) ->
        places.add(
            new Domain(id, CpuSet.of(members.stream().mapToInt(Integer::intValue).toArray()))));
    return List.copyOf(places);
  }

  private int[] index(List<Domain> places) {
    int[] index = new int[cpus.last() + 1];
    Arrays.fill(index, -1);
    for (int i = 0; i < places.size(); i++) {
      int position = i;
      places.get(i).cpus().forEach(cpu -> index[cpu] = position);
    }
    return index;
  }

  private List<Domain> usable(SortedMap<Integer, CpuSet> places) {
    List<Domain> result = new ArrayList<>();
    places.forEach((id, members) -> {
      if (members.intersects(cpus)) {
        result.add(new Domain(id, members.intersection(cpus)));
      }
    });
    return List.copyOf(result);
  }

  private List<NumaNode> nodes(SortedMap<Integer, NodeMemory> memory) {
    SortedMap<Integer, NumaNode> byId = new TreeMap<>();
    memory.forEach((id, bytes) -> byId.put(id, new NumaNode(id, CpuSet.EMPTY, bytes)));
    for (Domain node : domains(Level.NODE)) {
      NodeMemory bytes = memory.getOrDefault(node.id(), NodeMemory.NONE);
      byId.put(node.id(), new NumaNode(node.id(), node.cpus(), bytes));
    }
    return List.copyOf(byId.values());
  }

  /** Whether it is not stated how much memory it has, so that what its nodes tell is a guess. */
  public boolean isMemoryAssumed() {
    return memoryAssumed;
  }

  /** What people call the machine. */
  public String name() {
    return name;
  }

  /** The CPUs that may be used: online, and allowed to whoever asked. */
  public CpuSet cpus() {
    return cpus;
  }

  /** The CPUs that the kernel knows but that are switched off. */
  public CpuSet offline() {
    return offline;
  }

  /** The usable CPUs that the kernel keeps out of its scheduler's balancing ({@code isolcpus=}). */
  public CpuSet isolated() {
    return isolated;
  }

  /** The usable CPUs one by one, lowest first. */
  public List<Cpu> cpuList() {
    return list;
  }

  /** The places of one kind, lowest id first; each has at least one usable CPU. */
  public List<Domain> domains(Level level) {
    return domains.getOrDefault(level, List.of());
  }

  /** The position, in {@link #domains}, of the place of that kind that holds {@code cpu}. */
  public int indexOf(Level level, int cpu) {
    if (!cpus.contains(cpu)) {
      throw new InvalidInputException(
          "cpu " + cpu + ": expected one of machine " + name + ", which has " + cpus);
    }
    int[] index = indexByCpu.get(level);
    return index == null ? -1 : index[cpu];
  }

  /** The place of that kind that holds {@code cpu}. */
  public Domain domainOf(Level level, int cpu) {
    return domains(level).get(indexOf(level, cpu));
  }

  /**
   * By CPU number, the position, in {@link #domains}, of the place of that kind that holds it; -1
   * for a number that is no usable CPU's. In a new array.
   */
  public int[] positions(Level level) {
    return indexByCpu.getOrDefault(level, new int[0]).clone();
  }

  /**
   * For each place of one kind, the positions of those places of another kind that share a CPU with
   * it, lowest first; in the order of {@link #domains}.
   */
  public int[][] neighbours(Level from, Level to) {
    return Neighbours.of(
        ids,
        indexByCpu.getOrDefault(from, new int[0]),
        domains(from).size(),
        indexByCpu.getOrDefault(to, new int[0]),
        domains(to).size());
  }

  /** The dies, lowest id first; empty where the machine does not tell. */
  public List<Domain> dies() {
    return dies;
  }

  /**
   * The clusters (cores that share an L2 or a part of the mesh), lowest first; empty where unknown.
   */
  public List<Domain> clusters() {
    return clusters;
  }

  /** The kinds of core where there are several, the strongest first; otherwise empty. */
  public List<CoreKind> kinds() {
    return kinds;
  }

  /** All NUMA nodes, lowest id first, those without CPUs included. */
  public List<NumaNode> nodes() {
    return nodes;
  }

  /** How far the NUMA nodes are from each other. */
  public Distances distances() {
    return distances;
  }

  /** What a person should know about this description: what was left out and why, one line each. */
  public List<String> notes() {
    return notes;
  }

  /**
   * Something that is derived from the machine alone, made on first use and kept with it.
   *
   * @param type what is derived; one for each machine
   * @param make derives it; always the same from the same machine, of which it may not ask for
   *     something else derived
   * @param <T> its type
   */
  public <T> T derived(Class<T> type, Function<Machine, T> make) {
    return type.cast(derived.computeIfAbsent(type, absent -> make.apply(this)));
  }

  /** The average number of CPUs in a place of that kind, rounded down, as upstream counts them. */
  public int cpusPer(Level level) {
    return cpus.size() / domains(level).size();
  }

  /** Whether every place of that kind has the same number of CPUs. */
  public boolean isEven(Level level) {
    int size = domains(level).getFirst().size();
    return domains(level).stream().allMatch(place -> place.size() == size);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Machine machine
        && name.equals(machine.name)
        && list.equals(machine.list)
        && nodes.equals(machine.nodes)
        && offline.equals(machine.offline)
        && isolated.equals(machine.isolated)
        && dies.equals(machine.dies)
        && clusters.equals(machine.clusters)
        && kinds.equals(machine.kinds);
  }

  @Override
  public int hashCode() {
    return list.hashCode();
  }

  @Override
  public String toString() {
    return name + " (" + cpus.size() + " CPUs)";
  }
}
