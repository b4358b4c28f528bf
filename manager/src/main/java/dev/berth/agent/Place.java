package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a runtime is told about one of its containers.
 *
 * @param id the runtime's name for it
 * @param cpus where it is to run; none where CPUs are not managed
 * @param mems where its memory is to come from; none where that is not managed
 * @param quota its CPU quota in microseconds, -1 for none; not told where it was never changed
 * @param exclusive whether these CPUs are its own
 */
record Place(
    String id,
    Optional<CpuSet> cpus,
    Optional<NodeSet> mems,
    OptionalLong quota,
    boolean exclusive) {
  /** Whether there is nothing to tell. */
  boolean isEmpty() {
    return cpus.isEmpty() && mems.isEmpty() && quota.isEmpty();
  }
}
