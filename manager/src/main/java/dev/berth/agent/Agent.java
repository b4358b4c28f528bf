package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.agent.state.PodRecord;
import dev.berth.agent.state.Recovered;
import dev.berth.agent.state.StateFolder;
import dev.berth.cgroup.Changes;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.RunnablePod;
import dev.berth.ledger.Before;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Migration;
import dev.berth.ledger.Node;
import dev.berth.ledger.NodeBuilder;
import dev.berth.ledger.Outcome;
import dev.berth.ledger.Reservation;
import dev.berth.linux.ProcessId;
import dev.berth.topology.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The node agent: one thread on which everything is decided and done, in turn.
 *
 * <p>Others ask through {@link #call}; what they get are values.
 */
public final class Agent implements AutoCloseable {
  /** How long one that ends by itself waits for its first pod. */
  private static final long PATIENCE = 15_000;

  private static final String SHIMS = "shims";

  /**
   * How reconciling goes.
   *
   * @param passes how many there were
   * @param lastNanos how long the last one took
   * @param writes how many files all of them wrote
   */
  record Reconciling(long passes, long lastNanos, long writes) {}

  private final AgentOptions options;
  private final Ground ground;
  private final AgentLog log;
  private final StateFolder state;
  private final Enclosure enclosure;
  private final Launcher launcher;
  private final Events events;
  private final Books books;
  private final Keeper keeper;
  private final Loop loop;
  private final WaitingRoom waiting;
  private final Optional<Manifests> manifests;
  private final CountDownLatch over = new CountDownLatch(1);
  private final String bootId;
  private final Metrics metrics;
  private final Supplier<NodeSettings> rereading;
  private NodeSettings settings;
  private String fingerprint;
  private boolean rebaseLater;
  private String lastFault = "";
  private Reconciling reconciling = new Reconciling(0, 0, 0);
  private Optional<Future<?>> nextReconcile = Optional.empty();
  private volatile boolean ready;

  private Agent(
      AgentOptions options,
      Ground ground,
      Supplier<NodeSettings> rereading,
      NodeSettings settings,
      AgentLog log,
      StateFolder state,
      Migration migration)
      throws IOException {
    this.options = options;
    this.ground = ground;
    this.rereading = rereading;
    this.settings = settings;
    this.log = log;
    this.state = state;
    bootId = Boot.id();
    fingerprint = ground.fingerprint();
    events = new Events(log::event);
    loop = new Loop(this::fault);
    enclosure = Enclosures.detect(options, settings, migration.node().machine(), this::failed);
    metrics = new Metrics(options.version());
    books = new Books(migration.node(), state, metrics, settings.own().allowEmptySharedPool());
    launcher =
        options.pretending()
            ? new PretendingLauncher(this::look)
            : ShimLauncher.open(options.runtime().resolve(SHIMS), this::look);
    keeper =
        new Keeper(
            books,
            enclosure,
            launcher,
            Arrangement.of(settings, options),
            events,
            metrics,
            Loop::milliseconds,
            new Bell());
    waiting = new WaitingRoom(keeper, loop, events);
    manifests =
        settings
            .own()
            .manifests()
            .map(folder -> Manifests.open(folder, keeper, events, () -> loop.submit(this::scan)));
  }

  private void scan() {
    manifests.ifPresent(Manifests::scan);
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
      loop.submit(Agent.this::scan);
      loop.submit(waiting::letIn);
      loop.submit(Agent.this::endIfIdle);
    }
  }

  /**
   * Starts an agent: everybody who was there before is there again when this returns.
   *
   * @param reading reads the settings, now and whenever they are to be read anew
   * @throws InvalidInputException where its settings cannot work on this machine, or another agent
   *     has its state folder
   * @throws IOException where its folders cannot be used
   */
  public static Agent start(
      AgentOptions options, Ground ground, Supplier<NodeSettings> reading, AgentLog log)
      throws IOException {
    NodeSettings settings = reading.get();
    StateFolder state = StateFolder.open(options.state());
    try {
      Machine machine = ground.machine();
      Migration migration = Migration.plan(builder(machine, settings), state.recovered().before());
      Agent agent = new Agent(options, ground, reading, settings, log, state, migration);
      try {
        agent.begin(migration);
      } catch (IOException | RuntimeException e) {
        agent.endThreads();
        throw e;
      }
      return agent;
    } catch (IOException | RuntimeException e) {
      state.close();
      throw e;
    }
  }

  /** A node with nobody on it. A reserved CPU that is offline is missed, as long as one is not. */
  private static NodeBuilder builder(Machine machine, NodeSettings settings) {
    Configuration configuration = settings.configuration();
    if (configuration.reservation() instanceof Reservation.These these) {
      CpuSet there = these.cpus().difference(machine.offline());
      configuration =
          there.isEmpty() ? configuration : configuration.with(new Reservation.These(there));
    }
    return Node.builder(machine, configuration).devices(settings.own().devices());
  }

  private void begin(Migration migration) throws IOException {
    Recovered recovered = state.recovered();
    recovered.why().forEach(log::line);
    keeper.groups().expectSamePartition();
    Files.createDirectories(options.state().resolve(Arrangement.LOGS));
    state.settled(bootId, migration.node(), migration.displaced());
    boolean sameBoot = recovered.bootId().filter(bootId::equals).isPresent();
    Recovery recovery = new Recovery(launcher, events, sameBoot, Loop.milliseconds());
    recovered.pods().forEach(pod -> recovery.resident(pod).ifPresent(keeper::welcome));
    Set<String> known = recovered.pods().stream().map(PodRecord::uid).collect(Collectors.toSet());
    recovery.sweep(known);
    Arrangement.of(settings, options).sweepLogs(known);
    tell(migration);
    migration.node().notes().forEach(log::line);
    enclosure.notes().forEach(log::line);
    keeper.groups().settle();
    loop.submit(keeper::lookAtAll);
    loop.submit(this::scan);
    reconcileLater();
    loop.submit(waiting::watch);
    if (options.passing()) {
      var _ = loop.schedule(this::endIfIdle, PATIENCE);
    }
    ready = true;
  }

  private void tell(Migration migration) {
    migration
        .outcomes()
        .forEach((uid, outcome) -> {
          String title = keeper.find(uid).map(Resident::title).orElse(uid);
          switch (outcome) {
            case Outcome.Kept _ -> {}
            case Outcome.Moved moved ->
                events.add(
                    "moved",
                    title,
                    place(moved.from()) + " to " + place(moved.to()) + ": " + moved.why());
            case Outcome.Displaced displaced -> events.add("displaced", title, displaced.why());
          }
        });
    Map<String, String> displaced = migration.displaced();
    keeper
        .residents()
        .forEach(
            resident -> resident.displaced(Optional.ofNullable(displaced.get(resident.uid()))));
  }

  private static String place(Holding holding) {
    return holding.allCpus().isEmpty() ? "the shared pool" : "CPUs " + holding.allCpus();
  }

  private void failed(String line) {
    events.add("failed", "", line);
  }

  private void look(TaskId task) {
    loop.submit(() -> keeper.look(task));
  }

  private void fault(RuntimeException e) {
    metrics.fault();
    StackTraceElement[] trace = e.getStackTrace();
    failed("internal error: " + e + (trace.length > 0 ? " at " + trace[0] : ""));
  }

  /**
   * Has something done in turn with everything else.
   *
   * @throws InvalidInputException as it came from there
   * @throws AgentEndsException where the agent is about to end
   */
  <T> T call(Callable<T> question) {
    return loop.call(question);
  }

  Keeper keeper() {
    return keeper;
  }

  Events events() {
    return events;
  }

  Node node() {
    return books.node();
  }

  Enclosure enclosure() {
    return enclosure;
  }

  /** The latest lines of its log. */
  List<String> logLines() {
    return log.latest();
  }

  /** All metrics as text. */
  String metrics() {
    return call(
        () -> metrics.text(ready && books.write().isEmpty(), books.node(), keeper.residents()));
  }

  NodeSettings settings() {
    return settings;
  }

  AgentOptions options() {
    return options;
  }

  /** Why it should not be counted on now; empty where it can be. */
  Optional<String> unready() {
    if (!ready) {
      return Optional.of("starting or ending");
    }
    return call(() -> books.unready().or(keeper.groups()::unready));
  }

  /** How reconciling goes. On the loop. */
  Reconciling reconciling() {
    return reconciling;
  }

  /** Who has something of whom nothing else is known. On the loop. */
  SortedMap<String, Holding> unknownHolders() {
    SortedMap<String, Holding> holders = new TreeMap<>(state.unknown());
    for (PodRecord pod : state.pods()) {
      if (!pod.holding().isEmpty() && keeper.find(pod.uid()).isEmpty()) {
        // Its description could not be understood: what it has stays its own all the same.
        holders.put(pod.uid(), pod.holding());
      }
    }
    return holders;
  }

  /** Begins to remove a pod or an unknown holder; done once it is gone. On the loop. */
  Optional<CompletableFuture<Boolean>> remove(String name) {
    Optional<Resident> found = keeper.find(name);
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
      return found.map(Resident::gone);
    }
    if (unknownHolders().containsKey(name)) {
      books.removed(name);
      keeper.groups().apply();
      return Optional.of(CompletableFuture.completedFuture(true));
    }
    return Optional.empty();
  }

  /**
   * Reads the settings anew and goes on with them.
   *
   * @throws InvalidInputException where they cannot be read, cannot work on this machine or take a
   *     restart; then nothing has changed
   */
  void reload() {
    try {
      NodeSettings changed = rereading.get();
      call(() -> {
        reload(changed);
        metrics.reloaded(true);
        return true;
      });
    } catch (InvalidInputException e) {
      events.add("failed", "", "reload refused, nothing changed: " + e.line());
      loop.submit(() -> metrics.reloaded(false));
      throw e;
    }
  }

  /** The same for one who cannot be answered: the log tells what became of it. */
  public void reloadUnasked() {
    try {
      reload();
    } catch (InvalidInputException | AgentEndsException e) {
      // An event has told, or there is nobody left to tell.
      return;
    }
  }

  /** Decides on a command's pod; where it has to wait, the answer comes later. On the loop. */
  CompletableFuture<Verdict> admit(RunnablePod pod, ProcessId process, long patience) {
    expectToStay();
    return waiting.admit(pod, process, patience);
  }

  /**
   * Refuses to begin anything shortly before the end.
   *
   * @throws AgentEndsException where that is so
   */
  void expectToStay() {
    if (over.getCount() == 0) {
      throw new AgentEndsException(new IllegalStateException("nobody was left"));
    }
  }

  private void endIfIdle() {
    boolean idle =
        waiting.isEmpty()
            && keeper.residents().stream().allMatch(resident -> resident.life().phase().isOver());
    if (options.passing() && idle) {
      ready = false;
      over.countDown();
    }
  }

  private void reconcile() {
    try {
      long began = System.nanoTime();
      keepUpWithMachine();
      keeper.lookAtAll();
      scan();
      Changes changes = keeper.groups().reconcile();
      long time = System.nanoTime() - began;
      metrics.reconciled(time);
      reconciling =
          new Reconciling(reconciling.passes() + 1, time, reconciling.writes() + changes.writes());
      if (changes.repaired() > 0) {
        events.add("repaired", "", changes.repaired() + " settings that others had changed");
      }
      if (settings.own().containerLogMaxSize() > 0) {
        keeper.rotateLogs(settings.own().containerLogMaxSize());
      }
    } finally {
      reconcileLater();
    }
  }

  /** Once after the period, whatever was planned before. */
  private void reconcileLater() {
    nextReconcile.ifPresent(planned -> planned.cancel(false));
    nextReconcile =
        Optional.of(loop.schedule(this::reconcile, settings.reconcilePeriod().toMillis()));
  }

  private void keepUpWithMachine() {
    String now = ground.fingerprint();
    if (!now.equals(fingerprint)) {
      events.add("machine", "", "CPUs or NUMA nodes have changed");
      fingerprint = now;
      rebaseLater = true;
    }
    if (rebaseLater) {
      try {
        rebase(ground.machine(), settings);
        rebaseLater = false;
        lastFault = "";
      } catch (InvalidInputException e) {
        faultOnce(e.line() + "; everybody stays as they are until then");
      }
    }
  }

  /** The same again and again is told once. */
  private void faultOnce(String line) {
    if (!line.equals(lastFault)) {
      failed(line);
      lastFault = line;
    }
  }

  /**
   * Goes on with other settings. On the loop.
   *
   * @throws InvalidInputException where they cannot work on this machine; then nothing changes
   */
  private void reload(NodeSettings changed) {
    RestartOnly.check(settings, changed);
    rebase(books.node().machine(), changed);
    settings = changed;
    reconcileLater();
    books.allowEmptySharedPool(changed.own().allowEmptySharedPool());
    log.format(changed.own().logFormat());
    events.add("reloaded", "", "settings are in force");
  }

  /** Everybody goes on under other rules or on another machine. */
  private void rebase(Machine machine, NodeSettings changed) {
    Migration migration =
        Migration.plan(builder(machine, changed), Before.of(books.node(), keeper.requests()));
    try {
      state.settled(bootId, migration.node(), migration.displaced());
    } catch (IOException e) {
      throw new InvalidInputException(
          "state folder " + state.folder() + ": expected it to be writable, found " + e, e);
    }
    books.replace(migration.node());
    tell(migration);
    keeper.groups().resettle();
    keeper.groups().stayOnReserved();
    loop.submit(this::scan);
    loop.submit(waiting::letIn);
  }

  /** Waits until an agent that ends by itself has nobody left. */
  public void awaitEnd() throws InterruptedException {
    over.await();
  }

  /** Lets {@link #awaitEnd} return. */
  public void end() {
    over.countDown();
  }

  /** Lets go of everything; containers run on. */
  @Override
  public void close() throws IOException {
    ready = false;
    events.close();
    endThreads();
    waiting.close();
    keeper.residents().forEach(resident -> resident.gone().cancel(false));
    boolean alone = keeper.residents().stream().allMatch(r -> r.placed().isEmpty());
    enclosure.leave(alone);
    if (alone) {
      removeIfEmpty(options.runtime().resolve(SHIMS));
      removeIfEmpty(options.runtime());
    }
    state.close();
  }

  private void endThreads() throws IOException {
    loop.close();
    launcher.close();
    if (manifests.isPresent()) {
      manifests.get().close();
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
