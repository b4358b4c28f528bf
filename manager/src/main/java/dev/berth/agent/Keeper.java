package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.agent.PodLife.Deed;
import dev.berth.agent.PodLife.Phase;
import dev.berth.kubelet.RunnablePod;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.linux.ProcessId;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Keeps the pods of a machine: lets them in, starts and stops their containers, and has every
 * process where it belongs. For one thread, which is never held up for more than a tenth of a
 * second by a process that does not end.
 *
 * <p>The order in all it does: first the disk, then the groups (those who lose CPUs before those
 * who gain them), then the processes; and the other way round when a pod leaves.
 */
final class Keeper {
  /** Pause before something that failed is tried again. */
  private static final long RETRY = 1_000;

  /** Pods that are over and were not removed: the latest of them stay visible. */
  static final int MOST_OVER = 200;

  /** What the keeper needs of the one who owns it. */
  interface Owner {
    /** Calls {@link #advance} for a pod after a while. */
    void wake(String uid, long milliseconds);

    /** Calls {@link #look} for a container after a while. */
    void lookAgain(TaskId task, long milliseconds);

    /** CPUs have become free. */
    void roomMade();
  }

  private final Books books;
  private final Enclosure enclosure;
  private final Launcher launcher;
  private final Arrangement arrangement;
  private final Events events;
  private final Metrics metrics;
  private final LongSupplier clock;
  private final Owner owner;
  private final Groups groups;
  private final Containers containers;
  private final Map<String, Resident> residents = new LinkedHashMap<>();

  Keeper(
      Books books,
      Enclosure enclosure,
      Launcher launcher,
      Arrangement arrangement,
      Events events,
      Metrics metrics,
      LongSupplier clock,
      Owner owner) {
    this.books = books;
    this.enclosure = enclosure;
    this.launcher = launcher;
    this.arrangement = arrangement;
    this.events = events;
    this.metrics = metrics;
    groups = new Groups(residents::values, books, enclosure, arrangement, events, metrics);
    containers = new Containers(books, groups, enclosure, launcher, arrangement, events);
    this.clock = clock;
    this.owner = owner;
  }

  /** All pods, in the order of their coming. */
  Collection<Resident> residents() {
    return Collections.unmodifiableCollection(residents.values());
  }

  Optional<Resident> find(String name) {
    return residents.values().stream().filter(resident -> resident.isCalled(name)).findFirst();
  }

  Seating seating() {
    return groups.seating();
  }

  /** The groups of all who are there. */
  Groups groups() {
    return groups;
  }

  /** The first process of a container, where one can be seen. */
  Optional<ProcessId> processOf(Resident resident, ContainerLife container) {
    return containers.process(resident, container);
  }

  /** Takes in one that was there before; nothing is decided or started. */
  void welcome(Resident resident) {
    residents.put(resident.uid(), resident);
    if (resident.origin() == Origin.RUN) {
      containers.watchCommand(resident);
    }
  }

  /**
   * Decides on a pod, and if it is let in, starts it.
   *
   * @param process the command's own process, for one that {@code berth run} brought
   */
  Verdict admit(RunnablePod pod, Origin origin, Optional<ProcessId> process) {
    Resident before = residents.get(pod.uid());
    if (before != null && !before.life().phase().isOver()) {
      return again(before, pod, process);
    }
    if (before != null) {
      forget(before);
      before.gone().complete(true);
    }
    long began = System.nanoTime();
    try {
      return decide(pod, origin, process);
    } finally {
      metrics.answered(System.nanoTime() - began);
    }
  }

  private Verdict decide(RunnablePod pod, Origin origin, Optional<ProcessId> process) {
    Resident resident = new Resident(pod, origin, process);
    Optional<String> unable = unable(resident);
    Verdict verdict =
        unable.isPresent()
            ? new Verdict.Out("Unsupported", unable.get(), Optional.empty())
            : books.admit(
                pod, ResidentText.write(pod, origin, process), origin != Origin.RUN, isPoolInUse());
    return switch (verdict) {
      case Verdict.Out out -> refused(resident, out);
      case Verdict.In in -> admitted(resident, in);
    };
  }

  /** The same command may ask twice, where the first answer was lost with its agent. */
  private Verdict again(Resident before, RunnablePod pod, Optional<ProcessId> process) {
    boolean same =
        process.isPresent()
            && before.process().equals(process)
            && before.pod().text().equals(pod.text());
    if (same) {
      return new Verdict.In(before.why());
    }
    String line =
        "pod " + before.title() + " runs already; berth rm " + before.title() + " ends it";
    events.add("refused", before.title(), line);
    return new Verdict.Out("NameInUse", line, Optional.empty());
  }

  private Optional<String> unable(Resident resident) {
    if (!enclosure.limitsHugepages() && Limits.asksForHugepages(resident.request())) {
      return Optional.of(
          "hugepages: expected the hugetlb controller, found none on this machine, so their limit"
              + " would not hold");
    }
    return Optional.empty();
  }

  private boolean isPoolInUse() {
    Seating seating = seating();
    // Beside partitions the pool's own group keeps a CPU, whoever is in it: no set is ever empty.
    return arrangement.isolated()
        || residents.values().stream()
            .anyMatch(resident ->
                resident.placed().stream()
                    .anyMatch(c -> seating.shares(resident.request(), c.name())));
  }

  private Verdict refused(Resident resident, Verdict.Out out) {
    resident.life().over(Phase.FAILED, out.reason() + ": " + out.message());
    out.why().ifPresent(resident::explain);
    if (resident.origin() != Origin.RUN) {
      residents.put(resident.uid(), resident);
      forgetOldest();
    }
    events.add("refused", resident.title(), out.reason() + ": " + out.message());
    return out;
  }

  private Verdict admitted(Resident resident, Verdict.In in) {
    launcher.forget(resident.uid());
    residents.put(resident.uid(), resident);
    in.why().ifPresent(resident::explain);
    Optional<String> blocked = Groups.blocked(groups.apply(), resident.uid());
    if (blocked.isPresent()) {
      // Somebody may still sit on CPUs that were to be this pod's: it must not start.
      residents.remove(resident.uid());
      takeBack(resident);
      return refused(
          resident, new Verdict.Out("GroupsUnwritable", blocked.get(), Optional.empty()));
    }
    events.add("admitted", resident.title(), Descriptions.seats(seating(), resident));
    if (resident.origin() == Origin.RUN) {
      adopt(resident);
    } else {
      advance(resident.uid(), true);
    }
    return in;
  }

  private void takeBack(Resident resident) {
    books.removed(resident.uid());
    groups.apply();
    groups.remove(resident.uid());
  }

  /** The command's process is there already and joins its groups by itself. */
  private void adopt(Resident resident) {
    long now = clock.getAsLong();
    resident.life().containers().forEach(container -> container.found(1, now));
    resident.life().next(now);
    containers.watchCommand(resident);
  }

  /** The link by which a rank of a command marks itself, where its group does not tell. */
  Optional<Path> mark(Resident resident, ContainerLife container) {
    return resident.life().containers().size() == 1
        ? Optional.empty()
        : launcher.mark(Containers.id(resident, container));
  }

  /** Whether a pod would be let in if nobody else were there. */
  boolean couldEverFit(RunnablePod pod) {
    Node node = books.node();
    Node empty = Node.builder(node.machine(), node.configuration()).devices(node.devices()).start();
    return empty.admit(pod.manifest().pod()) instanceof Decision.Granted;
  }

  /** What the pods that are not over ask for, in the order of their coming. */
  List<Pod> requests() {
    return residents.values().stream()
        .filter(resident -> !resident.life().phase().isOver())
        .map(Resident::request)
        .toList();
  }

  /** Does what is to be done about a pod now. */
  void advance(String uid) {
    advance(uid, false);
  }

  private void advance(String uid, boolean groupsAreThere) {
    Resident resident = residents.get(uid);
    if (resident == null) {
      return;
    }
    long now = clock.getAsLong();
    List<Deed> deeds = resident.life().next(now);
    boolean starts = deeds.stream().anyMatch(Deed.Start.class::isInstance);
    if (starts && !groupsAreThere && Groups.blocked(groups.apply(), uid).isPresent()) {
      owner.wake(uid, RETRY);
      return;
    }
    boolean again = false;
    for (Deed deed : deeds) {
      again |=
          switch (deed) {
            case Deed.Start start -> start(resident, start.container());
            case Deed.Ask ask -> {
              containers.ask(resident, ask.container());
              yield false;
            }
            case Deed.Kill kill -> {
              containers.kill(resident, kill.container());
              owner.wake(uid, RETRY);
              yield false;
            }
            case Deed.Finish finish -> {
              finish(resident, finish.phase());
              yield false;
            }
          };
    }
    if (again) {
      owner.wake(uid, 0);
    }
    resident.life().wakeAt(now).ifPresent(at -> owner.wake(uid, at - now));
  }

  /** Starts a container; whether the pod is to be looked at again at once. */
  private boolean start(Resident resident, ContainerLife container) {
    boolean failed = containers.start(resident, container, clock.getAsLong()).isPresent();
    // The one after a sidecar has its turn as soon as that is started.
    return failed || container.role() == Role.SIDECAR;
  }

  /** Cuts logs short that have become longer than this. */
  void rotateLogs(long limit) {
    int rotated = 0;
    for (Resident resident : residents.values()) {
      for (ContainerLife container : resident.life().containers()) {
        try {
          rotated += LogRotation.rotate(log(resident, container.name()), limit) ? 1 : 0;
        } catch (IOException e) {
          events.add("failed", resident.title(), "log of " + container.name() + ": " + e);
        }
      }
    }
    metrics.rotated(rotated);
  }

  /** Where the output of a container goes. */
  Path log(Resident resident, String container) {
    return arrangement.log(resident, container);
  }

  private void finish(Resident resident, Phase phase) {
    if (resident.origin() == Origin.RUN || resident.isLeaving()) {
      forget(resident);
    } else {
      books.ended(resident.uid(), Descriptions.phase(phase), Descriptions.exits(resident));
      groups.remove(resident.uid());
      forgetOldest();
    }
    events.add(
        "finished",
        resident.title(),
        Descriptions.phase(phase)
            + (resident.life().reason().isEmpty() ? "" : ": " + resident.life().reason()));
    madeRoom(resident);
  }

  /** Nobody needs all that ever were; a manifest's stays, or its file would start it again. */
  private void forgetOldest() {
    List<Resident> over =
        residents.values().stream()
            .filter(r -> r.life().phase().isOver() && r.origin() != Origin.MANIFEST)
            .toList();
    over.subList(0, Math.max(0, over.size() - MOST_OVER)).forEach(this::forget);
  }

  /** Others get what it had before anybody hears that it is gone. */
  private void madeRoom(Resident resident) {
    groups.apply();
    owner.roomMade();
    if (!residents.containsKey(resident.uid())) {
      resident.gone().complete(true);
    }
  }

  /** Nothing of it runs: takes back all it has, and all traces. */
  void forget(Resident resident) {
    books.removed(resident.uid());
    residents.remove(resident.uid());
    launcher.forget(resident.uid());
    groups.remove(resident.uid());
    resident.life().containers().forEach(c -> arrangement.removeLog(resident, c.name()));
  }

  /** A container began or ended, or somebody thinks so. */
  void look(TaskId task) {
    Resident resident = residents.get(task.pod());
    if (resident != null) {
      resident
          .life()
          .container(task.container())
          .filter(container -> container.attempt() == task.attempt())
          .ifPresent(container -> look(resident, container, seating()));
    }
  }

  private void look(Resident resident, ContainerLife container, Seating seating) {
    if (resident.origin() == Origin.RUN) {
      containers.watchCommand(resident);
      return;
    }
    if (!container.isRunning()) {
      return;
    }
    long now = clock.getAsLong();
    switch (containers.look(resident, container, seating, now)) {
      case Containers.State.Runs _ -> {}
      case Containers.State.Lingers _ -> owner.lookAgain(Containers.id(resident, container), RETRY);
      case Containers.State.Over over -> {
        containers.ended(resident, container, over.code(), "", now);
        advance(resident.uid());
      }
    }
  }

  /** Begins to stop a pod, and forgets it once it has stopped. */
  void remove(Resident resident) {
    if (resident.life().phase().isOver()) {
      forget(resident);
      madeRoom(resident);
      return;
    }
    resident.leave();
    if (resident.life().phase() != Phase.STOPPING) {
      resident.life().stop(Phase.FAILED, "removed", clock.getAsLong());
      books.stopping(resident.uid());
    }
    advance(resident.uid());
  }

  /** Looks at all that runs, and at what could not be done before. */
  void lookAtAll() {
    books.write();
    Seating seating = seating();
    for (Resident resident : List.copyOf(residents.values())) {
      if (resident.origin() == Origin.RUN) {
        lookAtCommand(resident);
        continue;
      }
      for (ContainerLife container : resident.life().containers()) {
        look(resident, container, seating);
      }
      advance(resident.uid());
    }
  }

  /** A command has ended when its first process has. */
  void lookAtCommand(Resident resident) {
    if (resident.life().phase().isOver() || !containers.isCommandOver(resident)) {
      return;
    }
    long now = clock.getAsLong();
    resident.life().containers().stream()
        .filter(ContainerLife::isRunning)
        .forEach(container -> container.ended(0, now));
    advance(resident.uid());
  }
}
