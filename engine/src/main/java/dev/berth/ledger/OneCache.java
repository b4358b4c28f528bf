package dev.berth.ledger;

import dev.berth.cpu.CpuSet;
import dev.berth.hints.Reason;
import dev.berth.hints.Refusal;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import java.util.Optional;

/** The strict form of cache alignment: one last-level cache has it all, or the pod is refused. */
final class OneCache {
  private OneCache() {}

  /** What may be taken: where only whole cores are given away, no half of a reserved one. */
  static CpuSet offered(CpuSet available, StaticPolicy policy) {
    return policy.fullCoresOnly ? available.difference(policy.reservedCores) : available;
  }

  /** The CPUs of the fullest cache that still has enough, then of the lowest id. */
  static Optional<CpuSet> with(int count, CpuSet available, StaticPolicy policy) {
    Optional<CpuSet> best = Optional.empty();
    for (Domain cache : policy.machine.domains(Level.CACHE)) {
      CpuSet free = cache.cpus().intersection(available);
      if (free.size() >= count && (best.isEmpty() || free.size() < best.get().size())) {
        best = Optional.of(free);
      }
    }
    return best;
  }

  static Refusal refusal(int count, CpuSet available, StaticPolicy policy) {
    CpuSet offered = offered(available, policy);
    int most = 0;
    for (Domain cache : policy.machine.domains(Level.CACHE)) {
      most = Math.max(most, cache.cpus().sharedWith(offered));
    }
    return new Refusal(
        Reason.CACHE_ALIGNMENT,
        "Uncore Cache Alignment Error: requested "
            + count
            + " cpus would be split: the most that one cache has free = "
            + most);
  }
}
