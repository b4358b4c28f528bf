package dev.berth.topology;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Collects what is known of a machine; {@link #build} checks it and makes it immutable. */
public final class MachineBuilder {
  final String name;
  final SortedMap<Integer, Cpu> cpus = new TreeMap<>();
  final SortedMap<Integer, CpuSet> dies = new TreeMap<>();
  final SortedMap<Integer, CpuSet> clusters = new TreeMap<>();
  final SortedMap<Integer, NodeMemory> memory = new TreeMap<>();
  final List<CoreKind> kinds = new ArrayList<>();
  final List<String> notes = new ArrayList<>();
  CpuSet offline = CpuSet.EMPTY;
  CpuSet isolated = CpuSet.EMPTY;
  boolean memoryAssumed;
  int @Nullable [][] distances;

  MachineBuilder(String name) {
    this.name = name;
  }

  /** Adds a usable CPU. */
  public MachineBuilder cpu(Cpu cpu) {
    CpuSet.of(cpu.id());
    if (cpus.putIfAbsent(cpu.id(), cpu) != null) {
      throw new InvalidInputException(
          "machine " + name + ": expected every CPU once, found CPU " + cpu.id() + " again");
    }
    return this;
  }

  /** Adds a usable CPU. */
  public MachineBuilder cpu(int id, int core, int socket, int node, int cache) {
    return cpu(new Cpu(id, core, socket, node, cache));
  }

  /** Names a die; CPUs that turn out not to be usable are left out. */
  public MachineBuilder die(int id, CpuSet members) {
    dies.put(id, members);
    return this;
  }

  /** Names a cluster; CPUs that turn out not to be usable are left out. */
  public MachineBuilder cluster(int id, CpuSet members) {
    clusters.put(id, members);
    return this;
  }

  /** Adds a kind of core; the strongest comes first. */
  public MachineBuilder kind(CoreKind kind) {
    kinds.add(kind);
    return this;
  }

  /** Tells a NUMA node's memory; a node that no CPU names becomes one of memory alone. */
  public MachineBuilder memory(int node, NodeMemory bytes) {
    memory.put(node, bytes);
    memoryAssumed = false;
    return this;
  }

  /** Tells that the memory is not stated: what was added is a guess, as hwloc makes it. */
  public MachineBuilder assumedMemory() {
    memoryAssumed = true;
    return this;
  }

  /**
   * Tells the distances: one row a NUMA node and one number a node, both in the order of node ids.
   */
  public MachineBuilder distances(int[][] rows) {
    distances = rows;
    return this;
  }

  /** Tells which CPUs are switched off. */
  public MachineBuilder offline(CpuSet members) {
    offline = members;
    return this;
  }

  /** Tells which CPUs the kernel isolates. */
  public MachineBuilder isolated(CpuSet members) {
    isolated = members;
    return this;
  }

  /** Adds a line that a person should read with the machine. */
  public MachineBuilder note(String line) {
    notes.add(line);
    return this;
  }

  /**
   * The machine.
   *
   * @throws InvalidInputException where it has no CPU or its distances do not fit its nodes
   */
  public Machine build() {
    return new Machine(this);
  }
}
