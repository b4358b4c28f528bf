package dev.berth.agent;

import dev.berth.kubelet.RunnablePod;
import dev.berth.ledger.Explanation;
import dev.berth.linux.ProcessId;
import dev.berth.workload.Pod;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A pod that the agent knows: what it is, how far it has come, why it sits where it sits. */
final class Resident {
  private final RunnablePod pod;
  private final Origin origin;
  private final Optional<ProcessId> process;
  private final PodLife life;
  private Optional<Explanation> why = Optional.empty();
  private Optional<String> displaced = Optional.empty();
  private boolean leaving;
  private final CompletableFuture<Boolean> gone = new CompletableFuture<>();

  /**
   * One that is about to begin.
   *
   * @param process the command's own process, for one that {@code berth run} brought
   */
  Resident(RunnablePod pod, Origin origin, Optional<ProcessId> process) {
    this.pod = pod;
    this.origin = origin;
    this.process = process;
    life = new PodLife(pod.launches(), pod.restart(), pod.grace());
  }

  RunnablePod pod() {
    return pod;
  }

  /** What the engine decides on. */
  Pod request() {
    return pod.manifest().pod();
  }

  String uid() {
    return pod.uid();
  }

  /** How people call it: its name, with the namespace where that is not the default one. */
  String title() {
    String namespace = pod.manifest().namespace();
    String name = pod.manifest().name();
    return namespace.equals("default") ? name : namespace + "/" + name;
  }

  boolean isCalled(String name) {
    return name.equals(uid())
        || name.equals(title())
        || name.equals(pod.manifest().namespace() + "/" + pod.manifest().name());
  }

  Origin origin() {
    return origin;
  }

  Optional<ProcessId> process() {
    return process;
  }

  PodLife life() {
    return life;
  }

  /** Those of its containers that need a place now. */
  List<ContainerLife> placed() {
    return life.containers().stream().filter(life::needsPlace).toList();
  }

  /** Whether nothing of it is to be kept once it has ended. */
  boolean isLeaving() {
    return leaving;
  }

  void leave() {
    leaving = true;
  }

  /** Done once nothing of it is left. */
  CompletableFuture<Boolean> gone() {
    return gone;
  }

  Optional<Explanation> why() {
    return why;
  }

  void explain(Explanation explanation) {
    why = Optional.of(explanation);
  }

  /** Why it runs on the shared pool although it is owed CPUs of its own, where it does. */
  Optional<String> displaced() {
    return displaced;
  }

  void displaced(Optional<String> because) {
    displaced = because;
  }
}
