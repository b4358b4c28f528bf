package dev.berth.agent.found;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.Node;

/**
 * The CPUs of a node before anything is allocated.
 *
 * @param all that are online
 * @param pool the shared pool while no CPU is exclusive
 * @param reserved never exclusive
 * @param managed whether containers are confined to CPUs at all
 */
public record NodeCpus(CpuSet all, CpuSet pool, CpuSet reserved, boolean managed) {
  /** Of a node, whatever is allocated on it. */
  public static NodeCpus of(Node node) {
    return new NodeCpus(
        node.machine().cpus(),
        node.shared().union(node.exclusive()),
        node.reserved(),
        node.configuration().cpuPolicy() == CpuPolicy.STATIC);
  }
}
