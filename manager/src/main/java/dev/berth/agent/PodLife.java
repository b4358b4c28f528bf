package dev.berth.agent;

import dev.berth.agent.ContainerLife.State;
import dev.berth.kubelet.RestartPolicy;
import dev.berth.workload.Container.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The life of a pod from its admission to its end: which container is started when, and which is
 * told to stop.
 *
 * <p>It acts on nobody: it is told what happened and when, and {@link #next} says what is to be
 * done. Init containers run one after the other and to their end, sidecars are started among them
 * and stay, the others start together. When the last of these has ended for good, the sidecars are
 * stopped, in the reverse order of their start, and the pod is over.
 */
final class PodLife {
  /** How a pod is, in Kubernetes' words where it has one. */
  enum Phase {
    /** Its init containers run. */
    PENDING,
    /** Its containers run. */
    RUNNING,
    /** Its containers are being stopped. */
    STOPPING,
    /** All of them ended with 0. */
    SUCCEEDED,
    /** One of them did not, or it was refused. */
    FAILED;

    boolean isOver() {
      return this == SUCCEEDED || this == FAILED;
    }
  }

  /** Something to be done. */
  sealed interface Deed {
    /** Start a container. */
    record Start(ContainerLife container) implements Deed {}

    /** Ask a container's first process to end. */
    record Ask(ContainerLife container) implements Deed {}

    /** Kill all processes of a container. */
    record Kill(ContainerLife container) implements Deed {}

    /** Nothing runs any more: take back what the pod has. */
    record Finish(Phase phase) implements Deed {}
  }

  private final List<ContainerLife> containers;
  private final RestartPolicy restart;
  private final Duration grace;
  private Phase phase = Phase.PENDING;
  private Optional<Phase> outcome = Optional.empty();
  private String reason = "";
  private long killAt;
  private boolean held;

  PodLife(List<ContainerLife> containers, RestartPolicy restart, Duration grace) {
    this.containers = List.copyOf(containers);
    this.restart = restart;
    this.grace = grace;
  }

  List<ContainerLife> containers() {
    return containers;
  }

  Phase phase() {
    return phase;
  }

  /** Why it failed; empty where it did not, or where exit codes say it all. */
  String reason() {
    return reason;
  }

  Optional<ContainerLife> container(String name) {
    return containers.stream().filter(c -> c.name().equals(name)).findFirst();
  }

  /** Whether a container may still run, so that it needs its place. */
  boolean needsPlace(ContainerLife container) {
    if (phase.isOver()) {
      return false;
    }
    return container.isRunning()
        || (phase != Phase.STOPPING
            && !(container.role() == Role.INIT && container.endedWell())
            && !isEndedForGood(container));
  }

  /** Nothing of it begins until it is {@linkplain #release released}; it may be stopped. */
  void hold() {
    held = true;
  }

  void release() {
    held = false;
  }

  /** Whether it has its place and waits for what others have to prepare. */
  boolean isHeld() {
    return held;
  }

  /** Begins to stop all containers; the first call counts. */
  void stop(Phase afterwards, String why, long now) {
    if (phase.isOver() || phase == Phase.STOPPING) {
      return;
    }
    phase = Phase.STOPPING;
    held = false;
    outcome = Optional.of(afterwards);
    reason = why;
    killAt = now + grace.toMillis();
  }

  /** It is over, as somebody found. */
  void over(Phase how, String why) {
    phase = how;
    held = false;
    reason = why;
  }

  /** What is to be done now, in this order. */
  List<Deed> next(long now) {
    if (phase.isOver() || held) {
      return List.of();
    }
    List<Deed> deeds = new ArrayList<>();
    if (phase != Phase.STOPPING) {
      boolean initialised = initialise(deeds, now);
      if (phase != Phase.STOPPING && initialised) {
        phase = Phase.RUNNING;
        runApps(deeds, now);
      }
    }
    if (phase == Phase.STOPPING) {
      // What was due a moment ago is so no more.
      deeds.clear();
      stopContainers(deeds, now);
    }
    return deeds;
  }

  /** Runs init containers and sidecars; whether all of them are where they should be. */
  private boolean initialise(List<Deed> deeds, long now) {
    for (ContainerLife container : containers) {
      switch (container.role()) {
        case INIT -> {
          if (container.endedWell()) {
            continue;
          }
          if (container.state() == State.ENDED) {
            if (restart == RestartPolicy.NEVER) {
              String why =
                  "init container "
                      + container.name()
                      + " ended with "
                      + container.code().orElse(ContainerLife.UNSEEN);
              stop(Phase.FAILED, why, now);
              return false;
            }
            container.waitForNextStart(now);
          }
          startIfDue(container, deeds, now);
          return false;
        }
        case SIDECAR -> {
          boolean first = container.attempt() == 0;
          if (container.state() == State.ENDED) {
            container.waitForNextStart(now);
          }
          startIfDue(container, deeds, now);
          if (first) {
            return false;
          }
        }
        case APP -> {}
      }
    }
    return true;
  }

  private static void startIfDue(ContainerLife container, List<Deed> deeds, long now) {
    if (container.state() == State.WAITING && container.notBefore() <= now) {
      deeds.add(new Deed.Start(container));
    }
  }

  private void runApps(List<Deed> deeds, long now) {
    boolean over = true;
    boolean well = true;
    for (ContainerLife container : containers) {
      if (container.role() != Role.APP) {
        continue;
      }
      if (container.state() == State.ENDED && !isEndedForGood(container)) {
        container.waitForNextStart(now);
      }
      startIfDue(container, deeds, now);
      over &= container.state() == State.ENDED;
      well &= container.endedWell();
    }
    if (over) {
      stop(well ? Phase.SUCCEEDED : Phase.FAILED, "", now);
    }
  }

  private boolean isEndedForGood(ContainerLife container) {
    return container.role() == Role.APP
        && container.state() == State.ENDED
        && !restart.again(container.code().orElse(ContainerLife.UNSEEN));
  }

  private void stopContainers(List<Deed> deeds, long now) {
    List<ContainerLife> first =
        containers.stream().filter(c -> c.role() != Role.SIDECAR && c.isRunning()).toList();
    if (!first.isEmpty()) {
      first.forEach(container -> end(container, deeds, now));
      return;
    }
    List<ContainerLife> sidecars =
        containers.stream().filter(c -> c.role() == Role.SIDECAR && c.isRunning()).toList();
    if (!sidecars.isEmpty()) {
      end(sidecars.getLast(), deeds, now);
      return;
    }
    phase = outcome.orElse(Phase.FAILED);
    deeds.add(new Deed.Finish(phase));
  }

  private void end(ContainerLife container, List<Deed> deeds, long now) {
    if (!container.isAsked()) {
      container.ask();
      deeds.add(new Deed.Ask(container));
    }
    if (now >= killAt) {
      deeds.add(new Deed.Kill(container));
    }
  }

  /** When to look again, though nothing happened; none where only an event can change things. */
  OptionalLong wakeAt(long now) {
    if (phase == Phase.STOPPING) {
      // Once it is killed, whoever kills looks again.
      return now < killAt ? OptionalLong.of(killAt) : OptionalLong.empty();
    }
    return containers.stream()
        .filter(c -> !phase.isOver() && c.state() == State.WAITING && c.notBefore() > now)
        .mapToLong(ContainerLife::notBefore)
        .min();
  }
}
