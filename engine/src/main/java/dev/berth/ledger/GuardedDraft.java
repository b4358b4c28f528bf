package dev.berth.ledger;

import dev.berth.allocation.Trace;
import dev.berth.hints.Draft;
import dev.berth.hints.Hint;
import dev.berth.hints.Nodes;
import dev.berth.hints.Offer;
import dev.berth.hints.Reason;
import dev.berth.hints.Refusal;
import dev.berth.workload.Container;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An admission with a provider that is not ours.
 *
 * <p>Once it has failed it is not called again: it offers nothing and refuses the pod. A pod that
 * has all it is owed elsewhere stays nevertheless: someone else's fault turns nobody out.
 */
final class GuardedDraft implements Draft {
  private final GuardedProvider provider;
  private final Nodes nodes;
  private final @Nullable Draft external;
  private @Nullable String fault;
  private boolean committed;

  private GuardedDraft(
      GuardedProvider provider, Nodes nodes, @Nullable Draft external, @Nullable String fault) {
    this.provider = provider;
    this.nodes = nodes;
    this.external = external;
    this.fault = fault;
  }

  static GuardedDraft of(GuardedProvider provider, Nodes nodes, Draft external) {
    return new GuardedDraft(provider, nodes, Objects.requireNonNull(external, "draft"), null);
  }

  static GuardedDraft failed(GuardedProvider provider, Nodes nodes, String fault) {
    return new GuardedDraft(provider, nodes, null, fault);
  }

  /**
   * Makes all drafts count, the last ones first: those of others, which may fail, come after ours,
   * so that nothing of ours has changed when one does.
   *
   * @return why it cannot be, if one failed
   */
  static @Nullable Refusal commit(List<Draft> drafts) {
    for (Draft draft : drafts.reversed()) {
      draft.commit();
      if (draft instanceof GuardedDraft guarded && guarded.fault != null) {
        return Refusal.unexpected(guarded.fault);
      }
    }
    return null;
  }

  private <T> T call(String doing, T otherwise, Function<Draft, T> action) {
    if (external == null || fault != null) {
      return otherwise;
    }
    try {
      return Objects.requireNonNull(action.apply(external), "its answer");
    } catch (RuntimeException | LinkageError e) {
      fault = provider.failed(doing, e);
      return otherwise;
    }
  }

  @Override
  public Standing standing() {
    return call("say how a pod stands", Standing.NOTHING_OWED, Draft::standing);
  }

  @Override
  public Map<String, Offer> offers(Container container) {
    return call(
        "offer for container " + container.name(),
        Map.of(),
        draft -> checked(draft.offers(container)));
  }

  @Override
  public Map<String, Offer> offers() {
    return call("offer for the pod", Map.of(), draft -> checked(draft.offers()));
  }

  /** Offers about other nodes cannot be merged with ours. */
  private Map<String, Offer> checked(Map<String, Offer> offers) {
    offers.forEach((resource, offer) -> {
      if (!offer.isFor(nodes)) {
        throw new IllegalStateException(
            "expected an offer of "
                + resource
                + " about NUMA nodes "
                + nodes.all()
                + ", found one about others");
      }
    });
    return offers;
  }

  @Override
  public Optional<Refusal> allocate(Container container, Hint place) {
    return refusal(
        call(
            "allocate for container " + container.name(),
            Optional.empty(),
            draft -> draft.allocate(container, place)));
  }

  @Override
  public Optional<Refusal> allocateBudget(Hint place) {
    return refusal(
        call("allocate for the pod", Optional.empty(), draft -> draft.allocateBudget(place)));
  }

  /** Others refuse in their own words, but under one reason: the rest of them are ours to give. */
  private Optional<Refusal> refusal(Optional<Refusal> theirs) {
    return fault != null
        ? Optional.of(Refusal.unexpected(fault))
        : theirs.map(refusal ->
            refusal.reason() == Reason.UNEXPECTED
                ? refusal
                : Refusal.unexpected(refusal.message()));
  }

  @Override
  public Draft again(Trace trace) {
    if (external == null || fault != null) {
      return failed(provider, nodes, String.valueOf(fault));
    }
    try {
      return of(provider, nodes, external.again(trace));
    } catch (RuntimeException | LinkageError e) {
      return failed(provider, nodes, "provider " + provider.name() + ": " + Fault.line(e));
    }
  }

  @Override
  public void abandon() {
    if (!committed) {
      call(
          "abandon a refused pod",
          true,
          draft -> {
            draft.abandon();
            return true;
          });
    }
  }

  @Override
  public void commit() {
    committed =
        call(
            "commit",
            false,
            draft -> {
              draft.commit();
              return true;
            });
  }
}
