package dev.berth.agent;

import dev.berth.agent.state.StateFolder;
import dev.berth.explain.Objections;
import dev.berth.ledger.Conditions;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Explanation;
import dev.berth.ledger.Node;
import dev.berth.ledger.Objection;
import dev.berth.workload.Pod;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Decides, and has the decision on the disk before anybody acts on it.
 *
 * <p>What cannot be written down is taken back. A release that cannot be written down holds up
 * every later admission, since the disk would otherwise come to name two owners of a CPU.
 */
final class Books {
  /** What became of a pod. */
  sealed interface Verdict {
    /**
     * It was let in, and that is written down.
     *
     * @param why how the engine came to it, where that is known
     */
    record In(Optional<Explanation> why) implements Verdict {}

    /**
     * It was not let in, and has nothing.
     *
     * @param reason one word, Kubernetes' own where it has one
     * @param message one line
     * @param why how the engine came to it, where it was the engine
     * @param isFinal whether it is not to be tried again, however much room there is
     */
    record Out(String reason, String message, Optional<Explanation> why, boolean isFinal)
        implements Verdict {
      /** As things are now. */
      Out(String reason, String message, Optional<Explanation> why) {
        this(reason, message, why, false);
      }
    }
  }

  private static final String UNWRITABLE = "StateUnwritable";

  private final Scribe scribe;
  private final Metrics metrics;
  private final Loop loop;
  private final Chronicle chronicle = new Chronicle();
  private boolean allowEmptySharedPool;
  private Node node;

  /**
   * Of a node that starts.
   *
   * @param loop does what nobody waits for
   * @param news told of a state folder that is gone, by the kind of event
   */
  Books(
      Node node,
      StateFolder state,
      Metrics metrics,
      boolean allowEmptySharedPool,
      Loop loop,
      BiConsumer<String, String> news) {
    this.node = node;
    scribe = new Scribe(state, this::node, metrics, loop, news);
    this.loop = loop;
    this.metrics = metrics;
    this.allowEmptySharedPool = allowEmptySharedPool;
  }

  Node node() {
    return node;
  }

  /** What has happened, for those who look at it. */
  Chronicle chronicle() {
    return chronicle;
  }

  /** From now on, whether the last shared CPU may be given away while a container runs on it. */
  void allowEmptySharedPool(boolean allowed) {
    allowEmptySharedPool = allowed;
  }

  /** Goes on with another node, which has taken everybody over and is written down already. */
  void replace(Node other) {
    node = other;
  }

  /**
   * Decides on a pod.
   *
   * @param spec what the state folder keeps of it
   * @param visible whether a refusal stays visible
   * @param objections asked about one that the engine admits, before that is written down
   */
  Verdict admit(Pod pod, String spec, boolean visible, Objections objections) {
    Optional<String> unwritable = write();
    if (unwritable.isPresent()) {
      return out(UNWRITABLE, unwritable.get());
    }
    long boundedBefore = node.boundedMerges();
    long began = System.nanoTime();
    Decision decision = node.admit(pod);
    long took = System.nanoTime() - began;
    boolean bounded = node.boundedMerges() > boundedBefore;
    Verdict verdict =
        switch (decision) {
          case Decision.Refused refused ->
              new Verdict.Out(
                  refused.reason().kubernetesName(), refused.message(), Optional.of(refused.why()));
          case Decision.Granted granted -> settle(pod, spec, objections, granted);
        };
    loop.afterwards(
        () -> metrics.decided(pod, decision, verdict instanceof Verdict.In, node, bounded, took));
    if (visible && verdict instanceof Verdict.Out out) {
      scribe.refused(pod, spec, out.reason() + ": " + out.message());
    }
    return verdict;
  }

  private Verdict settle(Pod pod, String spec, Objections objections, Decision.Granted granted) {
    Optional<Objection> objection = objections.against(node);
    if (objection.isPresent()) {
      node.remove(pod.uid());
      return out(objection.get().reason(), objection.get().message());
    }
    Optional<String> unwritable = scribe.admitted(pod, spec);
    if (unwritable.isPresent()) {
      node.remove(pod.uid());
      return out(UNWRITABLE, unwritable.get());
    }
    return new Verdict.In(Optional.of(granted.why()));
  }

  /** What would speak against a pod beside the engine, as the settings are now. */
  Objections objections(Pod pod, boolean sharedRuns) {
    boolean allowed = allowEmptySharedPool;
    return after -> Conditions.emptied(pod, after, sharedRuns, allowed);
  }

  /** Whether the last shared CPU may be given away while a container runs on it. */
  boolean allowsEmptySharedPool() {
    return allowEmptySharedPool;
  }

  private static Verdict.Out out(String reason, String message) {
    return new Verdict.Out(reason, message, Optional.empty());
  }

  /** Why a pod could not be let in now; tries again where something failed before. */
  Optional<String> unready() {
    return scribe.unready();
  }

  /** A pod is being stopped; it keeps what it has. */
  void stopping(String uid) {
    scribe.stopping(uid);
  }

  /** Takes back what a pod has; it stays on the list of those who were there. */
  void ended(String uid, String phase, String exits) {
    node.remove(uid);
    scribe.ended(uid, phase, exits);
    chronicle.removed(uid, node);
  }

  /** Takes back what a pod has and forgets it. */
  void removed(String uid) {
    node.remove(uid);
    scribe.removed(uid);
    chronicle.removed(uid, node);
  }

  /** Brings Kubernetes' files up to what was written down. */
  void catchUp() {
    scribe.catchUp();
  }

  /** Writes down what could not be written before; the line to show where it still cannot. */
  Optional<String> write() {
    return scribe.write();
  }
}
