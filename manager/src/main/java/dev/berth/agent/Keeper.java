package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.agent.PodLife.Deed;
import dev.berth.agent.PodLife.Phase;
import dev.berth.agent.found.FoundContainer;
import dev.berth.agent.found.FoundGroups;
import dev.berth.agent.found.NodeCpus;
import dev.berth.agent.found.UnknownContainer;
import dev.berth.agent.found.UnknownContainers;
import dev.berth.cgroup.GroupPath;
import dev.berth.cpu.CpuSet;
import dev.berth.deviceplugin.Answer;
import dev.berth.deviceplugin.Handover;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.linux.ProcessId;
import dev.berth.workload.Container.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Keeps the pods that the agent starts: starts and stops their containers, and has every process
 * where it belongs. For one thread, which is never held up for more than a tenth of a second by a
 * process that does not end.
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
  private final Launcher launcher;
  private final PluginDevices plugins;
  private final Preparation preparation;
  private final Arrangement arrangement;
  private final Events events;
  private final Metrics metrics;
  private final LongSupplier clock;
  private final Owner owner;
  private final Groups groups;
  private final Containers containers;
  private final UnknownHolders unknown;
  private final Residents<Tenant> residents = new Residents<>();

  Keeper(
      Books books,
      Enclosure enclosure,
      Launcher launcher,
      PluginDevices plugins,
      Preparation preparation,
      Arrangement arrangement,
      Wishes wishes,
      Events events,
      Metrics metrics,
      LongSupplier clock,
      UnknownHolders unknown,
      Owner owner) {
    this.books = books;
    this.launcher = launcher;
    this.plugins = plugins;
    this.preparation = preparation;
    this.arrangement = arrangement;
    this.events = events;
    this.metrics = metrics;
    this.unknown = unknown;
    groups =
        new Groups(residents::all, books, enclosure, arrangement, wishes, events, metrics, unknown);
    containers = new Containers(books, groups, enclosure, launcher, arrangement, events);
    this.clock = clock;
    this.owner = owner;
  }

  /** Who is there. */
  Residents<Tenant> residents() {
    return residents;
  }

  Seating seating() {
    return groups.seating();
  }

  /** The groups of all who are there. */
  Groups groups() {
    return groups;
  }

  /** The first process of a container, where one can be seen. */
  Optional<ProcessId> processOf(Tenant resident, ContainerLife container) {
    return containers.process(resident, container);
  }

  /** Looks which processes are in the groups of the containers that run. */
  void verify(FoundGroups found) {
    Seating seating = seating();
    List<Membership.Member> members = new ArrayList<>();
    for (Tenant resident : residents.all()) {
      for (ContainerLife container : resident.placed()) {
        containers
            .first(resident, container)
            .ifPresent(first ->
                members.add(
                    new Membership.Member(
                        resident.name(),
                        seating.groupOf(resident.request(), container.name()),
                        first,
                        resident.origin() != Origin.RUN)));
      }
    }
    groups.verify(members, found);
  }

  /** What becomes of the containers that run and that no record names. */
  List<UnknownContainer> judge(FoundGroups found) {
    Set<GroupPath> placed = new HashSet<>();
    Set<String> pods = new HashSet<>();
    Seating seating = seating();
    for (Tenant resident : residents.all()) {
      if (!resident.life().phase().isOver()) {
        pods.add(resident.uid());
        for (ContainerLife container : resident.life().containers()) {
          placed.add(seating.groupOf(resident.request(), container.name()));
          placed.add(seating.otherGroupOf(resident.request(), container.name()));
        }
      }
    }
    List<FoundContainer> strange =
        found.containers().stream().filter(one -> !placed.contains(one.group())).toList();
    Node node = books.node();
    CpuSet known = node.exclusive();
    for (String uid : unknown.holdings().keySet()) {
      known = known.difference(Holding.of(node, uid).allCpus());
    }
    return UnknownContainers.judge(NodeCpus.of(node), strange, pods::contains, known, known, known);
  }

  /** Takes in one that was there before; nothing is decided or started. */
  void welcome(Tenant resident) {
    residents.put(resident);
    if (resident.origin() == Origin.RUN) {
      containers.watchCommand(resident);
    }
  }

  /**
   * Makes the groups of one that was let in; what keeps it from its place, where something does.
   */
  Optional<String> moveIn(Tenant resident) {
    launcher.forget(resident.uid());
    residents.put(resident);
    return Groups.blocked(groups.apply(), resident.uid());
  }

  /** Takes all back that one was given who has not begun. */
  void moveOut(Tenant resident) {
    preparation.cancel(resident.uid());
    residents.remove(resident.uid());
    books.removed(resident.uid());
    plugins.forget(resident.uid());
    groups.apply();
    groups.remove(resident.uid());
  }

  /** The same for one that others may have missed a place for meanwhile. */
  void moveOutLate(Tenant resident) {
    moveOut(resident);
    owner.roomMade();
  }

  /** Has one begin that has moved in. */
  void begin(Tenant resident) {
    boolean groupsAreThere = !resident.life().isHeld();
    resident.life().release();
    if (resident.origin() == Origin.RUN) {
      adopt(resident);
    } else {
      advance(resident.uid(), groupsAreThere);
    }
  }

  /** The command's process is there already and joins its groups by itself. */
  private void adopt(Tenant resident) {
    long now = clock.getAsLong();
    resident.life().containers().forEach(container -> container.found(1, now));
    resident.life().next(now);
    containers.watchCommand(resident);
  }

  /** Keeps one on the list that is over. */
  void keepVisible(Tenant resident) {
    residents.put(resident);
    forgetOldest();
  }

  /** The link by which a rank of a command marks itself, where its group does not tell. */
  Optional<Path> mark(Tenant resident, ContainerLife container) {
    return resident.life().containers().size() == 1
        ? Optional.empty()
        : launcher.mark(Containers.id(resident, container));
  }

  /** Does what is to be done about a pod now. */
  void advance(String uid) {
    advance(uid, false);
  }

  private void advance(String uid, boolean groupsAreThere) {
    Optional<Tenant> found = residents.get(uid);
    if (found.isPresent()) {
      advance(found.get(), groupsAreThere);
    }
  }

  private void advance(Tenant resident, boolean groupsAreThere) {
    String uid = resident.uid();
    long now = clock.getAsLong();
    List<Deed> deeds = resident.life().next(now);
    if (resident.life().phase() == Phase.STOPPING || resident.life().phase().isOver()) {
      preparation.cancel(uid);
    }
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
  private boolean start(Tenant resident, ContainerLife container) {
    Optional<Answer<Handover>> devices =
        preparation.start(resident, container, () -> prepared(resident, container));
    if (devices.isEmpty()) {
      container.preparing();
      return false;
    }
    boolean failed =
        containers.start(resident, container, devices.get(), clock.getAsLong()).isPresent();
    // The one after a sidecar has its turn as soon as that is started.
    return failed || container.role() == Role.SIDECAR;
  }

  private void prepared(Tenant resident, ContainerLife container) {
    container.prepared();
    advance(resident.uid());
  }

  /** Cuts logs short that have become longer than this. */
  void rotateLogs(long limit) {
    int rotated = 0;
    for (Tenant resident : residents.all()) {
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
  Path log(Tenant resident, String container) {
    return arrangement.log(resident, container);
  }

  private void finish(Tenant resident, Phase phase) {
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
    resident
        .admission()
        .complete(
            new Verdict.Out(
                "Removed",
                "pod " + resident.title() + " has ended before it began",
                Optional.empty(),
                true));
  }

  /** Nobody needs all that ever were; a manifest's stays, or its file would start it again. */
  private void forgetOldest() {
    List<Tenant> over =
        residents.all().stream()
            .filter(r -> r.life().phase().isOver() && r.origin() != Origin.MANIFEST)
            .toList();
    over.subList(0, Math.max(0, over.size() - MOST_OVER)).forEach(this::forget);
  }

  /** Others get what it had before anybody hears that it is gone. */
  private void madeRoom(Tenant resident) {
    groups.apply();
    owner.roomMade();
    if (!residents.contains(resident.uid())) {
      resident.gone().complete(true);
    }
  }

  /** Nothing of it runs: takes back all it has, and all traces. */
  void forget(Tenant resident) {
    books.removed(resident.uid());
    residents.remove(resident.uid());
    launcher.forget(resident.uid());
    plugins.forget(resident.uid());
    groups.remove(resident.uid());
    resident.life().containers().forEach(c -> arrangement.removeLog(resident, c.name()));
  }

  /** A container began or ended, or somebody thinks so. */
  void look(TaskId task) {
    for (Tenant resident : residents.get(task.pod()).stream().toList()) {
      resident
          .life()
          .container(task.container())
          .filter(container -> container.attempt() == task.attempt())
          .ifPresent(container -> look(resident, container, seating()));
    }
  }

  private void look(Tenant resident, ContainerLife container, Seating seating) {
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
  void remove(Tenant resident) {
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
    for (Tenant resident : residents.copy()) {
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
  void lookAtCommand(Tenant resident) {
    if (resident.life().phase().isOver() || !containers.isCommandOver(resident)) {
      return;
    }
    long now = clock.getAsLong();
    if (resident.life().isHeld()) {
      resident.life().stop(Phase.FAILED, "its process has ended", now);
    }
    resident.life().containers().stream()
        .filter(ContainerLife::isRunning)
        .forEach(container -> container.ended(0, now));
    advance(resident.uid());
  }
}
