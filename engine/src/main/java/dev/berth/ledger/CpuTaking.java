package dev.berth.ledger;

import dev.berth.allocation.Chooser;
import dev.berth.allocation.Trace;
import dev.berth.cpu.CpuSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.Hint;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes CPUs at an agreed place, and as strictly as the options say. */
final class CpuTaking {
  private final StaticPolicy policy;
  private final StrictCaches strict;
  private final Chooser chooser;
  private final CpuExplainer told;

  CpuTaking(StaticPolicy policy, StrictCaches strict, Chooser chooser, CpuExplainer told) {
    this.policy = policy;
    this.strict = strict;
    this.chooser = chooser;
    this.told = told;
  }

  /** The CPUs for a request; null where strict alignment finds no cache with room. */
  @Nullable CpuSet take(CpuSet available, int count, Hint place, boolean elsewhere) {
    if (!strict.concern(count)) {
      CpuSet cpus = choose(available, count, place.affinity(), told.trace());
      told.betterCache(policy, available, cpus, place);
      return cpus;
    }
    return onOneCache(available, count, place.affinity(), elsewhere)
        .map(free -> chooser.choose(free, count, told.trace()))
        .orElse(null);
  }

  /**
   * The free CPUs of the cache that first fit gives, where it is one, or else of the fullest.
   *
   * @param elsewhere whether a cache away from the agreed place will do where none at it has room.
   *     Then the place suits other resources and was not preferred: a policy that insists on it has
   *     refused the pod by now.
   */
  Optional<CpuSet> onOneCache(CpuSet available, int count, Affinity affinity, boolean elsewhere) {
    CpuSet offered = OneCache.offered(available, policy);
    if (offered.size() < count) {
      return Optional.empty();
    }
    CpuSet firstFit = choose(offered, count, affinity, Trace.OFF);
    if (policy.onOneCache(firstFit)) {
      return Optional.of(offered.intersection(policy.cacheOf(firstFit)));
    }
    Optional<CpuSet> there = OneCache.with(count, near(offered, affinity), policy);
    if (there.isPresent() || !elsewhere) {
      return there;
    }
    Optional<CpuSet> anywhere = OneCache.with(count, offered, policy);
    anywhere.ifPresent(free -> told.cacheElsewhere(count, affinity));
    return anywhere;
  }

  /** Those of the CPUs that are at the agreed place. */
  private CpuSet near(CpuSet available, Affinity affinity) {
    return switch (affinity) {
      case Affinity.Any any -> available;
      case Affinity.To(var nodes) -> available.intersection(policy.cpusNear(nodes));
    };
  }

  /** Takes from the agreed place what it has, and the rest from anywhere. */
  private CpuSet choose(CpuSet available, int count, Affinity affinity, Trace trace) {
    CpuSet aligned = near(available, affinity);
    CpuSet near = chooser.choose(aligned, Math.min(count, aligned.size()), trace);
    int missing = count - near.size();
    return missing == 0
        ? near
        : near.union(chooser.choose(available.difference(near), missing, trace));
  }
}
