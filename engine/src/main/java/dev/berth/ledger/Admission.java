package dev.berth.ledger;

import dev.berth.hints.Affinity;
import dev.berth.hints.Draft;
import dev.berth.hints.Hint;
import dev.berth.hints.Merged;
import dev.berth.hints.Nodes;
import dev.berth.hints.Offer;
import dev.berth.hints.Reason;
import dev.berth.hints.Refusal;
import dev.berth.hints.TopologyPolicy;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes one pod through the topology manager: collects offers, merges them, has every provider
 * allocate at the place that came out; container by container or for the pod as a whole.
 */
final class Admission {
  /**
   * Most pods have one or two; a map made for sixteen takes longer than all that is put into it.
   */
  static final int USUAL_CONTAINERS = 2;

  private static final String NO_LOCALITY = "Resources cannot be allocated with Topology locality";

  private static final Hint NO_PLACE = new Hint(Affinity.ANY, false);

  private final @Nullable TopologyPolicy merge;
  private final Nodes nodes;
  private final List<Draft> drafts;
  private final TopologyExplainer told;
  private final Map<String, Hint> places = LinkedHashMap.newLinkedHashMap(USUAL_CONTAINERS);
  private boolean bounded;

  Admission(
      @Nullable TopologyPolicy merge, Nodes nodes, List<Draft> drafts, TopologyExplainer told) {
    this.merge = merge;
    this.nodes = nodes;
    this.drafts = drafts;
    this.told = told;
  }

  /** Where each container was placed. */
  Map<String, Hint> places() {
    return places;
  }

  /** Whether a merge met the bound of its search. */
  boolean isBounded() {
    return bounded;
  }

  /** Places every container for itself. */
  @Nullable Refusal byContainer(Pod pod, boolean budget) {
    for (Container container : pod.containers()) {
      Hint place =
          merge == null
              ? NO_PLACE
              : place(merge, "container " + container.name(), draft -> draft.offers(container));
      if (place == null) {
        return unplaced(
            draft -> draft.cacheRefusal(container),
            budget
                ? "Pod Scope pod with pod-level resources failed admission with a"
                    + " container-level topology manager"
                : NO_LOCALITY);
      }
      Refusal refusal = allocate(container, place);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  /** Places all containers of the pod together. */
  @Nullable Refusal byPod(Pod pod, boolean budget) {
    Hint place = merge == null ? NO_PLACE : place(merge, "pod " + pod.uid(), Draft::offers);
    if (place == null) {
      return unplaced(
          CpuDraft::cacheRefusal,
          budget
              ? "Pod Scope pod with pod-level resources failed admission under pod-scope"
                  + " topology manager"
              : NO_LOCALITY);
    }
    if (budget) {
      return allocateBudget(pod, place);
    }
    for (Container container : pod.containers()) {
      Refusal refusal = allocate(container, place);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  /**
   * Why the policy refused: strict alignment, where no cache of the machine has room, or else that
   * the resources do not meet.
   */
  private Refusal unplaced(Function<CpuDraft, Optional<Refusal>> ask, String message) {
    for (Draft draft : drafts) {
      Optional<Refusal> cause = draft instanceof CpuDraft cpus ? ask.apply(cpus) : Optional.empty();
      if (cause.isPresent()) {
        return cause.get();
      }
    }
    return new Refusal(Reason.TOPOLOGY_AFFINITY, message);
  }

  /** The place that the offers merge to; null where the policy refuses it. */
  private @Nullable Hint place(
      TopologyPolicy policy, String who, Function<Draft, Map<String, Offer>> ask) {
    List<Offer> offers = new ArrayList<>();
    for (Draft draft : drafts) {
      Map<String, Offer> offered = ask.apply(draft);
      told.offered(offered);
      offers.addAll(offered.values());
    }
    Merged merged = policy.merge(nodes, offers);
    bounded |= merged.bounded();
    told.merged(who, merged);
    return merged.admitted() ? new Hint(merged.affinity(), merged.preferred()) : null;
  }

  private @Nullable Refusal allocate(Container container, Hint place) {
    places.put(container.name(), place);
    for (Draft draft : drafts) {
      Optional<Refusal> refusal = draft.allocate(container, place);
      if (refusal.isPresent()) {
        return refusal.get();
      }
    }
    return null;
  }

  private @Nullable Refusal allocateBudget(Pod pod, Hint place) {
    pod.names().forEach(name -> places.put(name, place));
    for (Draft draft : drafts) {
      Optional<Refusal> refusal = draft.allocateBudget(place);
      if (refusal.isPresent()) {
        return refusal.get();
      }
    }
    return null;
  }
}
