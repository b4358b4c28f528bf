package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import dev.berth.kubelet.Launch;
import dev.berth.ledger.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** What a container finds in its environment about its place. */
final class Environment {
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private Environment() {}

  /** The whole environment of a container; its own variables count for more than ours. */
  static Map<String, String> of(Launch launch, Seating.Seat seat, Resident resident, Node node) {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("PATH", PATH);
    environment.put("HOME", "/");
    environment.putAll(
        place(seat, resident, node.deviceAssignments().of(resident.uid(), launch.name())));
    environment.putAll(launch.environment());
    return environment;
  }

  /**
   * What tells of a place.
   *
   * <p>{@code BERTH_CPUS} is the list of CPUs, at the time of the start for one that shares. OpenMP
   * is told only where the CPUs are the container's own, since the shared pool changes.
   */
  static Map<String, String> place(
      Seating.Seat seat, Resident resident, SortedMap<String, List<String>> devices) {
    Map<String, String> place = new LinkedHashMap<>();
    place.put("BERTH_POD", resident.name());
    place.put("BERTH_CPUS", seat.cpus().toString());
    if (seat.exclusive()) {
      place.put("OMP_NUM_THREADS", String.valueOf(seat.cpus().size()));
      place.put("OMP_PLACES", places(seat.cpus()));
    }
    devices.forEach(
        (resource, ids) -> place.put("BERTH_DEVICES_" + variable(resource), String.join(",", ids)));
    return place;
  }

  private static String places(CpuSet cpus) {
    return cpus.stream().mapToObj(cpu -> "{" + cpu + "}").collect(Collectors.joining(","));
  }

  private static String variable(String resource) {
    return resource.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }
}
