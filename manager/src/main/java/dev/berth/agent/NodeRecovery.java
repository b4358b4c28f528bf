package dev.berth.agent;

import dev.berth.agent.found.FoundGroups;
import dev.berth.agent.found.KernelHoldings;
import dev.berth.agent.found.NodeCpus;
import dev.berth.agent.state.PodRecord;
import dev.berth.agent.state.Recovered;
import dev.berth.agent.state.StateFolder;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Before;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Migration;
import dev.berth.ledger.Node;
import dev.berth.linux.Posix;
import dev.berth.topology.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What an agent starts from: the records in its state folder and the containers that run, brought
 * together to the node that it goes on with. Holds the state folder and the locks of the agent.
 *
 * @param state the records
 * @param locks by which other agents are kept off, where this one takes any
 * @param enclosure what keeps containers in their places, where the agent starts them itself
 * @param found the containers that run
 * @param kernel what pods and unknown holders keep
 * @param migration how they go on under the settings and on the machine of now
 */
record NodeRecovery(
    StateFolder state,
    Optional<AgentLocks> locks,
    Optional<Enclosure> enclosure,
    FoundGroups found,
    KernelHoldings kernel,
    Migration migration)
    implements AutoCloseable {
  /**
   * Reads what there is. Nothing is written but locks.
   *
   * @throws InvalidInputException where the settings cannot work on this machine, or another agent
   *     has the state folder, the cgroup root or the machine
   * @throws IOException where the folders or the cgroups cannot be read
   */
  static NodeRecovery of(
      AgentOptions options, Ground ground, NodeSettings settings, AgentLog log, Events events)
      throws IOException {
    Machine machine = ground.machine();
    StateFolder state =
        options.foreign().isPresent()
            ? StateFolder.openApart(options.state())
            : StateFolder.open(options.state());
    Optional<AgentLocks> locks = Optional.empty();
    try {
      Node empty = Adaptation.builder(Ground.fixed(machine), machine, settings).start();
      locks = locks(options, empty, log);
      Optional<Enclosure> enclosure =
          options.foreign().isPresent()
              ? Optional.empty()
              : Optional.of(
                  Enclosures.detect(
                      options, settings, machine, line -> events.add("failed", "", line)));
      FoundGroups found =
          enclosure.isPresent() ? found(options, enclosure.get()) : FoundGroups.NONE;
      KernelHoldings kernel = holdings(state, found, NodeCpus.of(empty));
      Recovered recovered = state.recovered();
      Before before =
          new Before(
              kernel.holdings(), recovered.admitted(), recovered.memory(), recovered.options());
      Migration migration = Migration.plan(Adaptation.builder(ground, machine, settings), before);
      return new NodeRecovery(state, locks, enclosure, found, kernel, migration);
    } catch (IOException | RuntimeException e) {
      close(state, locks);
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

  /** What pods and unknown holders keep, by the records and by the containers that run. */
  private static KernelHoldings holdings(StateFolder state, FoundGroups found, NodeCpus cpus) {
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
    written.keySet().removeIf(uid -> recovered.found().contains(uid) && !running.contains(uid));
    written.replaceAll((uid, holding) ->
        recovered.found().contains(uid) ? Holding.of(Holding.NOTHING, holding, holding) : holding);
    return KernelHoldings.of(written, recovered.admitted(), found.containers(), cpus);
  }

  /** The state folder last: the next agent waits for it, and finds the locks free then. */
  private static void close(StateFolder state, Optional<AgentLocks> locks) throws IOException {
    try {
      if (locks.isPresent()) {
        locks.get().close();
      }
    } finally {
      state.close();
    }
  }

  /** Lets go of the state folder and the locks. */
  @Override
  public void close() throws IOException {
    close(state, locks);
  }
}
