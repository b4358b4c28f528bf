package dev.berth.ledger;

import dev.berth.allocation.Trace;
import dev.berth.hints.Draft;
import dev.berth.hints.HintProvider;
import dev.berth.hints.LastingProvider;
import dev.berth.hints.Nodes;
import dev.berth.workload.Pod;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a provider that is not ours from breaking the node: whatever it throws becomes one line
 * with its name, and the pod in question is refused.
 */
final class GuardedProvider implements HintProvider {
  private final HintProvider external;
  private final Nodes nodes;
  private final Set<String> resources;
  private @Nullable String fault;

  GuardedProvider(HintProvider external, Nodes nodes) {
    this.external = external;
    this.nodes = nodes;
    resources = resourcesOf(external);
  }

  private Set<String> resourcesOf(HintProvider provider) {
    try {
      return provider instanceof LastingProvider lasting
          ? Set.copyOf(lasting.resources())
          : Set.of();
    } catch (RuntimeException | LinkageError e) {
      failed("say what it gives", e);
      return Set.of();
    }
  }

  /** The resources that it gives. */
  Set<String> resources() {
    return resources;
  }

  @Override
  public String name() {
    try {
      return String.valueOf(external.name());
    } catch (RuntimeException | LinkageError e) {
      return external.getClass().getName();
    }
  }

  /** What it failed at last, in one line. */
  Optional<String> fault() {
    return Optional.ofNullable(fault);
  }

  /** Writes down what it failed at, and returns the line. */
  String failed(String doing, Throwable thrown) {
    fault = "provider " + name() + " failed to " + doing + ": " + Fault.line(thrown);
    return fault;
  }

  @Override
  public Draft begin(Pod pod, Trace trace) {
    try {
      return GuardedDraft.of(this, nodes, external.begin(pod, trace));
    } catch (RuntimeException | LinkageError e) {
      return GuardedDraft.failed(this, nodes, failed("begin with pod " + pod.uid(), e));
    }
  }

  /** Whether it can be copied, written down and taken over. */
  boolean lasts() {
    return external instanceof LastingProvider;
  }

  /** The same at this moment; none where it cannot be copied, or failed to. */
  Optional<GuardedProvider> copy() {
    if (!(external instanceof LastingProvider lasting)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new GuardedProvider(Objects.requireNonNull(lasting.copy(), "its copy"), nodes));
    } catch (RuntimeException | LinkageError e) {
      failed("be copied", e);
      return Optional.empty();
    }
  }

  /** What each pod has of it, by uid. */
  Map<String, String> holdings() {
    if (!(external instanceof LastingProvider lasting)) {
      return Map.of();
    }
    try {
      return Map.copyOf(lasting.holdings());
    } catch (RuntimeException | LinkageError e) {
      failed("say what pods have", e);
      return Map.of();
    }
  }

  /** Gives a pod what it had; or tells why it cannot. */
  Optional<String> restore(String uid, String holding) {
    if (!(external instanceof LastingProvider lasting)) {
      return Optional.of("provider " + name() + " cannot take over what pods had");
    }
    try {
      lasting.restore(uid, holding);
      return Optional.empty();
    } catch (RuntimeException | LinkageError e) {
      return Optional.of(failed("restore pod " + uid, e));
    }
  }

  @Override
  public void remove(String uid) {
    try {
      external.remove(uid);
    } catch (RuntimeException | LinkageError e) {
      failed("remove pod " + uid, e);
    }
  }
}
