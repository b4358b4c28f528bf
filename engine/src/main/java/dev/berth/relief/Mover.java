package dev.berth.relief;

import dev.berth.ledger.Holding;
import dev.berth.ledger.Owed;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Resources;
import java.util.List;
import java.util.Optional;

/** One who could be moved. */
final class Mover {
  /** What decisions see of a pod: two of the same shape are one and the same to them. */
  record Shape(List<Container> containers, Optional<Resources> budget) {}

  private final Pod pod;
  private final Holding held;
  private final Owed owed;
  private final int[] byNode;

  /**
   * One with what it has.
   *
   * @param owed what it needs at least, wherever it is
   * @param byNode how many CPUs it has on each NUMA node
   */
  Mover(Pod pod, Holding held, Owed owed, int[] byNode) {
    this.pod = pod;
    this.held = held;
    this.owed = owed;
    this.byNode = byNode;
  }

  Pod pod() {
    return pod;
  }

  Holding held() {
    return held;
  }

  Owed owed() {
    return owed;
  }

  int cpus() {
    return held.allCpus().size();
  }

  /** How many CPUs it has on a NUMA node. */
  int on(int position) {
    return byNode[position];
  }

  static Shape shape(Pod pod) {
    return new Shape(pod.containers(), pod.budget());
  }
}
