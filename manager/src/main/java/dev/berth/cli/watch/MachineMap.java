package dev.berth.cli.watch;

import dev.berth.topology.Cpu;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where on a screen each CPU of a machine stands: NUMA nodes one below the other or side by side,
 * in them L3 caches, cores and threads.
 *
 * @param labels what is written beside the CPUs
 * @param cells the CPUs
 * @param rows how many lines all that takes
 * @param hasLoad whether there is a line for the load below each line of CPUs
 */
record MachineMap(List<Label> labels, List<Cell> cells, int rows, boolean hasLoad) {
  /** Words at a place. */
  record Label(int row, int column, String text) {}

  /** The CPUs at a place: one, or all of a core where there is no room for each. */
  record Cell(int row, int column, List<Integer> cpus) {}

  /**
   * How close things stand.
   *
   * @param isPerCore whether one character stands for a core, and not for a CPU
   * @param coreGap spaces between cores
   * @param cacheGap what stands between caches
   */
  private record Density(boolean isPerCore, int coreGap, String cacheGap) {}

  private static final List<Density> DENSITIES =
      List.of(
          new Density(false, 1, " │ "),
          new Density(false, 0, " "),
          new Density(true, 0, " "),
          new Density(true, 0, ""));

  private static final int GAP_BETWEEN_BLOCKS = 3;

  MachineMap {
    labels = List.copyOf(labels);
    cells = List.copyOf(cells);
  }

  /**
   * The roomiest that fits, else the tightest.
   *
   * @param columns the width to stay within
   * @param most lines that it may take
   * @param isLoadKnown whether a line for the load is worth its place
   */
  static MachineMap of(Machine machine, int columns, int most, boolean isLoadKnown) {
    for (boolean withLoad : isLoadKnown ? new boolean[] {true, false} : new boolean[] {false}) {
      for (Density density : DENSITIES) {
        if (withLoad && density.isPerCore()) {
          break;
        }
        MachineMap map = new Drawing(machine, density, columns, withLoad).map();
        if (map.rows <= most) {
          return map;
        }
      }
    }
    return new Drawing(machine, DENSITIES.getLast(), columns, false).map();
  }

  /** Puts one density on paper. */
  private static final class Drawing {
    private final Density density;
    private final int columns;
    private final int rowsPerLine;
    private final List<Label> labels = new ArrayList<>();
    private final List<Cell> cells = new ArrayList<>();
    private final Map<String, Collection<List<List<Integer>>>> blocks;
    private int row;
    private int column;

    Drawing(Machine machine, Density density, int columns, boolean withLoad) {
      this.density = density;
      this.columns = columns;
      rowsPerLine = withLoad ? 2 : 1;
      blocks = blocks(machine);
    }

    /** Labels of sockets and nodes, in them caches, in them cores, in them CPUs. */
    private static Map<String, Collection<List<List<Integer>>>> blocks(Machine machine) {
      Map<List<Integer>, Map<Integer, Map<Integer, List<Integer>>>> nested =
          new TreeMap<>((a, b) -> a.equals(b) ? 0 : order(a, b));
      for (Cpu cpu : machine.cpuList()) {
        nested
            .computeIfAbsent(List.of(cpu.socket(), cpu.node()), _ -> new TreeMap<>())
            .computeIfAbsent(machine.indexOf(Level.CACHE, cpu.id()), _ -> new TreeMap<>())
            .computeIfAbsent(machine.indexOf(Level.CORE, cpu.id()), _ -> new ArrayList<>())
            .add(cpu.id());
      }
      Map<String, Collection<List<List<Integer>>>> blocks = new LinkedHashMap<>();
      nested.forEach((place, caches) ->
          blocks.put(
              "S" + place.get(0) + " N" + place.get(1),
              caches.values().stream()
                  .<List<List<Integer>>>map(c -> List.copyOf(c.values()))
                  .toList()));
      return blocks;
    }

    private static int order(List<Integer> a, List<Integer> b) {
      int bySocket = Integer.compare(a.get(0), b.get(0));
      return bySocket != 0 ? bySocket : Integer.compare(a.get(1), b.get(1));
    }

    MachineMap map() {
      int label = blocks.keySet().stream().mapToInt(String::length).max().orElse(0) + 1;
      int widest = blocks.values().stream().mapToInt(this::width).max().orElse(0);
      int block = label + widest + GAP_BETWEEN_BLOCKS;
      // A node that needs more than a line has the width for itself.
      int perLine = Math.max(1, (columns + GAP_BETWEEN_BLOCKS) / block);
      int number = 0;
      for (var entry : blocks.entrySet()) {
        int left = number % perLine * block;
        if (number > 0 && left == 0) {
          row += rowsPerLine;
        }
        labels.add(new Label(row, left, entry.getKey()));
        block(entry.getValue(), left + label);
        number++;
      }
      return new MachineMap(labels, cells, row + rowsPerLine, rowsPerLine > 1);
    }

    private int width(Collection<List<List<Integer>>> caches) {
      int gaps = density.cacheGap().length() * (caches.size() - 1);
      return gaps + caches.stream().mapToInt(this::width).sum();
    }

    private int width(List<List<Integer>> cores) {
      return cores.stream().mapToInt(core -> density.isPerCore() ? 1 : core.size()).sum()
          + density.coreGap() * (cores.size() - 1);
    }

    private void block(Collection<List<List<Integer>>> caches, int left) {
      column = left;
      for (List<List<Integer>> cores : caches) {
        if (column > left) {
          if (column + density.cacheGap().length() + width(cores) <= columns) {
            labels.add(new Label(row, column, density.cacheGap()));
            column += density.cacheGap().length();
          } else {
            newLine(left);
          }
        }
        cache(cores, left);
      }
    }

    private void cache(List<List<Integer>> cores, int left) {
      int begin = column;
      for (List<Integer> core : cores) {
        int width = density.isPerCore() ? 1 : core.size();
        int gap = column > begin ? density.coreGap() : 0;
        if (column + gap + width > columns && column > left) {
          newLine(left);
          begin = left;
          gap = 0;
        }
        column += gap;
        core(core);
      }
    }

    private void core(List<Integer> cpus) {
      if (density.isPerCore()) {
        cells.add(new Cell(row, column++, cpus));
      } else {
        cpus.forEach(cpu -> cells.add(new Cell(row, column++, List.of(cpu))));
      }
    }

    private void newLine(int left) {
      row += rowsPerLine;
      column = left;
    }
  }
}
