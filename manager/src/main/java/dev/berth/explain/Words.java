package dev.berth.explain;

import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Places in words. Levels of which the machine has one only are passed over. */
final class Words {
  private static final int LISTED = 6;

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
    List<String> together = new ArrayList<>();
    List<String> parts = new ArrayList<>(cores(sitting, machine));
    place(machine, Level.NODE, sitting.nodes(), together, parts);
    place(machine, Level.CACHE, sitting.caches(), together, parts);
    place(machine, Level.SOCKET, sitting.sockets(), together, parts);
    if (!together.isEmpty()) {
      parts.add("all on " + and(together));
    }
    return sitting.container()
        + (sitting.cpus().size() == 1 ? ": CPU " : ": CPUs ")
        + sitting.cpus()
        + ", nobody else's"
        + (parts.isEmpty() ? "" : "; " + String.join(", ", parts));
  }

  private static String and(List<String> words) {
    return words.size() == 1
        ? words.getFirst()
        : String.join(", ", words.subList(0, words.size() - 1)) + " and " + words.getLast();
  }

  private static List<String> cores(Sitting sitting, Machine machine) {
    List<String> parts = new ArrayList<>();
    if (machine.cpusPer(Level.CORE) > 1) {
      if (sitting.wholeCores() > 0) {
        parts.add(counted(sitting.wholeCores(), "whole core"));
      }
      if (sitting.splitCores() > 0) {
        parts.add("a part of " + counted(sitting.splitCores(), "core"));
      }
    }
    return parts;
  }

  private static void place(
      Machine machine, Level level, List<Integer> ids, List<String> together, List<String> apart) {
    if (machine.domains(level).size() > 1) {
      List<String> listed = ids.stream().map(String::valueOf).toList();
      if (ids.size() == 1) {
        together.add(level.noun() + " " + listed.getFirst());
      } else {
        apart.add("spread over " + level.noun() + "s " + and(listed));
      }
    }
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
}
