package dev.berth.render;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What the text and the picture have in common to say. */
final class Words {
  private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB", "PiB");

  private Words() {}

  /** One line: {@code 128 CPUs, 1 socket, 1 NUMA node, 16 L3 caches, 64 cores of 2 threads}. */
  static String summary(Machine machine) {
    List<String> parts = new ArrayList<>();
    parts.add(count(machine.cpus().size(), "CPU"));
    parts.add(count(machine.domains(Level.SOCKET).size(), "socket"));
    int without = machine.nodes().size() - machine.domains(Level.NODE).size();
    parts.add(
        count(machine.nodes().size(), "NUMA node")
            + (without == 0 ? "" : " (" + without + " without CPUs)"));
    parts.add(count(machine.domains(Level.CACHE).size(), "L3 cache"));
    parts.add(cores(machine, machine.cpus()));
    return String.join(", ", parts);
  }

  static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /** {@code 4 cores of 2 threads}, {@code 8 cores}, or {@code 14 cores of 1 or 2 threads}. */
  static String cores(Machine machine, CpuSet cpus) {
    int cores = 0;
    TreeSet<Integer> threads = new TreeSet<>();
    for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu + 1)) {
      CpuSet core = machine.domainOf(Level.CORE, cpu).cpus().intersection(cpus);
      if (core.first() == cpu) {
        cores++;
        threads.add(core.size());
      }
    }
    if (threads.size() == 1 && threads.first() == 1) {
      return count(cores, "core");
    }
    String each = threads.stream().map(String::valueOf).collect(Collectors.joining(" or "));
    return count(cores, "core") + " of " + each + " threads";
  }

  static String noun(Level level) {
    return switch (level) {
      case SOCKET -> "socket";
      case NODE -> "node";
      case CACHE -> "L3";
      case CORE -> "core";
    };
  }

  /** Bytes in the largest unit that leaves a whole number or three digits. */
  static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < UNITS.size() - 1) {
      value /= 1024;
      unit++;
    }
    String number =
        value == Math.rint(value) || value >= 100
            ? String.format(Locale.ROOT, "%.0f", value)
            : String.format(Locale.ROOT, "%.1f", value);
    return number + " " + UNITS.get(unit);
  }

  /**
   * A set in list syntax; every n-th CPU of a long row as Linux writes it too, {@code 0-76:1/4}.
   */
  static String set(CpuSet cpus) {
    int second = cpus.next(cpus.first() + 1);
    int step = second - cpus.first();
    if (cpus.size() >= 4 && step > 1) {
      CpuSet row = CpuSet.parse(cpus.first() + "-" + cpus.last() + ":1/" + step);
      if (row.equals(cpus)) {
        return cpus.first() + "-" + cpus.last() + ":1/" + step;
      }
    }
    return cpus.toString();
  }
}
