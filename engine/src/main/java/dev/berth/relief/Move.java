package dev.berth.relief;

import dev.berth.ledger.Holding;

/**
 * One pod's part in a plan.
 *
 * @param pod its uid
 * @param from what it has now
 * @param to what it has afterwards
 * @param nodesBefore how many NUMA nodes its CPUs are on now
 * @param nodesAfter how many afterwards
 */
public record Move(String pod, Holding from, Holding to, int nodesBefore, int nodesAfter) {
  /** Whether nothing but CPUs changes, so that the kernel can do it while the pod runs. */
  public boolean isOnlyCpus() {
    return from.memoryPart().equals(to.memoryPart()) && from.devicePart().equals(to.devicePart());
  }

  @Override
  public String toString() {
    return pod + ": " + from.allCpus() + " -> " + to.allCpus();
  }
}
