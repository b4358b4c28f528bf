package dev.berth.topology;

import dev.berth.cpu.CpuSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes a machine from the levels of a spec.
 *
 * <p>CPUs are first counted along the spec; since every place of a level holds equally many, a
 * CPU's place in a level is its position divided by that level's size.
 */
final class SyntheticMachine {
  /** What hwloc gives a NUMA node of which a spec says nothing more. */
  private static final long DEFAULT_MEMORY = 1L << 30;

  private final String spec;
  private final List<SpecLevel> levels = new ArrayList<>();

  /** Memory in brackets by the level that it stands behind; -1 for the whole machine. */
  private final SortedMap<Integer, List<SpecLevel>> attached = new TreeMap<>();

  private final int[] counts;
  private final int total;

  SyntheticMachine(String spec, List<SpecLevel> parts) {
    this.spec = spec;
    for (SpecLevel part : parts) {
      if (part.attached()) {
        attached.computeIfAbsent(levels.size() - 1, level -> new ArrayList<>()).add(part);
      } else {
        levels.add(part);
      }
    }
    counts = new int[levels.size()];
    long count = 1;
    for (int i = 0; i < counts.length; i++) {
      count *= levels.get(i).width();
      if (count > SpecReader.LARGEST_WIDTH) {
        throw SpecReader.error(
            spec,
            levels.get(i).column(),
            "at most " + SpecReader.LARGEST_WIDTH + " places",
            String.valueOf(count));
      }
      counts[i] = (int) count;
    }
    total = (int) count;
  }

  MachineBuilder describe(String name) {
    MachineBuilder builder = Machine.builder(name);
    int[] cpus = places(levels.size() - 1);
    int[] cores = cores(cpus);
    int[] sockets = places(SpecType.PACKAGE);
    int[] caches = level(SpecType.L3) < 0 ? sockets : places(SpecType.L3);
    int[] nodes = nodes(builder);
    for (int i = 0; i < total; i++) {
      builder.cpu(cpus[i], cores[i], sockets[i], nodes[i], caches[i]);
    }
    if (level(SpecType.DIE) >= 0) {
      sets(cpus, places(SpecType.DIE)).forEach(builder::die);
    }
    int clusters = clusterLevel();
    if (clusters >= 0) {
      sets(cpus, places(clusters)).forEach(builder::cluster);
    }
    return builder;
  }

  private int level(SpecType type) {
    for (int i = 0; i < levels.size(); i++) {
      if (levels.get(i).is(type)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The number of each CPU's place in the level of that type; 0 for all where there is no such
   * level.
   */
  private int[] places(SpecType type) {
    int level = level(type);
    return level < 0 ? new int[total] : places(level);
  }

  private int[] places(int level) {
    int @Nullable [] numbers =
        levels.get(level).attributes().indexes() == null
            ? null
            : new SpecIndexes(spec, levels, counts, level).resolve();
    int size = total / counts[level];
    int[] places = new int[total];
    for (int i = 0; i < total; i++) {
      places[i] = numbers == null ? i / size : numbers[i / size];
    }
    return places;
  }

  /** The lowest CPU of each CPU's core. */
  private int[] cores(int[] cpus) {
    int level = level(SpecType.CORE);
    int size = level < 0 ? 1 : total / counts[level];
    int[] cores = new int[total];
    for (int first = 0; first < total; first += size) {
      int lowest = cpus[first];
      for (int i = first; i < first + size; i++) {
        lowest = Math.min(lowest, cpus[i]);
      }
      Arrays.fill(cores, first, first + size, lowest);
    }
    return cores;
  }

  /**
   * Groups between package and core, else an L2 of several cores; -1 where the spec has neither.
   */
  private int clusterLevel() {
    int core = level(SpecType.CORE);
    for (int i = core - 1; i > level(SpecType.PACKAGE); i--) {
      if (levels.get(i).is(SpecType.GROUP)) {
        return i;
      }
    }
    int l2 = level(SpecType.L2);
    return l2 >= 0 && core >= 0 && counts[l2] < counts[core] ? l2 : -1;
  }

  private static SortedMap<Integer, CpuSet> sets(int[] cpus, int[] places) {
    SortedMap<Integer, List<Integer>> members = new TreeMap<>();
    for (int i = 0; i < cpus.length; i++) {
      members.computeIfAbsent(places[i], place -> new ArrayList<>()).add(cpus[i]);
    }
    SortedMap<Integer, CpuSet> sets = new TreeMap<>();
    members.forEach((place, list) ->
        sets.put(place, CpuSet.of(list.stream().mapToInt(Integer::intValue).toArray())));
    return sets;
  }

  private int[] nodes(MachineBuilder builder) {
    if (!attached.isEmpty()) {
      return attachedNodes(builder);
    }
    int level = level(SpecType.NODE);
    int[] nodes = places(SpecType.NODE);
    long bytes = level < 0 ? -1 : levels.get(level).attributes().memory();
    for (int node : nodes) {
      builder.memory(node, memory(bytes < 0 ? DEFAULT_MEMORY : bytes));
    }
    if (bytes < 0) {
      builder.assumedMemory();
    }
    return nodes;
  }

  private static NodeMemory memory(long bytes) {
    return NodeMemory.of(bytes, Map.of());
  }

  /**
   * Memory in brackets. Numbered as hwloc does it: what stands below comes before what stands
   * above. Of several nodes at one place the first of the innermost has the CPUs, as on real
   * machines.
   */
  private int[] attachedNodes(MachineBuilder builder) {
    List<int[]> order = new ArrayList<>();
    List<SpecLevel> parts = new ArrayList<>();
    visit(-1, 0, order, parts);
    int[] numbers = attachedNumbers(order.size());
    int[] nodes = new int[total];
    int innermost = attached.lastKey();
    int size = innermost < 0 ? total : total / counts[innermost];
    boolean[] done = new boolean[total / size];
    for (int i = 0; i < order.size(); i++) {
      builder.memory(numbers[i], memory(Math.max(parts.get(i).attributes().memory(), 0)));
      int place = order.get(i)[1];
      if (order.get(i)[0] == innermost && !done[place]) {
        done[place] = true;
        Arrays.fill(nodes, place * size, (place + 1) * size, numbers[i]);
      }
    }
    return nodes;
  }

  private void visit(int level, int place, List<int[]> order, List<SpecLevel> parts) {
    if (level < attached.lastKey()) {
      int width = levels.get(level + 1).width();
      for (int child = 0; child < width; child++) {
        visit(level + 1, place * width + child, order, parts);
      }
    }
    for (SpecLevel part : attached.getOrDefault(level, Collections.emptyList())) {
      order.add(new int[] {level, place});
      parts.add(part);
    }
  }

  private int[] attachedNumbers(int count) {
    for (List<SpecLevel> parts : attached.values()) {
      for (SpecLevel part : parts) {
        if (part.attributes().indexes() != null) {
          return SpecIndexes.list(spec, part, count);
        }
      }
    }
    int[] numbers = new int[count];
    Arrays.setAll(numbers, i -> i);
    return numbers;
  }
}
