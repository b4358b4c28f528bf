package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where the kernel has containers on other CPUs than wanted. On the loop only. */
final class KernelDifferences {
  private KernelDifferences() {}

  /** A line for each container that is elsewhere now. */
  static List<String> of(Household household) {
    List<String> lines = new ArrayList<>();
    Seating seating = household.seating();
    for (Resident resident : household.residents().all()) {
      for (ContainerLife container : resident.placed()) {
        CpuSet wanted = seating.seat(resident.request(), container.name()).cpus();
        household
            .actual(resident, container)
            .filter(actual -> !actual.equals(wanted))
            .ifPresent(actual ->
                lines.add(
                    name(resident, container) + " has CPUs " + actual + ", wanted " + wanted));
      }
    }
    return lines;
  }

  private static String name(Resident resident, ContainerLife container) {
    return resident.title() + "/" + container.name();
  }

  /** The CPUs of a container as the kernel has them; as wanted, where it does not run. */
  static CpuSet cpus(Household household, Resident resident, ContainerLife container) {
    Optional<CpuSet> actual = household.actual(resident, container);
    return actual.orElseGet(
        () -> household.seating().seat(resident.request(), container.name()).cpus());
  }
}
