package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.agent.found.FoundGroups;
import dev.berth.agent.found.KernelHoldings;
import dev.berth.agent.found.UnknownContainer;
import dev.berth.agent.state.PodRecord;
import dev.berth.agent.state.Recovered;
import dev.berth.cgroup.Changes;
import dev.berth.cgroup.GroupPath;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.explain.Objections;
import dev.berth.guest.GuestContainer;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.RunnablePod;
import dev.berth.linux.ProcessId;
import dev.berth.workload.CpuWish;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Pods that the agent starts itself, in groups of its own. */
final class Embedded implements Household {
  static final String SHIMS = "shims";

  private final AgentOptions options;
  private final Supplier<NodeSettings> settings;
  private final Arrangement arrangement;
  private final Events events;
  private final Loop loop;
  private final Enclosure enclosure;
  private final Wishes wishes;
  private final Launcher launcher;
  private final Preparation preparation;
  private final Keeper keeper;
  private final Reception reception;
  private final WaitingRoom waiting;
  private final UnknownHolders unknown;
  private final Optional<Manifests> manifests;
  private final Runnable left;

  /**
   * Nobody yet.
   *
   * @param settings those in force
   * @param left called whenever somebody has left
   */
  Embedded(
      AgentOptions options,
      Supplier<NodeSettings> settings,
      Enclosure enclosure,
      Wishes wishes,
      Books books,
      PluginDevices plugins,
      Events events,
      Metrics metrics,
      Loop loop,
      Runnable left)
      throws IOException {
    this.options = options;
    this.settings = settings;
    this.enclosure = enclosure;
    this.wishes = wishes;
    this.events = events;
    this.loop = loop;
    this.left = left;
    arrangement = Arrangement.of(settings.get(), options);
    launcher =
        options.pretending()
            ? new PretendingLauncher(this::lookSoon)
            : ShimLauncher.open(options.runtime().resolve(SHIMS), this::lookSoon);
    preparation = new Preparation(loop, books, plugins);
    unknown =
        new UnknownHolders(
            enclosure,
            loop,
            events,
            uid -> {
              books.removed(uid);
              roomMade();
            });
    keeper =
        new Keeper(
            books,
            enclosure,
            launcher,
            plugins,
            preparation,
            arrangement,
            wishes,
            events,
            metrics,
            Loop::milliseconds,
            unknown,
            new Bell());
    reception =
        new Reception(books, keeper, enclosure, preparation, arrangement, events, metrics, unknown);
    waiting = new WaitingRoom(keeper, reception, loop, events);
    manifests =
        settings
            .get()
            .own()
            .manifests()
            .map(folder ->
                Manifests.open(folder, keeper, reception, events, () -> loop.submit(this::scan)));
  }

  /** What the keeper rings for. */
  private final class Bell implements Keeper.Owner {
    @Override
    public void wake(String uid, long milliseconds) {
      var _ = loop.schedule(() -> keeper.advance(uid), milliseconds);
    }

    @Override
    public void lookAgain(TaskId task, long milliseconds) {
      var _ = loop.schedule(() -> keeper.look(task), milliseconds);
    }

    @Override
    public void roomMade() {
      offerRoom();
      loop.submit(left);
    }
  }

  private void offerRoom() {
    loop.submit(this::scan);
    loop.submit(waiting::letIn);
  }

  private void scan() {
    manifests.ifPresent(Manifests::scan);
  }

  private void lookSoon(TaskId task) {
    loop.submit(() -> keeper.look(task));
  }

  @Override
  public void check(Recovered recovered) {
    List<String> guests =
        recovered.pods().stream()
            .map(PodRecord::uid)
            .filter(uid -> uid.indexOf(GuestContainer.SEPARATOR) >= 0)
            .toList();
    if (!guests.isEmpty()) {
      throw new InvalidInputException(
          "state folder: expected pods that Berth starts itself, found containers of a runtime ("
              + String.join(", ", guests)
              + "); give --runtime nri or cri, or another --state");
    }
    keeper.groups().expectSamePartition();
  }

  @Override
  public void recover(
      Recovered recovered, boolean sameBoot, KernelHoldings kernel, FoundGroups found)
      throws IOException {
    Files.createDirectories(options.state().resolve(Arrangement.LOGS));
    boolean running = sameBoot || launcher.isOfThisBoot();
    Recovery recovery =
        new Recovery(launcher, events, running, Loop.milliseconds(), found.containers());
    recovered.pods().forEach(pod -> recovery.resident(pod).ifPresent(keeper::welcome));
    unknown.update(kernel.unknown());
    Set<String> known = recovered.pods().stream().map(PodRecord::uid).collect(Collectors.toSet());
    recovery.sweep(known);
    arrangement.sweepLogs(known);
  }

  @Override
  public void begin() throws IOException {
    keeper.groups().settle();
    loop.submit(keeper::lookAtAll);
    loop.submit(this::scan);
    loop.submit(waiting::watch);
  }

  @Override
  public Residents<Tenant> residents() {
    return keeper.residents();
  }

  @Override
  public Objections objections(Pod pod) {
    return reception.objections(pod);
  }

  @Override
  public List<String> remarks(Pod pod) {
    return List.of();
  }

  @Override
  public Seating seating() {
    return keeper.seating();
  }

  Enclosure enclosure() {
    return enclosure;
  }

  /** Lets pods in that come from files and clients. */
  Reception reception() {
    return reception;
  }

  /** Decides on a command's pod; where it has to wait, the answer comes later. */
  CompletableFuture<Verdict> admit(RunnablePod pod, ProcessId process, long patience) {
    return waiting.admit(pod, process, patience);
  }

  /** The link by which a rank of a command marks itself, where its group does not tell. */
  Optional<Path> mark(Tenant tenant, ContainerLife container) {
    return keeper.mark(tenant, container);
  }

  @Override
  public boolean holds(CpuWish wish, CpuSet cpus) {
    return wishes.hold(wish, cpus);
  }

  /** What a container finds in its environment because of its devices. */
  Map<String, String> deviceEnvironment(Tenant tenant, String container) {
    return preparation.environment(tenant, container);
  }

  /** Where the output of a container goes. */
  Path log(Tenant tenant, String container) {
    return arrangement.log(tenant, container);
  }

  /** Whether nobody runs or waits. */
  boolean isIdle() {
    return waiting.isEmpty()
        && residents().all().stream().allMatch(tenant -> tenant.life().phase().isOver());
  }

  @Override
  public void look() {
    keeper.lookAtAll();
    scan();
    long limit = settings.get().own().containerLogMaxSize();
    if (limit > 0) {
      keeper.rotateLogs(limit);
    }
  }

  @Override
  public void survey() {
    try {
      FoundGroups found = enclosure.survey();
      keeper.verify(found);
      unknown.update(keeper.judge(found));
    } catch (IOException e) {
      events.add("failed", "", "cgroups cannot be read: " + e.getMessage());
    }
  }

  @Override
  public List<UnknownContainer> unknown() {
    return unknown.all();
  }

  @Override
  public Optional<CompletableFuture<Boolean>> endUnknown(String uid) {
    return unknown.has(uid) ? Optional.of(unknown.end(uid)) : Optional.empty();
  }

  @Override
  public List<String> concerns() {
    List<String> lines = new ArrayList<>();
    keeper
        .groups()
        .foreign()
        .forEach((group, processes) ->
            processes.forEach(
                process -> lines.add("foreign process " + process.pid() + " in cgroup " + group)));
    return lines;
  }

  @Override
  public Changes reconcile() {
    return keeper.groups().reconcile();
  }

  @Override
  public void resettle() {
    keeper.groups().resettle();
    keeper.groups().stayOnReserved();
    offerRoom();
  }

  @Override
  public void roomMade() {
    keeper.groups().apply();
    offerRoom();
  }

  /** Everything of it is counted when it happens. */
  @Override
  public void measure() {}

  @Override
  public Optional<String> unready() {
    return keeper.groups().unready();
  }

  @Override
  public Optional<CompletableFuture<Boolean>> remove(String name) {
    Optional<Tenant> found = residents().find(name);
    if (found.isPresent()) {
      Optional<Path> file = manifests.flatMap(m -> m.fileOf(found.get().uid()));
      if (file.isPresent()) {
        throw new InvalidInputException(
            "pod "
                + name
                + ": expected "
                + file.get()
                + " to be removed, which would start it again");
      }
      keeper.remove(found.get());
    }
    return found.map(Tenant::gone);
  }

  @Override
  public Optional<CpuSet> actual(Resident resident, ContainerLife container) {
    return container.isRunning()
        ? enclosure.cpus(seating().groupOf(resident.request(), container.name()))
        : Optional.empty();
  }

  @Override
  public Set<ProcessId> foreign(Resident resident, ContainerLife container) {
    return keeper.groups().foreign(seating().groupOf(resident.request(), container.name()));
  }

  @Override
  public Optional<ProcessId> processOf(Resident resident, ContainerLife container) {
    return residents().get(resident.uid()).flatMap(tenant -> keeper.processOf(tenant, container));
  }

  @Override
  public List<String> groups() {
    return enclosure.joinFiles(GroupPath.OWN).stream()
        .map(Path::getParent)
        .filter(Objects::nonNull)
        .map(Path::toString)
        .toList();
  }

  @Override
  public String caution() {
    return Stream.of(enclosure.caution(), wishes.caution())
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("; "));
  }

  @Override
  public List<String> notes() {
    return enclosure.notes();
  }

  /**
   * Those who ask come through the agent's servers, which are closed already. Plugins that are
   * about to be left say nothing about a pod.
   */
  @Override
  public void closeDoors() {
    preparation.close();
  }

  @Override
  public void endThreads() throws IOException {
    launcher.close();
    if (manifests.isPresent()) {
      manifests.get().close();
    }
  }

  @Override
  public void close() {
    waiting.close();
    for (Tenant tenant : residents().all()) {
      tenant.gone().cancel(false);
      tenant.admission().cancel(false);
    }
    boolean alone =
        unknown.all().isEmpty()
            && residents().all().stream().allMatch(tenant -> tenant.placed().isEmpty());
    enclosure.leave(alone);
    wishes.keep(seating(), residents().all());
    if (alone) {
      launcher.clear();
      removeIfEmpty(options.runtime().resolve(SHIMS));
      removeIfEmpty(options.runtime());
    }
  }

  private static void removeIfEmpty(Path folder) {
    try {
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      // Somebody else has something in it.
      return;
    }
  }
}
