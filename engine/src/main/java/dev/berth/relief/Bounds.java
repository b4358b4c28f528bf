package dev.berth.relief;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Device;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryAssignments;
import dev.berth.ledger.MemoryBlock;
import dev.berth.ledger.MemoryTable;
import dev.berth.ledger.Node;
import dev.berth.ledger.Owed;
import dev.berth.topology.Level;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/** What can be known without trying: counts that no arrangement gets around. */
final class Bounds {
  private static final String CPU = "cpu";

  private final Node node;
  private final Pod pod;
  private final Owed owed;
  private final List<Mover> movers;
  private final Places places;
  private final CpuSet capacity;

  Bounds(Node node, Pod pod, List<Mover> movers, Places places) {
    this.node = node;
    this.pod = pod;
    this.movers = movers;
    this.places = places;
    owed = Owed.of(node, pod);
    capacity = node.assignable().union(node.exclusive()).difference(node.reserved());
  }

  Optional<Proof> proof() {
    return splitCores()
        .or(this::tooLargeAtAll)
        .or(this::tooLargeForANode)
        .or(this::tooLittleCpus)
        .or(this::tooLittleMemory)
        .or(this::tooFewDevices)
        .or(this::tooManyLarge);
  }

  /** Whole cores have a size, and no arrangement changes it. */
  private Optional<Proof> splitCores() {
    int threads = node.machine().cpusPer(Level.CORE);
    if (pod.budget().isPresent()
        || owed.cpus() == 0
        || !node.configuration().optionsOn().contains("full-pcpus-only")) {
      return Optional.empty();
    }
    return pod.containers().stream()
        .filter(container -> pod.exclusiveCpus(container) % threads != 0)
        .findFirst()
        .map((Container container) ->
            new Proof.NeverFits(
                "full-pcpus-only gives whole cores of "
                    + threads
                    + " CPUs, and container "
                    + container.name()
                    + " asks for "
                    + pod.exclusiveCpus(container)));
  }

  private Optional<Proof> tooLargeAtAll() {
    return owed.cpus() > capacity.size()
        ? Optional.of(
            new Proof.NeverFits(
                "it asks for "
                    + Amounts.of(CPU, owed.cpus())
                    + " of its own, and this machine has "
                    + capacity.size()
                    + " to give when it is empty"))
        : Optional.empty();
  }

  private Optional<Proof> tooLargeForANode() {
    int[] room = places.spread(capacity);
    int most = Arrays.stream(room).max().orElse(0);
    return owed.parts().stream()
        .filter(part -> places.binds(part) && part.cpus() > most)
        .findFirst()
        .map(part ->
            new Proof.NeverFits(
                "topology policy "
                    + node.configuration().topology().policy().kubernetesName()
                    + " wants the "
                    + Amounts.of(CPU, part.cpus())
                    + " of "
                    + part.name()
                    + " within one NUMA node, and the largest has "
                    + most
                    + " to give when it is empty"));
  }

  private Optional<Proof> tooLittleCpus() {
    return tooLittle(
        CPU, owed.cpus(), node.assignable().size(), Mover::cpus, mover -> mover.owed().cpus());
  }

  /** Who has more than it needs may have less elsewhere; the sum of that is all moving can make. */
  private Optional<Proof> tooLittle(
      String resource,
      long asked,
      long free,
      ToLongFunction<Mover> held,
      ToLongFunction<Mover> needed) {
    long spare =
        movers.stream()
            .mapToLong(mover -> Math.max(0, held.applyAsLong(mover) - needed.applyAsLong(mover)))
            .sum();
    return asked > free + spare
        ? Optional.of(new Proof.TooLittle(resource, asked, free))
        : Optional.empty();
  }

  private Optional<Proof> tooLittleMemory() {
    if (node.memoryAssignments().isEmpty()) {
      return Optional.empty();
    }
    MemoryAssignments all = node.memoryAssignments().get();
    for (String kind : owed.memory().keySet()) {
      long asked = owed.memory().get(kind);
      long most = sum(all, kind, MemoryTable::allocatable);
      if (asked > most) {
        return Optional.of(
            new Proof.NeverFits(
                "it asks for "
                    + Amounts.of(kind, asked)
                    + ", and this machine has "
                    + Amounts.of(kind, most)
                    + " to give when it is empty"));
      }
      Optional<Proof> proof =
          tooLittle(
              kind,
              asked,
              sum(all, kind, MemoryTable::free),
              mover -> bytes(mover.held(), kind),
              mover -> mover.owed().memory().getOrDefault(kind, 0L));
      if (proof.isPresent()) {
        return proof;
      }
    }
    return Optional.empty();
  }

  private static long sum(MemoryAssignments all, String kind, ToLongFunction<MemoryTable> part) {
    return all.nodes().values().stream()
        .map(account -> account.tables().get(kind))
        .filter(Objects::nonNull)
        .mapToLong(part)
        .sum();
  }

  private static long bytes(Holding held, String kind) {
    List<MemoryBlock> blocks = new ArrayList<>(held.memoryBudget());
    held.memory().values().forEach(blocks::addAll);
    return blocks.stream()
        .filter(block -> block.type().equals(kind))
        .mapToLong(MemoryBlock::size)
        .sum();
  }

  private Optional<Proof> tooFewDevices() {
    for (String resource : owed.devices().keySet()) {
      int asked = owed.devices().get(resource);
      Set<String> healthy = new HashSet<>();
      for (Device device : node.devices()) {
        if (device.resource().equals(resource) && device.healthy()) {
          healthy.add(device.id());
        }
      }
      if (asked > healthy.size()) {
        return Optional.of(
            new Proof.NeverFits(
                "it asks for "
                    + Amounts.of(resource, asked)
                    + ", and this machine has "
                    + healthy.size()
                    + " healthy in all"));
      }
      Set<String> free = new HashSet<>(healthy);
      node.deviceAssignments()
          .ids()
          .keySet()
          .forEach(who -> free.removeAll(node.deviceAssignments().ofPod(who, resource)));
      Optional<Proof> proof =
          tooLittle(
              resource,
              asked,
              free.size(),
              mover -> node.deviceAssignments().ofPod(mover.pod().uid(), resource).size(),
              mover -> mover.owed().devices().getOrDefault(resource, 0));
      if (proof.isPresent()) {
        return proof;
      }
    }
    return Optional.empty();
  }

  /**
   * Counts by size: a node of 20 CPUs has room for two of 8 or more, however small the rest is. Who
   * cannot move takes its room away; who is spread over nodes is not counted, for it may stay so.
   */
  private Optional<Proof> tooManyLarge() {
    List<Integer> sizes = new ArrayList<>();
    CpuSet fixed = node.exclusive();
    for (Mover mover : movers) {
      fixed = fixed.difference(mover.held().allCpus());
      sizes.addAll(sizes(mover));
    }
    int[] room = places.spread(capacity.difference(fixed));
    List<Integer> own =
        owed.parts().stream()
            .filter(part -> part.lasting() && places.binds(part))
            .map(Owed.Part::cpus)
            .toList();
    sizes.addAll(own);
    for (int size : own) {
      int wanted = (int) sizes.stream().filter(one -> one >= size).count();
      int most = Arrays.stream(room).map(cpus -> cpus / size).sum();
      if (wanted > most && !movers.isEmpty()) {
        return Optional.of(new Proof.TooManyLarge(size, wanted, most));
      }
    }
    return Optional.empty();
  }

  /** The parts of one that are on one node each, wherever it is. */
  private List<Integer> sizes(Mover mover) {
    List<Integer> sizes = new ArrayList<>();
    boolean whole = mover.owed().parts().size() == 1;
    for (Owed.Part part : mover.owed().parts()) {
      CpuSet now =
          whole
              ? mover.held().allCpus()
              : mover.held().cpus().getOrDefault(part.name(), CpuSet.EMPTY);
      boolean onOne = Arrays.stream(places.spread(now)).filter(n -> n > 0).count() == 1;
      if (part.lasting() && places.binds(part) && onOne) {
        sizes.add(Math.min(now.size(), part.cpus()));
      }
    }
    return sizes;
  }
}
