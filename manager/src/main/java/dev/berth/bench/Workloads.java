package dev.berth.bench;

import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import java.util.List;

/** The named workloads. Machines are made beforehand; nodes and pods are part of what is timed. */
public final class Workloads {
  private static final Configuration RESERVE_TWO = Configuration.staticPolicy(Quantity.of(2));

  private Workloads() {}

  /** All of them, in the order in which they are told. */
  public static List<Workload> all() {
    Machine epyc7702p = RegularMachine.of(1, 1, 16, 4, 2);
    return List.of(
        fill("fill/epyc-7702p/packed/4", epyc7702p, RESERVE_TWO, 4),
        fill(
            "fill/epyc-7702p/uncore/4",
            epyc7702p,
            RESERVE_TWO.withOption("prefer-align-cpus-by-uncorecache", "true"),
            4));
  }

  /** Admits guaranteed pods of one size until one is refused. */
  private static Workload fill(
      String name, Machine machine, Configuration configuration, int cpus) {
    return new Workload(
        name,
        () -> {
          Node node = Node.start(machine, configuration);
          int pods = 0;
          while (node.admit(Pod.guaranteed("p" + pods, cpus)) instanceof Decision.Granted) {
            pods++;
          }
          return pods;
        });
  }
}
