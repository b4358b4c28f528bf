package dev.berth.bench;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.ledger.TopologySettings;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The named workloads. Machines and the hints of a merge are made beforehand; nodes and pods are
 * part of what is timed.
 */
public final class Workloads {
  private static final Configuration RESERVE_TWO = Configuration.staticPolicy(Quantity.of(2));

  private Workloads() {}

  /** All of them, in the order in which they are told. */
  public static List<Workload<?>> all() {
    List<Workload<?>> all = new ArrayList<>();
    addFills(all);
    for (int nodes : new int[] {8, 12, 16, 34, 64}) {
      all.add(admitOneOnNodes(nodes));
    }
    for (int cpus : new int[] {32, 64, 128, 256, 512}) {
      all.add(admitOneOnCpus(cpus));
    }
    for (int nodes : new int[] {8, 12, 16, 34, 64}) {
      all.add(AdmitAllWorkload.of(nodes));
    }
    MergeWorkloads.addTo(all);
    return List.copyOf(all);
  }

  private static void addFills(List<Workload<?>> all) {
    Machine epyc7702p = RegularMachine.of(1, 1, 16, 4, 2);
    all.add(fill("fill/epyc-7702p/packed/4", epyc7702p, RESERVE_TWO, 4));
    all.add(
        fill(
            "fill/epyc-7702p/uncore/4",
            epyc7702p,
            RESERVE_TWO.withOption("prefer-align-cpus-by-uncorecache", "true"),
            4));
    all.add(
        fill(
            "fill/epyc-9654-2p-nps2/packed/8/best-effort",
            RegularMachine.of(2, 2, 6, 8, 2),
            with(Policy.BEST_EFFORT),
            8));
    all.add(
        fill(
            "fill/epyc-9654-2p-nps4/distribute/48/best-effort",
            RegularMachine.of(2, 4, 3, 8, 2),
            with(Policy.BEST_EFFORT).withOption("distribute-cpus-across-numa", "true"),
            48));
    all.add(
        fill(
            "fill/xeon-8490h-2p-snc4/packed/8/restricted",
            RegularMachine.of(2, 4, 1, 15, 2),
            with(Policy.RESTRICTED),
            8));
  }

  static Configuration with(Policy policy) {
    return RESERVE_TWO.with(new TopologySettings(policy, Scope.CONTAINER, Map.of()));
  }

  /** Admits guaranteed pods of one size until one is refused. */
  private static Workload<Integer> fill(
      String name, Machine machine, Configuration configuration, int cpus) {
    return new Workload<>(
        name,
        () -> {
          Node node = Node.start(machine, configuration);
          int pods = 0;
          while (node.admit(Pod.guaranteed("p" + pods, cpus)) instanceof Decision.Granted) {
            pods++;
          }
          return pods;
        },
        pods -> pods + " pods");
  }

  /** Starts on an empty machine of so many NUMA nodes and admits one pod of 8 CPUs. */
  private static Workload<Decision> admitOneOnNodes(int nodes) {
    return admitOne(
        "admit-one/numa" + nodes + "/best-effort", RegularMachine.of(2, nodes / 2, 1, 8, 2));
  }

  /** The same on two nodes that together have so many CPUs. */
  private static Workload<Decision> admitOneOnCpus(int cpus) {
    return admitOne(
        "admit-one/cpus" + cpus + "/best-effort", RegularMachine.of(2, 1, cpus / 32, 8, 2));
  }

  private static Workload<Decision> admitOne(String name, Machine machine) {
    Configuration configuration = with(Policy.BEST_EFFORT);
    return new Workload<>(
        name,
        () -> Node.start(machine, configuration).admit(Pod.guaranteed("p", 8)),
        Workloads::cpus);
  }

  /** The CPUs that a pod was given. */
  static String cpus(Decision decision) {
    return decision instanceof Decision.Granted granted
        ? granted.cpus().values().stream().reduce(CpuSet.EMPTY, CpuSet::union).toString()
        : "refused";
  }
}
