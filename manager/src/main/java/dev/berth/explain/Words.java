package dev.berth.explain;

import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Places in words. Levels of which the machine has one only are passed over. */
final class Words {
  private Words() {}

  /** How many sockets, NUMA nodes and L3 caches. */
  static String spread(int sockets, int nodes, int caches) {
    return "on "
        + counted(sockets, "socket")
        + ", "
        + counted(nodes, "NUMA node")
        + ", "
        + counted(caches, "L3 cache");
  }

  static String counted(int count, String noun) {
    return count == 1 ? "1 " + noun : count + " " + noun + "s";
  }

  /** {@code CPUs 4-7, its own: 2 whole cores, on NUMA node 0, L3 cache 1}. */
  static String sitting(Sitting sitting, Machine machine) {
    if (!sitting.own()) {
      return sitting.container()
          + ": no CPUs of its own, it runs on the shared pool "
          + sitting.cpus();
    }
    List<String> parts = new ArrayList<>();
    parts.add(cores(sitting, machine));
    parts.addAll(place(machine, Level.NODE, sitting.nodes()));
    parts.addAll(place(machine, Level.CACHE, sitting.caches()));
    parts.addAll(place(machine, Level.SOCKET, sitting.sockets()));
    parts.removeIf(String::isEmpty);
    return sitting.container()
        + ": CPUs "
        + sitting.cpus()
        + ", nobody else's"
        + (parts.isEmpty() ? "" : "; " + String.join(", ", parts));
  }

  private static String cores(Sitting sitting, Machine machine) {
    if (machine.cpusPer(Level.CORE) == 1) {
      return "";
    }
    String whole = sitting.wholeCores() == 0 ? "" : counted(sitting.wholeCores(), "whole core");
    String split =
        sitting.splitCores() == 0
            ? ""
            : counted(sitting.splitCores(), "core") + " shared with somebody";
    return whole.isEmpty() || split.isEmpty() ? whole + split : whole + " and " + split;
  }

  private static List<String> place(Machine machine, Level level, List<Integer> ids) {
    if (machine.domains(level).size() == 1) {
      return List.of();
    }
    String listed = ids.stream().map(String::valueOf).collect(Collectors.joining(" and "));
    return List.of(
        ids.size() == 1
            ? "all on " + level.noun() + " " + listed
            : "spread over " + level.noun() + "s " + listed);
  }

  /** Who else is below the same caches. */
  static String neighbours(Sitting sitting, Scene scene) {
    return sitting.neighbours().entrySet().stream()
        .limit(LISTED)
        .map((Map.Entry<String, Integer> one) ->
            scene.name(one.getKey()) + " (" + one.getValue() + ")")
        .collect(
            Collectors.joining(
                ", ",
                "",
                sitting.neighbours().size() > LISTED
                    ? " and " + (sitting.neighbours().size() - LISTED) + " more"
                    : ""));
  }

  private static final int LISTED = 6;
}
