package dev.berth.ledger;

import dev.berth.allocation.Chooser;
import dev.berth.allocation.Trace;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.Draft;
import dev.berth.hints.Hint;
import dev.berth.hints.Offer;
import dev.berth.hints.Reason;
import dev.berth.hints.Refusal;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Resources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One pod's admission under the static CPU policy.
 *
 * <p>An init container's CPUs are free again for those that come after it in its pod; a sidecar's
 * and an app's are not. A container that holds CPUs already keeps them, whatever the options say by
 * now, so admitting a pod twice is the same as once.
 */
final class CpuDraft implements Draft {
  private final CpuLedger ledger;
  private final StaticPolicy policy;
  private final Chooser chooser;
  private final Pod pod;
  private final CpuNeeds needs;
  private final Map<String, CpuSet> held;
  private final CpuExplainer told;
  private final CpuTaking taking;
  private final Map<String, CpuSet> granted =
      LinkedHashMap.newLinkedHashMap(Admission.USUAL_CONTAINERS);
  private final CpuSet before;
  private CpuSet shared;
  private CpuSet reusable = CpuSet.EMPTY;
  private CpuSet budget = CpuSet.EMPTY;

  CpuDraft(
      CpuLedger ledger,
      Chooser chooser,
      Pod pod,
      Map<String, CpuSet> held,
      CpuSet shared,
      Trace trace) {
    this.ledger = ledger;
    this.policy = ledger.policy();
    this.chooser = chooser;
    this.pod = pod;
    this.needs = new CpuNeeds(pod, policy.gates);
    this.held = held;
    this.before = shared;
    this.shared = shared;
    this.told = new CpuExplainer(trace, pod);
    this.taking = new CpuTaking(policy, ledger.strict(), chooser, told);
  }

  @Override
  public Draft again(Trace trace) {
    return new CpuDraft(ledger, policy.chooser(), pod, held, before, trace);
  }

  @Override
  public Standing standing() {
    if (needs.hasBudget() && ledger.placesBudgets()) {
      return needs.ofPod() == 0
          ? Standing.NOTHING_OWED
          : ledger.hasBudget(pod.uid()) ? Standing.HELD : Standing.MISSING;
    }
    boolean owed = false;
    for (Container container : pod.containers()) {
      if (needs.of(container) > 0) {
        owed = true;
        if (!held.containsKey(container.name())) {
          return Standing.MISSING;
        }
      }
    }
    return owed ? Standing.HELD : Standing.NOTHING_OWED;
  }

  @Override
  public Map<String, Offer> offers(Container container) {
    int request = needs.of(container);
    if (request == 0) {
      return Map.of();
    }
    CpuSet kept = held.get(container.name());
    if (kept == null) {
      return Map.of(Resources.CPU, offer(request, reusable, ledger.strict().concern(request)));
    }
    return kept.size() == request
        ? offerKept(kept, request)
        : Map.of(Resources.CPU, Offer.IMPOSSIBLE);
  }

  @Override
  public Map<String, Offer> offers() {
    int request = needs.ofPod();
    if (request == 0 || needs.isIgnored()) {
      return Map.of();
    }
    if (needs.hasBudget() && needs.emptySharedPart().isPresent()) {
      return Map.of(Resources.CPU, Offer.IMPOSSIBLE);
    }
    CpuSet kept = CpuSet.EMPTY;
    for (Container container : pod.containers()) {
      CpuSet cpus = held.get(container.name());
      if (cpus != null && cpus.size() != needs.of(container)) {
        return Map.of(Resources.CPU, Offer.IMPOSSIBLE);
      }
      kept = cpus == null ? kept : kept.union(cpus);
    }
    if (kept.size() == request) {
      return offerKept(kept, request);
    }
    CpuSet again = reusable.union(kept);
    boolean together = needs.hasBudget() || owed().size() == 1;
    return Map.of(
        Resources.CPU,
        together || owed().stream().noneMatch(one -> ledger.strict().concern(needs.of(one)))
            ? offer(request, again, together && ledger.strict().concern(request))
            : ledger.offers().offer(assignable(), again, request, this::holdsAll));
  }

  /** The containers that get CPUs of their own. */
  private List<Container> owed() {
    return pod.containers().stream().filter(container -> needs.of(container) > 0).toList();
  }

  private Map<String, Offer> offerKept(CpuSet kept, int request) {
    return Map.of(Resources.CPU, ledger.offers().offer(kept, CpuSet.EMPTY, request));
  }

  private Offer offer(int request, CpuSet again, boolean strictly) {
    CpuOffers offers = ledger.offers();
    CpuSet available = assignable();
    return strictly
        ? offers.offer(
            available, again, request, ledger.strict().rooms(available.union(again), request))
        : offers.offer(available, again, request);
  }

  /** Whether no container would be split over caches on these nodes: found by trying. */
  private boolean holdsAll(NodeSet nodes) {
    return tried(new Hint(Affinity.to(nodes), true), false).isEmpty();
  }

  /** Why no cache of the machine has room for a container, if strict alignment asks for one. */
  Optional<Refusal> cacheRefusal(Container container) {
    int count = needs.of(container);
    CpuSet available = assignable().union(reusable);
    return ledger.strict().concern(count)
            && !held.containsKey(container.name())
            && taking.onOneCache(available, count, Affinity.ANY, true).isEmpty()
        ? Optional.of(OneCache.refusal(count, available, policy))
        : Optional.empty();
  }

  /** The same for the pod as a whole, from the beginning: its containers one after the other. */
  Optional<Refusal> cacheRefusal() {
    return policy.strictCaches ? tried(new Hint(Affinity.ANY, false), true) : Optional.empty();
  }

  private Optional<Refusal> tried(Hint place, boolean elsewhere) {
    CpuDraft trial = new CpuDraft(ledger, chooser, pod, held, before, Trace.OFF);
    if (needs.hasBudget() && ledger.placesBudgets()) {
      return Optional.ofNullable(trial.allocateBudget(needs.ofPod(), place))
          .filter(CpuDraft::isAboutCaches);
    }
    for (Container container : pod.containers()) {
      CpuSet kept = held.get(container.name());
      if (kept != null) {
        trial.grant(container, kept);
      } else if (needs.of(container) > 0) {
        Refusal refusal = trial.allocate(container, needs.of(container), place, elsewhere);
        if (refusal != null) {
          return Optional.of(refusal).filter(CpuDraft::isAboutCaches);
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isAboutCaches(Refusal refusal) {
    return refusal.reason() == Reason.CACHE_ALIGNMENT;
  }

  private CpuSet assignable() {
    return shared.difference(policy.reserved);
  }

  @Override
  public Optional<Refusal> allocate(Container container, Hint place) {
    CpuSet kept = held.get(container.name());
    if (kept != null) {
      told.kept(container, kept);
      grant(container, kept);
      return Optional.empty();
    }
    int count = needs.of(container);
    if (count == 0) {
      told.shared(container);
      return Optional.empty();
    }
    return Optional.ofNullable(allocate(container, count, place, true));
  }

  private @Nullable Refusal allocate(
      Container container, int count, Hint place, boolean elsewhere) {
    CpuSet available = assignable().union(reusable);
    told.asked("container ", container.name(), count, available, reusable, place);
    Refusal refusal = refuse(count, available);
    if (refusal != null) {
      return refusal;
    }
    CpuSet cpus = taking.take(available, count, place, elsewhere);
    if (cpus == null) {
      return OneCache.refusal(count, available, policy);
    }
    shared = shared.difference(cpus);
    grant(container, cpus);
    return null;
  }

  private void grant(Container container, CpuSet cpus) {
    granted.put(container.name(), cpus);
    reusable = container.role() == Role.INIT ? reusable.union(cpus) : reusable.difference(cpus);
  }

  private @Nullable Refusal refuse(int count, CpuSet available) {
    Refusal refusal = refuseSplitCores(count);
    if (refusal == null && count > available.size()) {
      return Refusal.unexpected(
          "not enough cpus available to satisfy request: requested="
              + count
              + ", available="
              + available.size());
    }
    return refusal;
  }

  private @Nullable Refusal refuseSplitCores(int count) {
    if (!policy.fullCoresOnly) {
      return null;
    }
    if (count % policy.cpusPerCore != 0) {
      return new Refusal(
          Reason.SMT_ALIGNMENT,
          "SMT Alignment Error: requested "
              + count
              + " cpus not multiple cpus per core = "
              + policy.cpusPerCore);
    }
    int whole = shared.difference(policy.reservedCores).size();
    return count <= whole
        ? null
        : new Refusal(
            Reason.SMT_ALIGNMENT,
            "SMT Alignment Error: not enough free physical CPUs: available physical CPUs = "
                + whole
                + ", requested CPUs = "
                + count
                + ", CPUs per core = "
                + policy.cpusPerCore);
  }

  @Override
  public Optional<Refusal> allocateBudget(Hint place) {
    int count = needs.ofPod();
    return count == 0 ? Optional.empty() : Optional.ofNullable(allocateBudget(count, place));
  }

  private @Nullable Refusal allocateBudget(int count, Hint place) {
    if (needs.emptySharedPart().isPresent()) {
      return new Refusal(Reason.EMPTY_POD_SHARED_POOL, needs.emptySharedPart().get());
    }
    CpuSet available = assignable();
    told.asked("pod ", pod.uid(), count, available, CpuSet.EMPTY, place);
    Refusal refusal = refuse(count, available);
    if (refusal != null) {
      return refusal;
    }
    CpuSet taken = taking.take(available, count, place, true);
    if (taken == null) {
      return OneCache.refusal(count, available, policy);
    }
    budget = taken;
    shared = shared.difference(budget);
    return split();
  }

  /** Splits the budget: an init container gives back, a sidecar and an app do not. */
  private @Nullable Refusal split() {
    CpuSet pool = budget;
    for (Container container : pod.containers()) {
      int own = needs.of(container);
      if (own > pool.size()) {
        return Refusal.unexpected(
            "not enough cpus available to satisfy request: requested="
                + own
                + ", available="
                + pool.size());
      }
      if (own > 0) {
        CpuSet cpus = chooser.choose(pool, own, told.trace());
        granted.put(container.name(), cpus);
        pool = container.role() == Role.INIT ? pool : pool.difference(cpus);
      } else if (container.role() == Role.INIT) {
        granted.put(container.name(), pool);
      }
    }
    for (Container container : pod.containers()) {
      granted.putIfAbsent(container.name(), pool);
    }
    return null;
  }

  @Override
  public void commit() {
    ledger.take(pod.uid(), shared, granted, budget);
  }
}
