package dev.berth.agent;

import dev.berth.agent.found.KernelHoldings;
import dev.berth.agent.found.UnknownContainers;
import dev.berth.agent.state.PodRecord;
import dev.berth.agent.state.Recovered;
import dev.berth.agent.state.StateFolder;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.OwnSettings;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Migration;
import dev.berth.ledger.Node;
import dev.berth.topology.Machine;
import dev.berth.workload.CpuWish;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private final NodeRecovery recovery;
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
      NodeRecovery recovery)
      throws IOException {
    this.options = options;
    this.recovery = recovery;
    this.events = events;
    this.rereading = rereading;
    this.settings = settings;
    this.log = log;
    state = recovery.state();
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
            recovery.migration().node(),
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
            : embedded(recovery.enclosure().orElseThrow());
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
            recovery.locks(),
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
    NodeRecovery recovery = NodeRecovery.of(options, ground, settings, log, events);
    try {
      Agent agent = new Agent(options, ground, reading, settings, log, events, recovery);
      try {
        agent.begin(recovery);
      } catch (IOException | RuntimeException e) {
        agent.endThreads();
        throw e;
      }
      return agent;
    } catch (IOException | RuntimeException e) {
      recovery.close();
      throw e;
    }
  }

  private void begin(NodeRecovery recovery) throws IOException {
    Migration migration = recovery.migration();
    KernelHoldings kernel = recovery.kernel();
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
        recovered, recovered.bootId().filter(bootId::equals).isPresent(), kernel, recovery.found());
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
    recovery.close();
  }

  private void endThreads() throws IOException {
    household.closeDoors();
    sockets.close();
    loop.close();
    household.endThreads();
  }
}
