package dev.berth.ledger;

import dev.berth.allocation.Trace;
import dev.berth.hints.Draft;
import dev.berth.hints.HintProvider;
import dev.berth.hints.Nodes;
import dev.berth.workload.Pod;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a provider that is not ours from breaking the node: whatever it throws becomes one line
 * with its name, and the pod in question is refused.
 */
final class GuardedProvider implements HintProvider {
  private final HintProvider external;
  private final Nodes nodes;
  private @Nullable String fault;

  GuardedProvider(HintProvider external, Nodes nodes) {
    this.external = external;
    this.nodes = nodes;
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

  @Override
  public void remove(String uid) {
    try {
      external.remove(uid);
    } catch (RuntimeException | LinkageError e) {
      failed("remove pod " + uid, e);
    }
  }
}
