package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.agent.PodLife.Deed;
import dev.berth.agent.PodLife.Phase;
import dev.berth.cgroup.Changes;
import dev.berth.cgroup.Failure;
import dev.berth.cgroup.GroupPath;
import dev.berth.cgroup.Settings;
import dev.berth.kubelet.RunnablePod;
import dev.berth.linux.Posix;
import dev.berth.linux.ProcessId;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.LongSupplier;

/**
 * Keeps the pods of a machine: lets them in, starts and stops their containers, and has every
 * process where it belongs. For one thread; nothing in here waits.
 *
 * <p>The order in all it does: first the disk, then the groups (those who lose CPUs before those
 * who gain them), then the processes; and the other way round when a pod leaves.
 */
final class Keeper {
  /** Pause before something that failed is tried again. */
  private static final long RETRY = 1_000;

  private static final GroupPath PROBE = GroupPath.of("probe");

  /** What the keeper needs of the one who owns it. */
  interface Owner {
    /** Calls {@link #advance} for a pod after a while. */
    void wake(String uid, long milliseconds);

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
  private final Map<String, Resident> residents = new LinkedHashMap<>();

  /** The groups that were needed when there were no others; none where there may be others. */
  private Set<GroupPath> swept = Set.of();

  /** What groups ran into last; empty once they are known to work. */
  private Optional<String> trouble = Optional.empty();

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
    return Seating.of(books.node(), arrangement.isolated());
  }

  /** Takes in one that was there before; nothing is decided or started. */
  void welcome(Resident resident) {
    residents.put(resident.uid(), resident);
    if (resident.origin() == Origin.RUN) {
      watchCommand(resident);
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
    }
    events.add("refused", resident.title(), out.reason() + ": " + out.message());
    return out;
  }

  private Verdict admitted(Resident resident, Verdict.In in) {
    launcher.forget(resident.uid());
    residents.put(resident.uid(), resident);
    in.why().ifPresent(resident::explain);
    Optional<String> blocked = blocked(applyGroups(), resident.uid());
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

  /** What keeps a pod from its place; what went wrong with the groups of others does not. */
  private static Optional<String> blocked(Changes changes, String uid) {
    GroupPath own = Seating.groupOf(uid);
    return changes.failures().stream()
        .filter(failure ->
            own.equals(failure.group())
                || own.isBelow(failure.group())
                || failure.group().isBelow(own)
                || Seating.isApart(failure.group(), uid))
        .map(Failure::toString)
        .findFirst();
  }

  private void takeBack(Resident resident) {
    books.removed(resident.uid());
    applyGroups();
    removeGroups(resident);
  }

  /** The command's process is there already and joins its groups by itself. */
  private void adopt(Resident resident) {
    long now = clock.getAsLong();
    resident.life().containers().forEach(container -> container.found(1, now));
    resident.life().next(now);
    watchCommand(resident);
  }

  /** Of several ranks each is a process of its own, which marks itself once it is there. */
  private void watchCommand(Resident resident) {
    Seating seating = seating();
    List<ContainerLife> placed = resident.placed();
    for (ContainerLife container : placed) {
      Optional<ProcessId> process =
          resident.life().containers().size() == 1
              ? resident.process()
              : launcher.process(id(resident, container));
      process.ifPresent(
          p -> enclosure.watch(seating.groupOf(resident.request(), container.name()), p));
    }
  }

  /** The link by which a rank of a command marks itself, where its group does not tell. */
  Optional<Path> mark(Resident resident, ContainerLife container) {
    return resident.life().containers().size() == 1
        ? Optional.empty()
        : launcher.mark(id(resident, container));
  }

  /** Brings all groups to what is wanted, and says what failed. */
  Changes applyGroups() {
    return told(enclosure.apply(seating().wanted(residents.values())));
  }

  private Changes told(Changes changes) {
    changes.failures().forEach(failure -> events.add("failed", "", failure.toString()));
    metrics.groups(changes);
    trouble = changes.failures().stream().map(Failure::toString).findFirst().or(() -> trouble);
    return changes;
  }

  /**
   * Why groups cannot be brought to what is wanted now. Where something failed before, a group is
   * made and removed: a look at those that are as they should be would not tell.
   */
  Optional<String> unready() {
    if (trouble.isPresent()) {
      SortedMap<GroupPath, Settings> wanted = seating().wanted(residents.values());
      wanted.put(PROBE, wanted.getOrDefault(Seating.AGENT, Settings.NONE));
      Changes changes = enclosure.apply(wanted);
      enclosure.remove(PROBE);
      trouble = changes.failures().stream().map(Failure::toString).findFirst();
    }
    return trouble;
  }

  /** Looks at every group, repairs what others changed, and removes what nobody needs. */
  Changes reconcileGroups() {
    SortedMap<GroupPath, Settings> wanted = seating().wanted(residents.values());
    Changes changes = told(enclosure.reconcile(wanted));
    // A pass in which nothing has changed since the last need not list a thousand folders.
    if (!wanted.keySet().equals(swept)) {
      swept = removeOthers(wanted.keySet()) ? Set.copyOf(wanted.keySet()) : Set.of();
    }
    return changes;
  }

  /** Removes the groups that nobody needs; whether none is left. */
  private boolean removeOthers(Set<GroupPath> wanted) {
    Set<GroupPath> needed = new HashSet<>(Set.of(GroupPath.OWN, Seating.AGENT));
    for (GroupPath path : wanted) {
      for (GroupPath at = path; needed.add(at); ) {
        at = at.parent();
      }
    }
    boolean clean = true;
    for (GroupPath group : enclosure.groups()) {
      if (!needed.contains(group)) {
        clean = false;
        if (!enclosure.isPopulated(group)) {
          enclosure.remove(group);
        }
      }
    }
    return clean;
  }

  /** Has everything where it belongs at the start: the groups, and the agent in its own. */
  void settle() throws IOException {
    Seating seating = seating();
    boolean pinned = seating.managesCpus() && !arrangement.isolated();
    if (enclosure.mustEnterFirst()) {
      enclosure.enter(Seating.AGENT, seating.system());
    }
    told(enclosure.reconcile(seating.wanted(residents.values())));
    if (pinned && !enclosure.mustEnterFirst()) {
      enclosure.enter(Seating.AGENT, seating.system());
    }
  }

  /** Moves the agent to the CPUs that are reserved now, where its group does not do that. */
  void stayOnReserved() {
    Seating seating = seating();
    if (seating.managesCpus() && !arrangement.isolated()) {
      try {
        enclosure.enter(Seating.AGENT, seating.system());
      } catch (IOException e) {
        events.add("failed", "", "the agent stays where it is: " + e.getMessage());
      }
    }
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
    if (starts && !groupsAreThere && blocked(applyGroups(), uid).isPresent()) {
      owner.wake(uid, RETRY);
      return;
    }
    boolean again = false;
    for (Deed deed : deeds) {
      again |=
          switch (deed) {
            case Deed.Start start -> start(resident, start.container());
            case Deed.Ask ask -> ask(resident, ask.container());
            case Deed.Kill kill -> kill(resident, kill.container());
            case Deed.Finish finish -> finish(resident, finish.phase());
          };
    }
    if (again) {
      owner.wake(uid, 0);
    }
    resident.life().wakeAt(now).ifPresent(at -> owner.wake(uid, at - now));
  }

  /** Starts a container; whether the pod is to be looked at again. */
  private boolean start(Resident resident, ContainerLife container) {
    TaskId id = new TaskId(resident.uid(), container.name(), container.attempt() + 1);
    Seating seating = seating();
    Seating.Seat seat = seating.seat(resident.request(), container.name());
    container.started(clock.getAsLong());
    try {
      launcher.start(
          new Task(
              id,
              container.launch(),
              Environment.of(container.launch(), seat, resident, books.node()),
              arrangement.log(resident, container.name()),
              enclosure.joinFiles(seating.groupOf(resident.request(), container.name())),
              arrangement.isolated() ? List.of() : enclosure.joinFiles(Seating.AGENT),
              enclosure.affinity(seat.cpus())));
      events.add("started", resident.title(), container.name() + " on CPUs " + seat.cpus());
      // One before it may now have its turn.
      return container.role() == dev.berth.workload.Container.Role.SIDECAR;
    } catch (IOException e) {
      ended(resident, container, 126, String.valueOf(e.getMessage()));
      return true;
    }
  }

  private boolean ask(Resident resident, ContainerLife container) {
    events.add("stopping", resident.title(), container.name());
    signal(resident, container, Posix.SIGTERM);
    return false;
  }

  private boolean kill(Resident resident, ContainerLife container) {
    enclosure.kill(seating().groupOf(resident.request(), container.name()));
    signal(resident, container, Posix.SIGKILL);
    owner.wake(resident.uid(), RETRY);
    return false;
  }

  private void signal(Resident resident, ContainerLife container, int number) {
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
  Optional<ProcessId> processOf(Resident resident, ContainerLife container) {
    if (resident.process().isPresent()) {
      return resident.process();
    }
    return container.isRunning()
            && launcher.look(id(resident, container)) instanceof Sighting.Running running
        ? Optional.of(running.process())
        : Optional.empty();
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

  private static TaskId id(Resident resident, ContainerLife container) {
    return new TaskId(resident.uid(), container.name(), container.attempt());
  }

  private boolean finish(Resident resident, Phase phase) {
    if (resident.origin() == Origin.RUN || resident.isLeaving()) {
      forget(resident);
    } else {
      books.ended(resident.uid(), Descriptions.phase(phase), Descriptions.exits(resident));
      removeGroups(resident);
    }
    events.add(
        "finished",
        resident.title(),
        Descriptions.phase(phase)
            + (resident.life().reason().isEmpty() ? "" : ": " + resident.life().reason()));
    madeRoom(resident);
    return false;
  }

  /** Others get what it had before anybody hears that it is gone. */
  private void madeRoom(Resident resident) {
    applyGroups();
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
    removeGroups(resident);
    resident.life().containers().forEach(c -> arrangement.removeLog(resident, c.name()));
  }

  private void removeGroups(Resident resident) {
    swept = Set.of();
    List<GroupPath> groups = new ArrayList<>(List.of(Seating.groupOf(resident.uid())));
    List<GroupPath> apart = arrangement.isolated() ? enclosure.groups() : List.of();
    for (GroupPath group : apart) {
      if (Seating.isApart(group, resident.uid())) {
        groups.add(group);
      }
    }
    groups.forEach(enclosure::remove);
  }

  /** A container began or ended, or somebody thinks so. */
  void look(TaskId task) {
    look(task, seating());
  }

  private void look(TaskId task, Seating seating) {
    Resident resident = residents.get(task.pod());
    Optional<ContainerLife> container =
        Optional.ofNullable(resident).flatMap(r -> r.life().container(task.container()));
    if (resident != null && resident.origin() == Origin.RUN) {
      watchCommand(resident);
      return;
    }
    if (resident == null
        || container.isEmpty()
        || container.get().attempt() != task.attempt()
        || !container.get().isRunning()) {
      return;
    }
    GroupPath group = seating.groupOf(resident.request(), task.container());
    Sighting sighting = launcher.look(task);
    if (!(sighting instanceof Sighting.Running)) {
      // It may have ended before it was ever seen, and left somebody behind.
      launcher.process(task).ifPresent(process -> enclosure.watch(group, process));
    }
    switch (sighting) {
      case Sighting.Running running -> enclosure.watch(group, running.process());
      case Sighting.Starting _ -> {}
      case Sighting.Ended ended -> gone(resident, container.get(), group, ended.code());
      case Sighting.Absent _ -> gone(resident, container.get(), group, ContainerLife.UNSEEN);
      case Sighting.Lost _ -> {
        // Without its shell a container still counts as long as it runs.
        if (!enclosure.isPopulated(group)) {
          gone(resident, container.get(), group, ContainerLife.UNSEEN);
        }
      }
    }
  }

  /** Whatever its first process left behind goes with it. */
  private void gone(Resident resident, ContainerLife container, GroupPath group, int code) {
    if (enclosure.isPopulated(group)) {
      enclosure.kill(group);
      if (enclosure.isPopulated(group)) {
        owner.wake(resident.uid(), RETRY);
        return;
      }
    }
    ended(resident, container, code, "");
    if (Seating.isApart(group, resident.uid())) {
      // Its CPUs may be the next container's, and the kernel lets no two partitions have them.
      enclosure.remove(group);
    }
    advance(resident.uid());
  }

  private void ended(Resident resident, ContainerLife container, int code, String why) {
    container.ended(code, clock.getAsLong());
    String words = container.name() + " with " + code + (why.isEmpty() ? "" : ": " + why);
    events.add("ended", resident.title(), words);
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
        if (container.isRunning()) {
          look(id(resident, container), seating);
        }
      }
      advance(resident.uid());
    }
  }

  /** A command has ended when its first process has. */
  void lookAtCommand(Resident resident) {
    if (resident.life().phase().isOver()
        || resident.process().filter(ProcessId::isAlive).isPresent()) {
      return;
    }
    Seating seating = seating();
    for (ContainerLife container : resident.life().containers()) {
      if (container.isRunning()) {
        GroupPath group = seating.groupOf(resident.request(), container.name());
        enclosure.kill(group);
        if (enclosure.isPopulated(group)) {
          return;
        }
        container.ended(0, clock.getAsLong());
      }
    }
    advance(resident.uid());
  }
}
