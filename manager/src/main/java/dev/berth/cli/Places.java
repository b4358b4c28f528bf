package dev.berth.cli;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.List;

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
    return text(of(machine, level, cpus));
  }

  /** {@code 0,1,4-7}: three and more in a row are a range, for a pool can lie in all of them. */
  static String text(List<Integer> ids) {
    StringBuilder text = new StringBuilder();
    for (int from = 0, to; from < ids.size(); from = to) {
      to = from + 1;
      while (to < ids.size() && ids.get(to) == ids.get(to - 1) + 1) {
        to++;
      }
      if (to - from < 3) {
        to = from + 1;
      }
      text.append(text.isEmpty() ? "" : ",").append(ids.get(from));
      if (to - from > 1) {
        text.append('-').append(ids.get(to - 1));
      }
    }
    return text.isEmpty() ? "-" : text.toString();
  }
}
