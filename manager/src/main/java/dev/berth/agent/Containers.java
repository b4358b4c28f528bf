package dev.berth.agent;

import dev.berth.cgroup.GroupPath;
import dev.berth.deviceplugin.Answer;
import dev.berth.deviceplugin.Handover;
import dev.berth.linux.Posix;
import dev.berth.linux.ProcessId;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Starts and stops single containers, and sees how they are. */
final class Containers {
  /** What a shell ends with where a command cannot be started. */
  private static final int NOT_STARTED = 126;

  /** The shell that watches a container is there within milliseconds, or never. */
  private static final long LONGEST_START = 20_000;

  /** How a container is. */
  sealed interface State {
    /** It runs, or is about to. */
    record Runs() implements State {}

    /** Its first process has ended, and others that it left behind do not want to. */
    record Lingers() implements State {}

    /** Nothing of it is left. */
    record Over(int code) implements State {}
  }

  private final Books books;
  private final Groups groups;
  private final Enclosure enclosure;
  private final Launcher launcher;
  private final Arrangement arrangement;
  private final Events events;

  Containers(
      Books books,
      Groups groups,
      Enclosure enclosure,
      Launcher launcher,
      Arrangement arrangement,
      Events events) {
    this.books = books;
    this.groups = groups;
    this.enclosure = enclosure;
    this.launcher = launcher;
    this.arrangement = arrangement;
    this.events = events;
  }

  static TaskId id(Tenant resident, ContainerLife container) {
    return new TaskId(resident.uid(), container.name(), container.attempt());
  }

  /**
   * Starts a container, whose groups are there; its exit code where it could not be started.
   *
   * @param devices what plugins hand on to it. Of mounts and device nodes there is no need: the
   *     host's own are there
   */
  OptionalInt start(Tenant resident, ContainerLife container, Answer<Handover> devices, long now) {
    Seating seating = groups.seating();
    Seating.Seat seat = seating.seat(resident.request(), container.name());
    container.started(now);
    try {
      Map<String, String> environment = new HashMap<>(handover(devices).environment());
      environment.putAll(
          Environment.of(resident.launch(container.name()), seat, resident, books.node()));
      launcher.start(
          new Task(
              id(resident, container),
              resident.launch(container.name()),
              environment,
              arrangement.log(resident, container.name()),
              enclosure.joinFiles(seating.groupOf(resident.request(), container.name())),
              arrangement.isolated() ? List.of() : enclosure.joinFiles(Seating.AGENT),
              enclosure.affinity(seat.cpus()),
              seat.exclusive()));
      events.add("started", resident.title(), container.name() + " on CPUs " + seat.cpus());
      return OptionalInt.empty();
    } catch (IOException e) {
      ended(resident, container, NOT_STARTED, String.valueOf(e.getMessage()), now);
      return OptionalInt.of(NOT_STARTED);
    }
  }

  private static Handover handover(Answer<Handover> devices) throws IOException {
    return switch (devices) {
      case Answer.Given<Handover>(Handover handover) -> handover;
      case Answer.Refused<Handover>(String line) -> throw new IOException(line);
    };
  }

  /** Asks the first process of a container to end. */
  void ask(Tenant resident, ContainerLife container) {
    events.add("stopping", resident.title(), container.name());
    if (process(resident, container).isPresent()) {
      container.hear();
    }
    signal(resident, container, Posix.SIGTERM);
  }

  /** Ends all processes of a container. */
  void kill(Tenant resident, ContainerLife container) {
    enclosure.kill(groups.seating().groupOf(resident.request(), container.name()));
    signal(resident, container, Posix.SIGKILL);
  }

  private void signal(Tenant resident, ContainerLife container, int number) {
    try {
      if (resident.process().isPresent()) {
        resident.process().get().signal(number);
      } else {
        launcher.signal(id(resident, container), number);
      }
    } catch (IOException e) {
      events.add("failed", resident.title(), String.valueOf(e.getMessage()));
    }
  }

  /** The first process of a container, where one can be seen. */
  Optional<ProcessId> process(Tenant resident, ContainerLife container) {
    if (resident.process().isPresent()) {
      return resident.process();
    }
    return container.isRunning()
            && launcher.look(id(resident, container)) instanceof Sighting.Running running
        ? Optional.of(running.process())
        : Optional.empty();
  }

  /** The first process of a container that runs, also of one that a command brought. */
  Optional<ProcessId> first(Tenant resident, ContainerLife container) {
    if (resident.origin() != Origin.RUN) {
      return process(resident, container);
    }
    Optional<ProcessId> process =
        resident.life().containers().size() == 1
            ? resident.process()
            : launcher.process(id(resident, container));
    return process.filter(ProcessId::isAlive);
  }

  /** Looks at a container that is thought to run. */
  State look(Tenant resident, ContainerLife container, Seating seating, long now) {
    GroupPath group = seating.groupOf(resident.request(), container.name());
    TaskId task = id(resident, container);
    Sighting sighting = launcher.look(task);
    if (!(sighting instanceof Sighting.Running)) {
      // It may have ended before it was ever seen, and left somebody behind.
      launcher.process(task).ifPresent(process -> enclosure.watch(group, process));
    }
    return switch (sighting) {
      case Sighting.Running running -> {
        enclosure.hold(group, running.process());
        remind(resident, container);
        yield new State.Runs();
      }
      case Sighting.Pretended _ -> new State.Runs();
      case Sighting.Starting _ -> {
        giveUp(resident, container, now);
        yield new State.Runs();
      }
      case Sighting.Ended ended -> cleared(group, ended.code());
      case Sighting.Absent _ -> cleared(group, ContainerLife.UNSEEN);
      // Without its shell a container still counts as long as it runs.
      case Sighting.Lost _ ->
          enclosure.isPopulated(group) ? new State.Runs() : new State.Over(ContainerLife.UNSEEN);
    };
  }

  /** One that was asked to end before it had a process hears it as soon as it has one. */
  private void remind(Tenant resident, ContainerLife container) {
    if (container.isAsked() && !container.hasHeard()) {
      container.hear();
      signal(resident, container, Posix.SIGTERM);
    }
  }

  private void giveUp(Tenant resident, ContainerLife container, long now) {
    if (now - container.startedAt() > LONGEST_START) {
      try {
        launcher.fence(id(resident, container));
        events.add("failed", resident.title(), container.name() + ": its shell did not begin");
      } catch (IOException e) {
        events.add("failed", resident.title(), "cannot be given up: " + e.getMessage());
      }
    }
  }

  /** Whatever a first process left behind goes with it. */
  private State cleared(GroupPath group, int code) {
    if (enclosure.isPopulated(group)) {
      enclosure.kill(group);
    }
    return enclosure.isPopulated(group) ? new State.Lingers() : new State.Over(code);
  }

  /** A container has ended, and nothing of it is left. */
  void ended(Tenant resident, ContainerLife container, int code, String why, long now) {
    GroupPath group = groups.seating().groupOf(resident.request(), container.name());
    container.ended(code, now);
    String words = container.name() + " with " + code + (why.isEmpty() ? "" : ": " + why);
    events.add("ended", resident.title(), words);
    if (Seating.isApart(group, resident.uid())) {
      // Its CPUs may be the next container's, and the kernel lets no two partitions have them.
      enclosure.remove(group);
    }
  }

  /** Of several ranks each is a process of its own, which marks itself once it is there. */
  void watchCommand(Tenant resident) {
    Seating seating = groups.seating();
    for (ContainerLife container : resident.placed()) {
      Optional<ProcessId> process =
          resident.life().containers().size() == 1
              ? resident.process()
              : launcher.process(id(resident, container));
      process.ifPresent(
          p -> enclosure.watch(seating.groupOf(resident.request(), container.name()), p));
    }
  }

  /** Whether the command of a resident and all that it started have ended. */
  boolean isCommandOver(Tenant resident) {
    if (resident.process().filter(ProcessId::isAlive).isPresent()) {
      return false;
    }
    Seating seating = groups.seating();
    for (ContainerLife container : resident.life().containers()) {
      GroupPath group = seating.groupOf(resident.request(), container.name());
      if (container.isRunning() && cleared(group, 0) instanceof State.Lingers) {
        return false;
      }
    }
    return true;
  }
}
