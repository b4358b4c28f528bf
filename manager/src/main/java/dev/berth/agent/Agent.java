package dev.berth.agent;

import dev.berth.agent.found.FoundGroups;
import dev.berth.agent.found.KernelHoldings;
import dev.berth.agent.found.NodeCpus;
import dev.berth.agent.found.UnknownContainers;
import dev.berth.agent.state.PodRecord;
import dev.berth.agent.state.Recovered;
import dev.berth.agent.state.StateFolder;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.OwnSettings;
import dev.berth.ledger.Before;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Migration;
import dev.berth.ledger.Node;
import dev.berth.linux.Posix;
import dev.berth.topology.Machine;
import dev.berth.workload.CpuWish;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The node agent: one thread on which everything is decided and done, in turn.
 *
 * <p>Others ask through {@link #call}; what they get are values.
 */
public final class Agent implements AutoCloseable {
  private final AgentOptions options;
  private final AgentLog log;
  private final StateFolder state;
  private final Optional<AgentLocks> locks;
  private final Events events;
  private final Books books;
  private final Wishes wishes;
  private final Household household;
  private final PluginDevices plugins;
  private final Sockets sockets;
  private final Adaptation adaptation;
  private final Reconciliation reconciliation;
  private final Loop loop;
  private final Departure departure;
  private final String bootId;
  private final Metrics metrics;
  private final Supplier<NodeSettings> rereading;
  private volatile NodeSettings settings;
  private volatile boolean ready;

  private Agent(
      AgentOptions options,
      Ground ground,
      Supplier<NodeSettings> rereading,
      NodeSettings settings,
      AgentLog log,
      Events events,
      StateFolder state,
      Optional<AgentLocks> locks,
      Optional<Enclosure> enclosure,
      Migration migration)
      throws IOException {
    this.options = options;
    this.locks = locks;
    this.events = events;
    this.rereading = rereading;
    this.settings = settings;
    this.log = log;
    this.state = state;
    bootId = Boot.id();
    boolean isolated =
        options.foreign().isEmpty()
            && settings.own().partition() == OwnSettings.CpuPartition.ISOLATED;
    wishes =
        new Wishes(
            Map.of(
                CpuWish.AWAKE, Wakefulness.of(options, bootId, events),
                CpuWish.UNDISTURBED, Seclusion.of(options, isolated, events)));
    loop = new Loop(this::fault);
    departure = new Departure(options.passing(), loop, () -> embedded().isIdle());
    metrics = new Metrics(options.version());
    books =
        new Books(
            migration.node(),
            state,
            metrics,
            settings.own().allowEmptySharedPool(),
            loop,
            (kind, line) -> events.add(kind, "", line));
    plugins =
        new PluginDevices(
            loop,
            books,
            metrics,
            log::line,
            this::devicesChanged,
            () -> settings().own().devices());
    household =
        options.foreign().isPresent()
            ? guests(options.foreign().get())
            : embedded(enclosure.orElseThrow());
    sockets =
        new Sockets(
            loop, books, household, plugins, options.foreign().isPresent(), metrics, log::line);
    adaptation =
        new Adaptation(
            ground,
            state,
            bootId,
            books,
            household,
            plugins,
            events,
            locks,
            this::caution,
            settings);
    reconciliation =
        new Reconciliation(
            loop, adaptation, household, events, metrics, () -> settings().reconcilePeriod());
  }

  private Household embedded(Enclosure enclosure) throws IOException {
    return new Embedded(
        options,
        this::settings,
        enclosure,
        wishes,
        books,
        plugins,
        events,
        metrics,
        loop,
        departure::endIfIdle);
  }

  private Household guests(ForeignRuntime runtime) {
    return new Guests(
        books,
        plugins,
        events,
        metrics,
        loop,
        wishes,
        () -> unknownHolders().keySet(),
        holdings -> adaptation().holdAll(holdings),
        guests -> runtime.link(guests, plugins, loop, log::line, options.pretending()));
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
    Events events = new Events(log::event);
    Machine machine = ground.machine();
    StateFolder state =
        options.foreign().isPresent()
            ? StateFolder.openApart(options.state())
            : StateFolder.open(options.state());
    Optional<AgentLocks> locks = Optional.empty();
    try {
      locks = locks(options, empty(machine, settings), log);
      Optional<Enclosure> enclosure =
          options.foreign().isPresent()
              ? Optional.empty()
              : Optional.of(
                  Enclosures.detect(
                      options, settings, machine, line -> events.add("failed", "", line)));
      FoundGroups found =
          enclosure.isPresent() ? found(options, enclosure.get()) : FoundGroups.NONE;
      KernelHoldings kernel = holdings(state, found, machine, settings);
      Migration migration =
          Migration.plan(Adaptation.builder(ground, machine, settings), before(state, kernel));
      Agent agent =
          new Agent(
              options, ground, reading, settings, log, events, state, locks, enclosure, migration);
      try {
        agent.begin(migration, kernel, found);
      } catch (IOException | RuntimeException e) {
        agent.endThreads();
        throw e;
      }
      return agent;
    } catch (IOException | RuntimeException e) {
      if (locks.isPresent()) {
        locks.get().close();
      }
      state.close();
      throw e;
    }
  }

  /** Keeps other agents off; one without a folder of locks is warned of them. */
  private static Optional<AgentLocks> locks(AgentOptions options, Node empty, AgentLog log)
      throws IOException {
    if (options.pretending() || options.locks().isEmpty()) {
      return Optional.empty();
    }
    Path folder = options.locks().get();
    if (Posix.effectiveUser() != 0) {
      AgentLocks.holder(folder)
          .ifPresent(pid ->
              log.line(
                  "warning: the agent with pid "
                      + pid
                      + " has this machine; containers of both may share CPUs"));
      return Optional.empty();
    }
    return Optional.of(
        AgentLocks.take(folder, options.cgroup(), !options.second(), NodeCpus.of(empty).pool()));
  }

  /** The containers that run; without groups those of which their shells' links tell. */
  private static FoundGroups found(AgentOptions options, Enclosure enclosure) throws IOException {
    Path shims = options.runtime().resolve(Embedded.SHIMS);
    if (enclosure instanceof AffinityEnclosure && Files.isDirectory(shims)) {
      new ShimLinks(shims)
          .running(Boot.id())
          .forEach((task, process) ->
              enclosure.watch(Seating.groupOf(task.pod()).child(task.container()), process));
    }
    return enclosure.survey();
  }

  /** A node without pods, and without the providers that only an agent's own node asks. */
  private static Node empty(Machine machine, NodeSettings settings) {
    return Adaptation.builder(Ground.fixed(machine), machine, settings).start();
  }

  /** What everybody keeps, by the records and by the containers that run. */
  private static KernelHoldings holdings(
      StateFolder state, FoundGroups found, Machine machine, NodeSettings settings) {
    Set<String> running = new HashSet<>();
    found.containers().forEach(one -> running.add(one.uid()));
    state.revive(
        state.recovered().pods().stream()
            .filter(pod -> !pod.isIn() && running.contains(pod.uid()))
            .map(PodRecord::uid)
            .collect(Collectors.toSet()));
    Recovered recovered = state.recovered();
    SortedMap<String, Holding> written = new TreeMap<>(recovered.holdings());
    // What a container alone told of is told by that container again, or is over.
    written.keySet().removeAll(recovered.found());
    return KernelHoldings.of(
        written, recovered.admitted(), found.containers(), NodeCpus.of(empty(machine, settings)));
  }

  private static Before before(StateFolder state, KernelHoldings kernel) {
    Recovered recovered = state.recovered();
    return new Before(
        kernel.holdings(), recovered.admitted(), recovered.memory(), recovered.options());
  }

  private void begin(Migration migration, KernelHoldings kernel, FoundGroups found)
      throws IOException {
    Recovered recovered = state.recovered();
    recovered.why().forEach(log::line);
    kernel.notes().forEach(line -> log.line("state: " + line));
    household.check(recovered);
    state.settled(
        bootId,
        migration.node(),
        migration.displaced(),
        UnknownContainers.holdings(kernel.unknown()).keySet());
    household.recover(
        recovered, recovered.bootId().filter(bootId::equals).isPresent(), kernel, found);
    adaptation.tell(migration, settings);
    settings.notHonoured().forEach(log::line);
    migration.node().notes().forEach(log::line);
    household.notes().forEach(log::line);
    sockets.open(settings.own());
    rehearse(migration.node().machine());
    household.begin();
    reconciliation.later();
    departure.endIfIdleLater();
    ready = true;
  }

  /** A runtime waits for every answer: the first ones are not to be slow. */
  private void rehearse(Machine machine) {
    if (options
        .foreign()
        .filter(runtime -> runtime.kind() == ForeignRuntime.Kind.NRI)
        .isPresent()) {
      try {
        Rehearsal.play(
            options.state(), Adaptation.builder(Ground.fixed(machine), machine, settings).start());
      } catch (IOException e) {
        log.line("rehearsal: " + e.getMessage() + "; the first answers will take longer");
      }
    }
  }

  private void devicesChanged() {
    if (ready) {
      household.roomMade();
    }
  }

  private void failed(String line) {
    events.add("failed", "", line);
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

  private Adaptation adaptation() {
    return adaptation;
  }

  Household household() {
    return household;
  }

  /**
   * Those whom the agent starts itself.
   *
   * @throws InvalidInputException where it does not
   */
  Embedded embedded() {
    return switch (household) {
      case Embedded own -> own;
      case Guests guests ->
          throw new InvalidInputException(
              "this agent looks after the containers of another runtime: expected pods to be"
                  + " started there");
    };
  }

  /** What everybody should know who counts on exclusive CPUs; empty where they can. */
  String caution() {
    return Stream.of(options.pretence().caution(), household.caution())
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("; "));
  }

  Events events() {
    return events;
  }

  Chronicle chronicle() {
    return books.chronicle();
  }

  Node node() {
    return books.node();
  }

  /** The latest lines of its log. */
  List<String> logLines() {
    return log.latest();
  }

  /** All metrics as text. */
  String metrics() {
    return call(() -> {
      household.measure();
      metrics.unknownHolders(unknownHolders().size());
      return metrics.text(
          ready && books.write().isEmpty(), books.node(), household.residents().all());
    });
  }

  NodeSettings settings() {
    return settings;
  }

  AgentOptions options() {
    return options;
  }

  /** Why it should not be counted on now; empty where it can be. */
  Optional<String> unready() {
    if (!ready || departure.isLeaving()) {
      return Optional.of("starting or ending");
    }
    return call(() -> books.unready().or(household::unready));
  }

  /** Where the kernel has containers on other CPUs than wanted, a line each; none at the end. */
  List<String> differences() {
    try {
      return call(() -> KernelDifferences.of(household));
    } catch (AgentEndsException e) {
      return List.of();
    }
  }

  /** What an operator should look at although it can be counted on, a line each. */
  List<String> remarks() {
    return call(() -> {
      List<String> lines = new ArrayList<>();
      unknownHolders()
          .forEach((uid, holding) ->
              lines.add(
                  "unknown holder "
                      + uid
                      + (holding.allCpus().isEmpty() ? "" : ": CPUs " + holding.allCpus())));
      lines.addAll(household.concerns());
      return lines;
    });
  }

  /** How reconciling goes. On the loop. */
  Reconciliation.Progress reconciling() {
    return reconciliation.progress();
  }

  /** Who has something of whom nothing else is known. On the loop. */
  SortedMap<String, Holding> unknownHolders() {
    SortedMap<String, Holding> holders = new TreeMap<>(state.unknown());
    household.unknown().forEach(one -> holders.putIfAbsent(one.holder(), Holding.NOTHING));
    for (PodRecord pod : state.pods()) {
      if (!pod.holding().isEmpty() && !household.residents().contains(pod.uid())) {
        // Its description could not be understood: what it has stays its own all the same.
        holders.put(pod.uid(), pod.holding());
      }
    }
    return holders;
  }

  /** Begins to remove a pod or an unknown holder; done once it is gone. On the loop. */
  Optional<CompletableFuture<Boolean>> remove(String name) {
    // A uid goes before a name, which may be the same.
    Optional<CompletableFuture<Boolean>> ending = household.endUnknown(name);
    if (ending.isPresent()) {
      return ending;
    }
    if (unknownHolders().containsKey(name)) {
      books.removed(name);
      household.roomMade();
      return Optional.of(CompletableFuture.completedFuture(true));
    }
    return household.remove(name);
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
        adaptation.reload(changed);
        settings = changed;
        reconciliation.later();
        log.format(changed.own().logFormat());
        changed.notHonoured().forEach(log::line);
        events.add("reloaded", "", "settings are in force");
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

  /** When it ends. */
  Departure departure() {
    return departure;
  }

  /** Waits until an agent that ends by itself has nobody left. */
  public void awaitEnd() throws InterruptedException {
    departure.await();
  }

  /** Lets {@link #awaitEnd} return. */
  public void end() {
    departure.end();
  }

  /** Lets go of everything; containers run on. */
  @Override
  public void close() throws IOException {
    ready = false;
    events.close();
    books.chronicle().close();
    endThreads();
    household.close();
    books.catchUp();
    try {
      state.close();
    } finally {
      if (locks.isPresent()) {
        locks.get().close();
      }
    }
  }

  private void endThreads() throws IOException {
    household.closeDoors();
    sockets.close();
    loop.close();
    household.endThreads();
  }
}
