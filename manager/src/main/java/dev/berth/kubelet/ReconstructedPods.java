package dev.berth.kubelet;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryBlock;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Pods of which only a checkpoint tells, as if they had asked for just what they have.
 *
 * <p>Whoever shares CPUs among its containers, or has a budget of its own, is left out: the order
 * of its containers would have to be guessed. Such a one can stay but not move.
 */
public final class ReconstructedPods {
  private ReconstructedPods() {}

  /**
   * The pods.
   *
   * @param memoryCounts whether memory is given out, so that a pod without any cannot be one that
   *     asks for CPUs
   */
  public static List<Pod> of(SortedMap<String, Holding> holdings, boolean memoryCounts) {
    List<Pod> pods = new ArrayList<>();
    holdings.forEach((uid, held) -> {
      boolean whole = held.budget().isEmpty() && held.memoryBudget().isEmpty();
      boolean named = !uid.isEmpty() && !held.cpus().isEmpty();
      boolean complete = !memoryCounts || held.memory().keySet().containsAll(held.cpus().keySet());
      if (whole && named && complete && isDisjoint(held)) {
        pods.add(pod(uid, held));
      }
    });
    return pods;
  }

  private static boolean isDisjoint(Holding held) {
    int sum = held.cpus().values().stream().mapToInt(CpuSet::size).sum();
    return sum == held.allCpus().size() && !held.cpus().containsValue(CpuSet.EMPTY);
  }

  /** A pod of app containers that asks for just these CPUs and this memory. */
  public static Pod pod(String uid, Holding held) {
    List<Container> containers = new ArrayList<>();
    held.cpus()
        .forEach((name, cpus) -> {
          Map<String, Quantity> amounts = new HashMap<>();
          amounts.put(Resources.CPU, Quantity.of(cpus.size()));
          amounts.put(Resources.MEMORY, Quantity.of(1)); // without any it would not be guaranteed
          for (MemoryBlock block : held.memory().getOrDefault(name, List.of())) {
            amounts.put(block.type(), Quantity.of(block.size()));
          }
          containers.add(new Container(name, Container.Role.APP, Resources.guaranteed(amounts)));
        });
    return Pod.of(uid, containers);
  }
}
