package dev.berth.agent;

import dev.berth.cgroup.Cgroups;
import dev.berth.cgroup.Controller;
import dev.berth.cgroup.Detected;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.OwnSettings.CpuPartition;
import dev.berth.ledger.CpuPolicy;
import dev.berth.topology.Machine;
import dev.berth.topology.NumaNode;
import java.util.function.Consumer;

/** Finds out what this machine has to keep containers in their places. */
final class Enclosures {
  private Enclosures() {}

  static Enclosure detect(
      AgentOptions options, NodeSettings settings, Machine machine, Consumer<String> failed) {
    if (options.pretending()) {
      NodeSet nodes = NodeSet.of(machine.nodes().stream().mapToInt(NumaNode::id).toArray());
      return new GroupEnclosure(
          Cgroups.dryRun(options.cgroup(), machine.cpus(), nodes).cgroups(), failed);
    }
    return switch (Cgroups.detect(options.cgroup())) {
      case Detected.Usable usable -> checked(usable.cgroups(), settings, failed);
      case Detected.Unusable unusable -> {
        if (settings.own().partition() == CpuPartition.ISOLATED) {
          throw new InvalidInputException(
              "berth.partition: expected cgroup v2 for isolated CPUs, found none: "
                  + unusable.why());
        }
        yield new AffinityEnclosure(unusable.why());
      }
    };
  }

  private static Enclosure checked(
      Cgroups cgroups, NodeSettings settings, Consumer<String> failed) {
    boolean managed = settings.configuration().cpuPolicy() == CpuPolicy.STATIC;
    if (managed && !cgroups.controllers().contains(Controller.CPUSET)) {
      return new AffinityEnclosure(cgroups.description() + ": no cpuset controller");
    }
    if (settings.own().partition() == CpuPartition.ISOLATED && !cgroups.isUnified()) {
      throw new InvalidInputException(
          "berth.partition: expected cgroup v2 for isolated CPUs, found " + cgroups.description());
    }
    return new GroupEnclosure(cgroups, failed);
  }
}
