package dev.berth.example;

import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;

/** Three pods ask for CPUs of their own. */
final class Example {
  public static void main(String[] arguments) {
    Machine machine = Machines.named("epyc-7702p");
    Configuration configuration =
        Configuration.staticPolicy(Quantity.parse("1500m"))
            .withOption("prefer-align-cpus-by-uncorecache", "true");
    Node node = Node.start(machine, configuration);
    for (int cpus : new int[] {8, 4, 120}) {
      Pod pod = Pod.guaranteed("pod-" + cpus, cpus);
      switch (node.admit(pod)) {
        case Decision.Granted granted -> System.out.println(pod + " has " + granted.cpus());
        case Decision.Refused refused -> System.out.println(pod + ": " + refused.why());
      }
    }
    node.remove("pod-8");
    System.out.println("shared are " + node.shared());
  }
}
