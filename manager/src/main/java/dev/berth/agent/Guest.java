package dev.berth.agent;

import dev.berth.guest.GuestContainer;
import dev.berth.guest.GuestRequest;
import dev.berth.kubelet.RestartPolicy;
import dev.berth.linux.ProcessId;
import dev.berth.workload.Container.Role;
import dev.berth.workload.CpuWish;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** A container that another runtime starts. Another attempt at the same one is the same guest. */
final class Guest extends Resident {
  /** What it was before an attempt that may come to nothing. */
  private record Earlier(
      GuestContainer container, boolean stopped, boolean failed, Optional<ProcessId> process) {}

  private GuestContainer container;
  private Optional<Earlier> earlier = Optional.empty();
  private Optional<ProcessId> process = Optional.empty();
  private boolean stopped;
  private boolean failed;

  Guest(GuestContainer container, GuestRequest request) {
    super(
        container.namespace(),
        container.podName(),
        request.pod(),
        Origin.RUNTIME,
        new PodLife(
            List.of(new ContainerLife(container.name(), Role.APP)),
            RestartPolicy.ALWAYS,
            Duration.ZERO));
    this.container = container;
  }

  GuestContainer container() {
    return container;
  }

  String id() {
    return container.id();
  }

  /** How many CPUs of its own it is owed. */
  int exclusiveCpus() {
    return request().exclusiveCpus(request().containers().getFirst());
  }

  /** Whether another attempt asks for what this one has. */
  boolean asksTheSame(GuestRequest other) {
    return !life().phase().isOver()
        && displaced().isEmpty()
        && request().containers().equals(other.pod().containers());
  }

  private ContainerLife only() {
    return life().containers().getFirst();
  }

  /** Has a place from now on, as this attempt. */
  void begin(GuestContainer attempt, long now) {
    boolean another = !attempt.id().equals(container.id());
    if (another) {
      // The runtime's record of an attempt that has a place is what we made of it.
      container = attempt;
    }
    if (another || stopped) {
      process = Optional.empty();
    }
    stopped = false;
    if (!only().isRunning() || another) {
      only().found(only().attempt() + 1, now);
    }
    life().next(now);
  }

  /** Another attempt is about to be created: until that runs, it can be taken back. */
  void attempting() {
    earlier = Optional.of(new Earlier(container, stopped, failed, process));
  }

  /** The id of the attempt before, where the latest can be taken back. */
  Optional<String> earlierId() {
    return earlier.map(was -> was.container().id());
  }

  /** The sandbox of the attempt before, where the latest can be taken back. */
  Optional<String> earlierSandbox() {
    return earlier.map(was -> was.container().sandbox());
  }

  /** The latest attempt runs, or nothing is left of the one before. */
  void forgetEarlier() {
    earlier = Optional.empty();
  }

  /** The latest attempt came to nothing: all is as it was before. */
  void takeBack() {
    Earlier was = earlier.orElseThrow();
    container = was.container();
    stopped = was.stopped();
    failed = was.failed();
    process = was.process();
    if (stopped) {
      only().stopped();
    }
    earlier = Optional.empty();
  }

  /** Its first process, once somebody has told. */
  void runs(ProcessId first) {
    process = Optional.of(first);
  }

  Optional<ProcessId> process() {
    return process.filter(ProcessId::isAlive);
  }

  /**
   * Nothing of it runs; what it has stays its own, since it may be started again. Who hears of the
   * same end once more, and not how it came, forgets nothing.
   *
   * @param code how it ended, where that is known
   */
  void stop(OptionalInt code) {
    if (stopped && code.isEmpty()) {
      return;
    }
    stopped = true;
    failed = code.orElse(0) != 0;
    process = Optional.empty();
    code.ifPresentOrElse(how -> only().ended(how, Loop.milliseconds()), only()::stopped);
  }

  /**
   * Whether it has stopped and, as an init container that has done its work, is not needed again.
   */
  boolean isDone() {
    return stopped && !failed;
  }

  /** Somebody has given it another quota. */
  void resized(long quota) {
    container = container.withQuota(quota);
  }

  @Override
  Set<CpuWish> wishes() {
    return container.wishes();
  }

  @Override
  List<ContainerLife> placed() {
    return stopped || life().phase().isOver() ? List.of() : life().containers();
  }

  @Override
  String label() {
    return title() + "/" + container.name();
  }

  @Override
  boolean isCalled(String called) {
    return super.isCalled(called)
        || called.equals(title() + "/" + container.name())
        || called.equals(container.podUid())
        || called.equals(container.id());
  }
}
