package dev.berth.cli;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.List;
import java.util.stream.Collectors;

/** Which parts of a machine CPUs lie in. */
final class Places {
  private Places() {}

  /** The ids of the parts of a level that have any of these CPUs, in order. */
  static List<Integer> of(Machine machine, Level level, CpuSet cpus) {
    return machine.domains(level).stream()
        .filter(domain -> domain.cpus().intersects(cpus))
        .map(Domain::id)
        .sorted()
        .toList();
  }

  static String text(Machine machine, Level level, CpuSet cpus) {
    String ids =
        of(machine, level, cpus).stream().map(String::valueOf).collect(Collectors.joining(","));
    return ids.isEmpty() ? "-" : ids;
  }
}
