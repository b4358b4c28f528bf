package dev.berth.render;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A machine's places as boxes in boxes, widest outside.
 *
 * <p>Of places with the same CPUs the socket is outside, then the node, the cache and the core.
 * Where places overlap without nesting, caches are left out of the picture, and then nodes.
 *
 * @param boxes the outermost boxes, lowest CPU first
 * @param left the kinds of place that could not be shown
 */
record Layout(List<Box> boxes, Set<Level> left) {
  /**
   * One place.
   *
   * @param level what kind of place it is
   * @param id its number
   * @param cpus its CPUs
   * @param inner the boxes in it, lowest CPU first; none in a core
   */
  record Box(Level level, int id, CpuSet cpus, List<Box> inner) {}

  static Layout of(Machine machine) {
    Set<Level> shown = EnumSet.allOf(Level.class);
    Set<Level> left = EnumSet.noneOf(Level.class);
    for (Level giveUp : List.of(Level.CACHE, Level.NODE, Level.SOCKET)) {
      List<Box> boxes = new ArrayList<>();
      if (nest(machine, shown, boxes)) {
        return new Layout(boxes, left);
      }
      shown.remove(giveUp);
      left.add(giveUp);
    }
    List<Box> cores = new ArrayList<>();
    nest(machine, shown, cores);
    return new Layout(cores, left);
  }

  private static boolean nest(Machine machine, Set<Level> shown, List<Box> roots) {
    List<Box> all = new ArrayList<>();
    for (Level level : shown) {
      for (Domain place : machine.domains(level)) {
        all.add(new Box(level, place.id(), place.cpus(), new ArrayList<>()));
      }
    }
    all.sort(Layout::outerFirst);
    for (Box box : all) {
      if (!insert(roots, box)) {
        return false;
      }
    }
    sort(roots);
    return true;
  }

  /** By hand: the JVM's cache for starts holds none of the JDK's own comparators. */
  private static int outerFirst(Box one, Box other) {
    int bySize = Integer.compare(other.cpus.size(), one.cpus.size());
    return bySize == 0 ? one.level.compareTo(other.level) : bySize;
  }

  private static boolean insert(List<Box> siblings, Box box) {
    for (Box sibling : siblings) {
      if (box.cpus.isSubsetOf(sibling.cpus)) {
        return insert(sibling.inner, box);
      }
      if (box.cpus.intersects(sibling.cpus)) {
        return false;
      }
    }
    siblings.add(box);
    return true;
  }

  private static void sort(List<Box> boxes) {
    boxes.sort((one, other) -> Integer.compare(one.cpus.first(), other.cpus.first()));
    boxes.forEach(box -> sort(box.inner));
  }
}
