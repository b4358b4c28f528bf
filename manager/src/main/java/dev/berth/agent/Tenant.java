package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.kubelet.Launch;
import dev.berth.kubelet.RunnablePod;
import dev.berth.linux.ProcessId;
import dev.berth.workload.CpuWish;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A pod whose containers the agent starts itself, or a command that asked for a place. */
final class Tenant extends Resident {
  private final RunnablePod pod;
  private final Optional<ProcessId> process;
  private boolean leaving;
  private boolean hushed;
  private final CompletableFuture<Boolean> gone = new CompletableFuture<>();
  private final CompletableFuture<Verdict> admission = new CompletableFuture<>();

  /**
   * One that is about to begin.
   *
   * @param process the command's own process, for one that {@code berth run} brought
   */
  Tenant(RunnablePod pod, Origin origin, Optional<ProcessId> process) {
    super(
        pod.manifest().namespace(),
        pod.manifest().name(),
        pod.manifest().pod(),
        origin,
        new PodLife(
            pod.launches().stream().map(l -> new ContainerLife(l.name(), l.role())).toList(),
            pod.restart(),
            pod.grace()));
    this.pod = pod;
    this.process = process;
  }

  RunnablePod pod() {
    return pod;
  }

  /** How one of its containers is started. */
  Launch launch(String container) {
    return pod.launches().stream()
        .filter(launch -> launch.name().equals(container))
        .findFirst()
        .orElseThrow();
  }

  @Override
  Set<CpuWish> wishes() {
    return pod.wishes();
  }

  Optional<ProcessId> process() {
    return process;
  }

  /** Whether nothing of it is to be kept once it has ended. */
  boolean isLeaving() {
    return leaving;
  }

  void leave() {
    leaving = true;
  }

  /** Whether its refusal is no news. */
  boolean isHushed() {
    return hushed;
  }

  void hush() {
    hushed = true;
  }

  /** What became of it, once its plugins have been asked. */
  CompletableFuture<Verdict> admission() {
    return admission;
  }

  /** The first answer counts. */
  CompletableFuture<Verdict> answer(Verdict verdict) {
    admission.complete(verdict);
    return admission;
  }

  /** Done once nothing of it is left. */
  CompletableFuture<Boolean> gone() {
    return gone;
  }
}
