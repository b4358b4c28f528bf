package dev.berth.agent;

import dev.berth.agent.PodLife.Phase;
import dev.berth.agent.found.FoundContainer;
import dev.berth.agent.state.PodRecord;
import dev.berth.agent.state.Standing;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.RestartPolicy;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds again who was there before: from what was written down, and from what can be seen. */
final class Recovery {
  private final Launcher launcher;
  private final Events events;
  private final boolean sameBoot;
  private final long now;
  private final Map<String, Integer> attempts = new HashMap<>();
  private final Set<String> running = new HashSet<>();

  /**
   * Looks around.
   *
   * @param sameBoot whether the machine has run since it was written down
   * @param found the containers that run, as the kernel has them
   */
  Recovery(
      Launcher launcher, Events events, boolean sameBoot, long now, List<FoundContainer> found) {
    found.forEach(one -> running.add(one.uid() + "~" + one.name()));
    this.launcher = launcher;
    this.events = events;
    this.sameBoot = sameBoot;
    this.now = now;
    if (sameBoot) {
      for (TaskId task : launcher.traces()) {
        attempts.merge(task.pod() + "~" + task.container(), task.attempt(), Math::max);
      }
    } else {
      launcher.traces().stream().map(TaskId::pod).distinct().forEach(launcher::forget);
    }
  }

  /** One that was there; empty where its description cannot be understood, which is said. */
  Optional<Tenant> resident(PodRecord record) {
    Tenant resident;
    try {
      resident = ResidentText.read("state of pod " + record.uid(), record.spec());
    } catch (InvalidInputException e) {
      events.add("failed", record.uid(), e.line());
      return Optional.empty();
    }
    resident.displaced(record.displaced());
    switch (record.standing()) {
      case Standing.Refused refused -> resident.refuse(refused.reason());
      case Standing.Ended ended -> ended(resident, ended);
      case Standing.Admitted _ -> running(resident);
      case Standing.Stopping _ -> {
        running(resident);
        resident.leave();
        resident.life().stop(Phase.FAILED, "removed", now);
      }
    }
    return Optional.of(resident);
  }

  private static void ended(Tenant resident, Standing.Ended ended) {
    Descriptions.readExits(
        ended.exits(),
        (name, exit) ->
            resident
                .life()
                .container(name)
                .ifPresent(container -> container.foundEnded(exit.starts(), exit.code())));
    resident.life().over(Descriptions.phase(ended.phase()), "");
  }

  private void running(Tenant resident) {
    if (resident.origin() == Origin.RUN) {
      resident
          .life()
          .containers()
          .forEach(container -> {
            // Whether it still runs and what it left behind, the next look at it tells.
            if (sameBoot) {
              container.found(1, now);
            } else {
              container.foundEnded(1, ContainerLife.UNSEEN);
            }
          });
      return;
    }
    boolean seen =
        resident.life().containers().stream()
            .anyMatch(container -> running.contains(resident.uid() + "~" + container.name()));
    if (!sameBoot && !seen && resident.pod().restart() == RestartPolicy.NEVER) {
      resident.life().containers().forEach(c -> c.foundEnded(1, ContainerLife.UNSEEN));
      return;
    }
    resident.life().containers().forEach(container -> find(resident, container));
  }

  private void find(Tenant resident, ContainerLife container) {
    String name = resident.uid() + "~" + container.name();
    int attempt = attempts.getOrDefault(name, 0);
    if (attempt == 0) {
      if (running.contains(name)) {
        orphan(resident, container);
      }
      return;
    }
    TaskId task = new TaskId(resident.uid(), container.name(), attempt);
    switch (fenced(task)) {
      case Sighting.Absent _ -> container.foundAbsent(attempt);
      // Whether one without its shell still runs, and what one that has ended left behind, the next
      // look at it tells.
      case Sighting.Starting _,
          Sighting.Pretended _,
          Sighting.Running _,
          Sighting.Ended _,
          Sighting.Lost _ ->
          container.found(attempt, now);
    }
  }

  /** It runs, and every trace of its start is lost: a second start would run beside it. */
  private void orphan(Tenant resident, ContainerLife container) {
    TaskId task = new TaskId(resident.uid(), container.name(), 1);
    try {
      launcher.orphaned(task);
      container.found(1, now);
    } catch (IOException e) {
      events.add("failed", task.pod(), "cannot mark " + task.fileName() + ": " + e.getMessage());
    }
  }

  /** What can be seen of a start, once nobody can begin it any more behind our back. */
  private Sighting fenced(TaskId task) {
    try {
      launcher.fence(task);
    } catch (IOException e) {
      events.add("failed", task.pod(), "cannot fence " + task.fileName() + ": " + e.getMessage());
    }
    return launcher.look(task);
  }

  /**
   * Forgets those of whom only traces are left: an agent that dies while it forgets a pod has the
   * books without it first. One that still runs though nobody knows it keeps its traces.
   */
  void sweep(Set<String> known) {
    Map<String, List<TaskId>> strangers =
        launcher.traces().stream()
            .filter(task -> !known.contains(task.pod()))
            .collect(Collectors.groupingBy(TaskId::pod));
    strangers.forEach((pod, tasks) -> {
      if (tasks.stream().noneMatch(this::mayRun)) {
        launcher.forget(pod);
      }
    });
  }

  private boolean mayRun(TaskId task) {
    return switch (launcher.look(task)) {
      case Sighting.Starting _, Sighting.Pretended _, Sighting.Running _ -> true;
      case Sighting.Ended _, Sighting.Absent _, Sighting.Lost _ -> false;
    };
  }
}
