package dev.berth.agent;

import dev.berth.agent.found.NodeCpus;
import dev.berth.agent.found.UnknownContainers;
import dev.berth.agent.state.StateFolder;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Before;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.HintProviders;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Migration;
import dev.berth.ledger.Node;
import dev.berth.ledger.NodeBuilder;
import dev.berth.ledger.Outcome;
import dev.berth.ledger.Reservation;
import dev.berth.topology.Machine;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Goes on under other settings or on another machine than before, with everybody who is there. On
 * the loop only.
 */
final class Adaptation {
  private final Ground ground;
  private final StateFolder state;
  private final String bootId;
  private final Books books;
  private final Household household;
  private final PluginDevices plugins;
  private final Events events;
  private final Optional<AgentLocks> locks;
  private final Supplier<String> caution;
  private NodeSettings settings;
  private String fingerprint;
  private boolean rebaseLater;
  private String lastFault = "";

  /** What was to be held last, where not all of it could be. */
  private Optional<Map<String, Holding>> lastHeld = Optional.empty();

  Adaptation(
      Ground ground,
      StateFolder state,
      String bootId,
      Books books,
      Household household,
      PluginDevices plugins,
      Events events,
      Optional<AgentLocks> locks,
      Supplier<String> caution,
      NodeSettings settings) {
    this.ground = ground;
    this.state = state;
    this.bootId = bootId;
    this.books = books;
    this.household = household;
    this.plugins = plugins;
    this.events = events;
    this.locks = locks;
    this.caution = caution;
    this.settings = settings;
    fingerprint = ground.fingerprint();
  }

  /** A node with nobody on it. A reserved CPU that is offline is missed, as long as one is not. */
  static NodeBuilder builder(Ground ground, Machine machine, NodeSettings settings) {
    Configuration configuration = settings.configuration();
    if (configuration.reservation() instanceof Reservation.These these) {
      CpuSet there = these.cpus().difference(machine.offline());
      configuration =
          there.isEmpty() ? configuration : configuration.with(new Reservation.These(there));
    }
    return Node.builder(machine, configuration)
        .devices(settings.own().devices())
        .providers(HintProviders.startLasting(ground.providers(), machine, configuration));
  }

  /** Looks whether the machine is still the one it was. */
  void keepUpWithMachine() {
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
      events.add("failed", "", line);
      lastFault = line;
    }
  }

  /**
   * Goes on with other settings.
   *
   * @throws InvalidInputException where they take a restart or cannot work on this machine; then
   *     nothing changes
   */
  void reload(NodeSettings changed) {
    RestartOnly.check(settings, changed);
    rebase(books.node().machine(), changed);
    settings = changed;
    books.allowEmptySharedPool(changed.own().allowEmptySharedPool());
  }

  /**
   * Goes on with what running containers hold that no record names, where that is not what the node
   * has. What cannot be written down is tried again with the next call.
   */
  void holdUnknown() {
    SortedMap<String, Holding> found = UnknownContainers.holdings(household.unknown());
    SortedMap<String, Holding> before = Holding.all(books.node());
    SortedMap<String, Holding> holdings = new TreeMap<>(before);
    holdings.keySet().removeAll(state.found());
    // Memory and devices are in records alone.
    found.forEach((uid, cpus) -> {
      Holding rest = before.getOrDefault(uid, Holding.NOTHING);
      holdings.put(uid, Holding.of(cpus, rest, rest));
    });
    if (holdings.equals(before) || lastHeld.filter(last -> last.equals(holdings)).isPresent()) {
      return;
    }
    try {
      rebase(holdings, found.keySet());
      lastHeld =
          Holding.all(books.node()).equals(holdings) ? Optional.empty() : Optional.of(holdings);
    } catch (InvalidInputException e) {
      faultOnce(e.line());
    }
  }

  /**
   * Goes on with other holdings.
   *
   * @param holdings by uid, what each pod and unknown holder has from now on
   */
  void holdAll(SortedMap<String, Holding> holdings) {
    rebase(holdings, state.found());
  }

  private void rebase(SortedMap<String, Holding> holdings, Set<String> foundHolders) {
    Before now = Before.of(books.node(), household.residents().requests());
    rebase(
        books.node().machine(),
        settings,
        new Before(holdings, now.pods(), now.memory(), now.options()),
        foundHolders);
  }

  private void rebase(Machine machine, NodeSettings changed) {
    rebase(
        machine, changed, Before.of(books.node(), household.residents().requests()), state.found());
  }

  private void rebase(
      Machine machine, NodeSettings changed, Before before, Set<String> foundHolders) {
    NodeBuilder next = builder(ground, machine, changed);
    plugins.addTo(next);
    Migration migration = Migration.plan(next, before);
    try {
      claim(pool(books.node()).union(pool(migration.node())));
      state.settled(bootId, migration.node(), migration.displaced(), foundHolders);
    } catch (IOException e) {
      throw new InvalidInputException(
          "state folder " + state.folder() + ": expected it to be writable, found " + e, e);
    }
    books.replace(migration.node());
    claimOwn();
    tell(migration, changed);
    household.resettle();
  }

  private static CpuSet pool(Node node) {
    return NodeCpus.of(node).pool();
  }

  /** Other agents learn which CPUs are this one's from now on. */
  private void claim(CpuSet cpus) throws IOException {
    if (locks.isPresent()) {
      locks.get().claim(cpus);
    }
  }

  /** Gives up the claim on CPUs that are no longer this agent's; a claim on too many harms none. */
  private void claimOwn() {
    try {
      claim(pool(books.node()));
    } catch (IOException e) {
      faultOnce("locks: " + e.getMessage());
    }
  }

  /** Begins another story, and tells in it what has become of everybody. */
  void tell(Migration migration, NodeSettings now) {
    Chronicle chronicle = books.chronicle();
    Node node = migration.node();
    chronicle.begin(
        StoryHead.of(node, now.yaml(), caution.get()), node, household.residents().all());
    migration
        .outcomes()
        .forEach((uid, outcome) -> {
          Optional<? extends Resident> resident = household.residents().get(uid);
          resident.ifPresent(one -> chronicle.changed(one, outcome, node));
          String title = resident.map(Resident::title).orElse(uid);
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
    for (Resident resident : household.residents().all()) {
      resident.displaced(Optional.ofNullable(displaced.get(resident.uid())));
    }
  }

  private static String place(Holding holding) {
    return holding.allCpus().isEmpty() ? "the shared pool" : "CPUs " + holding.allCpus();
  }
}
