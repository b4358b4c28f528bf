package dev.berth.linux;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.CoreKind;
import dev.berth.topology.MachineBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of core, where there are several: Intel's hybrid processors name them by their performance
 * counters or by type, other kernels by what a CPU can do compared to the strongest.
 */
final class CoreKinds {
  /** Where Intel's kinds stand, the strongest first. */
  private static final Map<String, String> NAMED = new LinkedHashMap<>();

  static {
    NAMED.put("devices/cpu_core/cpus", "performance");
    NAMED.put("devices/cpu_atom/cpus", "efficiency");
    NAMED.put("devices/cpu_lowpower/cpus", "low power");
  }

  private static final String TYPES = "devices/system/cpu/types/";

  private final SysTree tree;
  private final CpuSet usable;

  CoreKinds(SysTree tree, CpuSet usable) {
    this.tree = tree;
    this.usable = usable;
  }

  void tell(MachineBuilder builder) {
    List<CoreKind> kinds = named();
    if (kinds.size() < 2) {
      kinds = typed();
    }
    if (kinds.size() < 2) {
      kinds = byCapacity();
    }
    if (kinds.size() > 1) {
      kinds.forEach(builder::kind);
    }
  }

  private List<CoreKind> named() {
    List<CoreKind> kinds = new ArrayList<>();
    NAMED.forEach((path, name) -> add(kinds, name, tree.list(path)));
    return kinds;
  }

  private List<CoreKind> typed() {
    List<CoreKind> kinds = new ArrayList<>();
    List<String> folders = new ArrayList<>(tree.names(TYPES));
    // intel_core_0 before intel_atom_0: the stronger name is later in the alphabet.
    Collections.reverse(folders);
    for (String folder : folders) {
      String name =
          folder.contains("atom") ? "efficiency" : folder.contains("core") ? "performance" : folder;
      add(kinds, name, tree.list(TYPES + folder + "/cpulist"));
    }
    return kinds;
  }

  private void add(List<CoreKind> kinds, String name, @Nullable CpuSet cpus) {
    if (cpus != null && cpus.intersects(usable)) {
      CpuSet members = cpus.intersection(usable);
      kinds.add(new CoreKind(name, members, capacity(members.first())));
    }
  }

  private int capacity(int cpu) {
    return Math.max(tree.id("devices/system/cpu/cpu" + cpu + "/cpu_capacity", 0), 0);
  }

  /**
   * Groups by the kernel's own measure; a kernel that gives the first CPU none gives none to any.
   */
  private List<CoreKind> byCapacity() {
    if (capacity(usable.first()) == 0) {
      return List.of();
    }
    SortedMap<Integer, List<Integer>> byCapacity = new TreeMap<>(Collections.reverseOrder());
    usable.forEach(
        cpu -> byCapacity.computeIfAbsent(capacity(cpu), key -> new ArrayList<>()).add(cpu));
    List<CoreKind> kinds = new ArrayList<>();
    byCapacity.forEach((capacity, cpus) ->
        kinds.add(
            new CoreKind(
                "capacity " + capacity,
                CpuSet.of(cpus.stream().mapToInt(Integer::intValue).toArray()),
                capacity)));
    return kinds;
  }
}
