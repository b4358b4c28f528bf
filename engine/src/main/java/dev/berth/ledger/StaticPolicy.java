package dev.berth.ledger;

import dev.berth.allocation.Chooser;
import dev.berth.allocation.Choosers;
import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.StaticOption;
import dev.berth.allocation.StaticOptions;
import dev.berth.allocation.Trace;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The static policy's fixed side: machine, options and the reserved CPUs. What changes lives in the
 * {@link Node}.
 */
final class StaticPolicy {
  final Machine machine;
  final StaticOptions options;
  final FeatureGates gates;
  final Choosers choosers;
  final CpuSet reserved;

  /** The reserved CPUs and their siblings, which whole-core requests cannot use either. */
  final CpuSet reservedCores;

  final int cpusPerCore;
  final boolean fullCoresOnly;
  final boolean alignBySocket;

  private final TopologySettings.Policy topology;

  /** Whether a request that fits one last-level cache must have one. */
  final boolean strictCaches;

  /** The size of the machine's largest last-level cache, in CPUs, where that matters. */
  final int largestCache;

  StaticPolicy(Machine machine, Configuration configuration) {
    this.machine = machine;
    gates = configuration.gates();
    topology = configuration.topology().policy();
    options = StaticOptions.parse(configuration.cpuOptions(), gates);
    alignBySocket = options.has(StaticOption.ALIGN_BY_SOCKET);
    if (alignBySocket
        && configuration.topology().policy() == TopologySettings.Policy.SINGLE_NUMA_NODE) {
      throw new InvalidInputException(
          "cpuManagerPolicyOptions: align-by-socket: expected a topologyManagerPolicy other than"
              + " single-numa-node, found that one");
    }
    if (alignBySocket
        && machine.domains(Level.SOCKET).size() > machine.domains(Level.NODE).size()) {
      throw new InvalidInputException(
          "cpuManagerPolicyOptions: align-by-socket: expected at least as many NUMA nodes as"
              + " sockets, found "
              + machine.domains(Level.NODE).size()
              + " and "
              + machine.domains(Level.SOCKET).size());
    }
    choosers = new Choosers(machine, options);
    reserved = reserve(configuration.reservation());
    CpuSet cores = CpuSet.EMPTY;
    for (int cpu = reserved.first(); cpu >= 0; cpu = reserved.next(cpu + 1)) {
      cores = cores.union(machine.domainOf(Level.CORE, cpu).cpus());
    }
    reservedCores = cores;
    cpusPerCore = machine.cpusPer(Level.CORE);
    fullCoresOnly = options.has(StaticOption.FULL_PCPUS_ONLY);
    StaticOption strict = StaticOption.STRICT_ALIGN_BY_CACHE;
    strictCaches = options.has(strict) && strict.withoutEffectOn(machine).isEmpty();
    largestCache = strictCaches ? largest(machine.domains(Level.CACHE)) : 0;
  }

  private static int largest(List<Domain> places) {
    return places.stream().mapToInt(Domain::size).max().orElse(0);
  }

  private CpuSet reserve(Reservation reservation) {
    return switch (reservation) {
      case Reservation.Nothing nothing -> throw noReservation("none");
      case Reservation.LowestCpu lowest -> CpuSet.of(machine.cpus().first());
      case Reservation.These these -> {
        CpuSet foreign = these.cpus().difference(machine.cpus());
        if (!foreign.isEmpty()) {
          throw new InvalidInputException(
              "reservedSystemCPUs: expected CPUs of " + machine.cpus() + ", found " + foreign);
        }
        if (these.cpus().isEmpty()) {
          throw noReservation("an empty set");
        }
        yield these.cpus();
      }
      case Reservation.Amount amount -> {
        long count = amount.cpus().value();
        if (count == 0) {
          throw noReservation("0");
        }
        if (count > machine.cpus().size()) {
          throw new InvalidInputException(
              "reserved CPUs: expected at most the machine's "
                  + machine.cpus().size()
                  + ", found "
                  + count);
        }
        yield choosers.make().choose(machine.cpus(), (int) count, Trace.OFF);
      }
    };
  }

  private static InvalidInputException noReservation(String found) {
    return new InvalidInputException(
        "reserved CPUs: the static policy expected at least one (systemReserved, kubeReserved or"
            + " reservedSystemCPUs), found "
            + found);
  }

  boolean isStrict() {
    return options.has(StaticOption.STRICT_RESERVATION);
  }

  /** The CPUs that the shared pool has while nobody has any alone. */
  CpuSet wholePool() {
    return isStrict() ? machine.cpus().difference(reserved) : machine.cpus();
  }

  Rules rules() {
    return new Rules(machine.cpus(), reserved, isStrict());
  }

  /** What the options do not do here, a line each. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (StaticOption option : StaticOption.values()) {
      if (options.has(option)) {
        option.withoutEffectOn(machine).ifPresent(notes::add);
      }
    }
    if (options.cacheBestFit()) {
      bestFitNote().ifPresent(notes::add);
    }
    return List.copyOf(notes);
  }

  private Optional<String> bestFitNote() {
    String gate = "CPUManagerUncoreCacheAlign";
    StaticOption strict = StaticOption.STRICT_ALIGN_BY_CACHE;
    Optional<String> noEffect =
        strict.withoutEffectOn(machine).map(line -> line.replace(strict.kubernetesName(), gate));
    return noEffect.isPresent() || topology == TopologySettings.Policy.NONE
        ? noEffect
        : Optional.of(
            gate
                + ": under topologyManagerPolicy "
                + topology.kubernetesName()
                + " best fit looks at the L3 caches of the agreed NUMA nodes, not of the machine");
  }

  Chooser chooser() {
    return choosers.make();
  }

  /** The CPUs of these nodes, or with {@code align-by-socket} of the sockets that they span. */
  CpuSet cpusNear(NodeSet nodes) {
    CpuSet near = CpuSet.EMPTY;
    for (Domain node : machine.domains(Level.NODE)) {
      if (nodes.contains(node.id())) {
        near = near.union(alignBySocket ? cpusOfSockets(node.cpus()) : node.cpus());
      }
    }
    return near;
  }

  private CpuSet cpusOfSockets(CpuSet cpus) {
    CpuSet sockets = CpuSet.EMPTY;
    for (Domain socket : machine.domains(Level.SOCKET)) {
      sockets = socket.cpus().intersects(cpus) ? sockets.union(socket.cpus()) : sockets;
    }
    return sockets;
  }

  /** The CPUs of the last-level cache that has the lowest of these. */
  CpuSet cacheOf(CpuSet cpus) {
    return machine.domainOf(Level.CACHE, cpus.first()).cpus();
  }

  /** Whether one last-level cache has all these CPUs. */
  boolean onOneCache(CpuSet cpus) {
    return cpus.isEmpty() || cpus.isSubsetOf(cacheOf(cpus));
  }
}
