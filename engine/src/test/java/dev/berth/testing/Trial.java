package dev.berth.testing;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.List;

/** Guaranteed pods of one container, one after another, and what each got. */
public final class Trial {
  private Trial() {}

  /** The CPUs of each pod as a list, or the reason of its refusal. */
  public static List<String> admit(Machine machine, Configuration configuration, int... cpus) {
    return admit(Node.start(machine, configuration), cpus);
  }

  /** The same on a node that is there already; pods are named after their place, from 1. */
  public static List<String> admit(Node node, int... cpus) {
    List<String> answers = new ArrayList<>();
    for (int count : cpus) {
      Decision decision = node.admit(Pod.guaranteed("pod-" + (answers.size() + 1), count));
      answers.add(
          switch (decision) {
            case Decision.Granted granted ->
                granted.cpus().getOrDefault("app", CpuSet.EMPTY).toString();
            case Decision.Refused refused -> refused.reason().kubernetesName();
          });
    }
    return answers;
  }
}
