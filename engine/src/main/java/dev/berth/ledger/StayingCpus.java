package dev.berth.ledger;

import dev.berth.allocation.StaticOption;
import dev.berth.cpu.CpuSet;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether CPUs that somebody has can stay theirs under rules that may be new.
 *
 * <p>What must hold at every moment must hold now: the CPUs are there, not reserved, nobody else's,
 * and as many as are owed. Options that demand something of a request ({@code full-pcpus-only},
 * {@code strict-align-cpus-by-uncorecache}) count where they were not on before. The topology
 * policy and options that prefer something decide on who comes, not on who is there.
 */
final class StayingCpus {
  private final @Nullable CpuLedger ledger;
  private final boolean cores;
  private final boolean caches;
  private final Map<String, CpuSet> owners = new LinkedHashMap<>();

  StayingCpus(@Nullable CpuLedger ledger, Set<String> optionsBefore) {
    this.ledger = ledger;
    cores =
        ledger != null
            && ledger.policy().fullCoresOnly
            && !optionsBefore.contains(StaticOption.FULL_PCPUS_ONLY.kubernetesName());
    caches =
        ledger != null
            && ledger.policy().strictCaches
            && !optionsBefore.contains(StaticOption.STRICT_ALIGN_BY_CACHE.kubernetesName());
  }

  /** Keeps what somebody has, or tells why that cannot be. */
  Optional<String> keep(String uid, Optional<Pod> pod, Holding held) {
    if (held.cpuPart().isEmpty()) {
      return Optional.empty();
    }
    if (ledger == null) {
      return Optional.of("policy none gives nobody CPUs of its own");
    }
    Optional<String> whyNot =
        unusable(ledger.policy(), held.allCpus())
            .or(() -> pod.flatMap(known -> notOwed(ledger, known, held)))
            // One without a pod cannot be admitted anew, so only what is impossible counts.
            .or(() -> pod.flatMap(known -> parts(ledger.policy(), held)))
            .or(() -> brokenRule(ledger.policy(), uid, pod, held));
    if (whyNot.isEmpty()) {
      ledger.keep(uid, held);
      owners.put(uid, held.allCpus());
    }
    return whyNot;
  }

  private Optional<String> unusable(StaticPolicy policy, CpuSet cpus) {
    CpuSet gone = cpus.difference(policy.machine.cpus());
    if (!gone.isEmpty()) {
      String where = gone.isSubsetOf(policy.machine.offline()) ? "offline" : "not this machine's";
      return Optional.of(named(gone, "is " + where, "are " + where));
    }
    CpuSet reserved = cpus.intersection(policy.reserved);
    if (!reserved.isEmpty()) {
      return Optional.of(named(reserved, "is reserved now", "are reserved now"));
    }
    for (Map.Entry<String, CpuSet> owner : owners.entrySet()) {
      CpuSet both = cpus.intersection(owner.getValue());
      if (!both.isEmpty()) {
        String who = " with pod " + owner.getKey();
        return Optional.of(named(both, "is" + who, "are" + who));
      }
    }
    return Optional.empty();
  }

  private static String named(CpuSet cpus, String one, String several) {
    return cpus.size() == 1 ? "CPU " + cpus + " " + one : "CPUs " + cpus + " " + several;
  }

  private static Optional<String> notOwed(CpuLedger ledger, Pod pod, Holding held) {
    CpuNeeds needs = new CpuNeeds(pod, ledger.policy().gates);
    if (needs.hasBudget() && ledger.placesBudgets()) {
      return differs("its budget", needs.ofPod(), held.budget().size());
    }
    if (!held.budget().isEmpty()) {
      return Optional.of("its budget is not placed as a whole any more");
    }
    for (Container container : pod.containers()) {
      int has = held.cpus().getOrDefault(container.name(), CpuSet.EMPTY).size();
      if (held.cpus().containsKey(container.name()) && has != needs.of(container)) {
        return differs("container " + container.name(), needs.of(container), has);
      }
    }
    return Optional.empty();
  }

  private static Optional<String> differs(String who, int owed, int has) {
    return owed == has
        ? Optional.empty()
        : Optional.of(who + " is owed " + owed + " CPUs of its own now, and has " + has);
  }

  /** What options demand: of a budget as a whole, of each container otherwise. */
  private Optional<String> parts(StaticPolicy policy, Holding held) {
    List<CpuSet> parts = new ArrayList<>();
    if (held.budget().isEmpty()) {
      parts.addAll(held.cpus().values());
    } else {
      parts.add(held.budget());
    }
    for (CpuSet part : parts) {
      Optional<String> fault = cores ? splitCore(policy, part) : Optional.empty();
      boolean oneCache = caches && held.budget().isEmpty() && part.size() <= policy.largestCache;
      if (fault.isEmpty() && oneCache && !policy.onOneCache(part)) {
        fault =
            Optional.of(
                StaticOption.STRICT_ALIGN_BY_CACHE.kubernetesName()
                    + ": CPUs "
                    + part
                    + " are not on one L3 cache");
      }
      if (fault.isPresent()) {
        return fault;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> splitCore(StaticPolicy policy, CpuSet part) {
    for (Domain core : policy.machine.domains(Level.CORE)) {
      if (core.cpus().intersects(part) && !core.cpus().isSubsetOf(part)) {
        return Optional.of(
            StaticOption.FULL_PCPUS_ONLY.kubernetesName()
                + ": CPUs "
                + part
                + " are a part of core "
                + core.id()
                + " only");
      }
    }
    return Optional.empty();
  }

  /** What is left to go wrong lies within the pod: two of its containers on one CPU. */
  private static Optional<String> brokenRule(
      StaticPolicy policy, String uid, Optional<Pod> pod, Holding held) {
    Assignments alone =
        Assignments.of(
            CpuPolicy.STATIC,
            policy.wholePool().difference(held.allCpus()),
            Map.of(uid, held.cpus()),
            held.budget().isEmpty() ? Map.of() : Map.of(uid, held.budget()));
    return policy.rules().broken(alone, pod.stream().toList()).stream().findFirst();
  }
}
