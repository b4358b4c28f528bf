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
import java.util.Optional;
import java.util.function.Function;

/**
 * The named workloads. Machines and the hints of a merge are made beforehand; nodes and pods, and
 * reading these hints, are part of what is timed.
 */
public final class Workloads {
  private Workloads() {}

  /** All of them, in the order in which they are told; none is prepared yet. */
  public static List<NamedWorkload> all() {
    List<NamedWorkload> all = new ArrayList<>();
    addFills(all);
    for (int nodes : new int[] {8, 12, 16, 34, 64}) {
      add(all, "admit-one/numa" + nodes + "/best-effort", name -> admitOneOnNodes(name, nodes));
    }
    for (int cpus : new int[] {32, 64, 128, 256, 512}) {
      add(all, "admit-one/cpus" + cpus + "/best-effort", name -> admitOneOnCpus(name, cpus));
    }
    for (int nodes : new int[] {8, 12, 16, 34, 64}) {
      add(all, "admit-one/numa" + nodes + "/all", name -> AdmitAllWorkload.of(name, nodes));
    }
    addMerges(all);
    return List.copyOf(all);
  }

  /** The one of a name. */
  public static Optional<NamedWorkload> named(String name) {
    return all().stream().filter(workload -> workload.name().equals(name)).findAny();
  }

  private static void add(
      List<NamedWorkload> all, String name, Function<String, Workload<?>> preparation) {
    all.add(new NamedWorkload(name, preparation));
  }

  private static void addFills(List<NamedWorkload> all) {
    add(
        all,
        "fill/epyc-7702p/packed/4",
        name -> fill(name, RegularMachine.of(1, 1, 16, 4, 2), reserveTwo(), 4));
    add(
        all,
        "fill/epyc-7702p/uncore/4",
        name ->
            fill(
                name,
                RegularMachine.of(1, 1, 16, 4, 2),
                reserveTwo().withOption("prefer-align-cpus-by-uncorecache", "true"),
                4));
    add(
        all,
        "fill/epyc-9654-2p-nps2/packed/8/best-effort",
        name -> fill(name, RegularMachine.of(2, 2, 6, 8, 2), with(Policy.BEST_EFFORT), 8));
    add(
        all,
        "fill/epyc-9654-2p-nps4/distribute/48/best-effort",
        name ->
            fill(
                name,
                RegularMachine.of(2, 4, 3, 8, 2),
                with(Policy.BEST_EFFORT).withOption("distribute-cpus-across-numa", "true"),
                48));
    add(
        all,
        "fill/xeon-8490h-2p-snc4/packed/8/restricted",
        name -> fill(name, RegularMachine.of(2, 4, 1, 15, 2), with(Policy.RESTRICTED), 8));
  }

  private static void addMerges(List<NamedWorkload> all) {
    for (int nodes : new int[] {4, 8}) {
      for (int providers = 1; providers <= 4; providers++) {
        int count = providers;
        add(all, merge(nodes, count), name -> MergeWorkloads.ofLists(name, nodes, count));
      }
    }
    add(all, merge(16, 4), name -> MergeWorkloads.ofLists(name, 16, 4));
    for (int nodes : new int[] {34, 64}) {
      add(all, merge(nodes, 4), name -> MergeWorkloads.ofDescriptions(name, nodes, 4));
    }
    for (int nodes : new int[] {4, 8}) {
      for (int providers = 1; providers <= 4; providers++) {
        int count = providers;
        String described = merge(nodes, count) + "/described";
        add(all, described, name -> MergeWorkloads.ofDescriptions(name, nodes, count));
      }
    }
  }

  private static String merge(int nodes, int providers) {
    return "merge/numa" + nodes + "/providers" + providers;
  }

  private static Configuration reserveTwo() {
    return Configuration.staticPolicy(Quantity.of(2));
  }

  static Configuration with(Policy policy) {
    return reserveTwo().with(new TopologySettings(policy, Scope.CONTAINER, Map.of()));
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
        pods -> words(pods, given(machine, configuration, cpus)));
  }

  /** What each pod of a fill is given; once more, for nobody keeps that while the time is taken. */
  private static List<CpuSet> given(Machine machine, Configuration configuration, int cpus) {
    Node node = Node.start(machine, configuration);
    List<CpuSet> given = new ArrayList<>();
    while (node.admit(Pod.guaranteed("p" + given.size(), cpus))
        instanceof Decision.Granted granted) {
      given.add(cpus(granted));
    }
    return given;
  }

  private static String words(int pods, List<CpuSet> given) {
    if (given.size() != pods) {
      throw new IllegalStateException(
          "a fill: expected " + pods + " pods again, found " + given.size());
    }
    return pods + " pods, " + Digest.of(given);
  }

  /** Starts on an empty machine of so many NUMA nodes and admits one pod of 8 CPUs. */
  private static Workload<Decision> admitOneOnNodes(String name, int nodes) {
    return admitOne(name, RegularMachine.of(2, nodes / 2, 1, 8, 2));
  }

  /** The same on two nodes that together have so many CPUs. */
  private static Workload<Decision> admitOneOnCpus(String name, int cpus) {
    return admitOne(name, RegularMachine.of(2, 1, cpus / 32, 8, 2));
  }

  private static Workload<Decision> admitOne(String name, Machine machine) {
    Configuration configuration = with(Policy.BEST_EFFORT);
    return new Workload<>(
        name,
        () -> Node.start(machine, configuration).admit(Pod.guaranteed("p", 8)),
        Workloads::cpus);
  }

  /** The CPUs that a pod was given, in words. */
  static String cpus(Decision decision) {
    return decision instanceof Decision.Granted granted ? cpus(granted).toString() : "refused";
  }

  private static CpuSet cpus(Decision.Granted granted) {
    return granted.cpus().values().stream().reduce(CpuSet.EMPTY, CpuSet::union);
  }
}
