package dev.berth.ledger;

import dev.berth.allocation.Trace;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Draft;
import dev.berth.hints.Hint;
import dev.berth.hints.HintProvider;
import dev.berth.hints.Nodes;
import dev.berth.hints.Refusal;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The CPUs of one machine and who has them: pods in, decisions out.
 *
 * <p>Start one on a machine with a configuration, {@link #admit} pods and {@link #remove} them. The
 * {@link Rules} hold after every call; a refused pod leaves no trace; removing undoes admitting;
 * admitting a pod that is in already changes nothing. Nothing here reads a clock, a file or chance:
 * the same calls always have the same outcome.
 *
 * <p>Not safe for several threads: one thread calls, or callers take turns. What the calls return
 * is immutable and may go anywhere.
 */
public final class Node {
  private final Machine machine;
  private final Configuration configuration;
  private final Nodes nodes;
  private final Deliberation deliberation;
  private final @Nullable CpuLedger cpus;
  private final @Nullable MemoryLedger memory;
  private final DeviceLedger devices;
  private final List<HintProvider> providers = new ArrayList<>();
  private final Externals externals = new Externals();
  private final Map<String, Map<String, Hint>> places = new HashMap<>();
  private final boolean partial;
  private long boundedMerges;

  private Node(Node other) {
    machine = other.machine;
    configuration = other.configuration;
    nodes = other.nodes;
    deliberation = other.deliberation;
    cpus = other.cpus == null ? null : other.cpus.copy();
    memory = other.memory == null ? null : other.memory.copy();
    devices = other.devices.copy();
    if (cpus != null) {
      providers.add(cpus);
    }
    if (memory != null) {
      providers.add(memory);
    }
    if (other.providers.contains(other.devices)) {
      providers.add(devices);
    }
    other.externals.copies().forEach(this::joinGuarded);
    partial = other.hasExternalProviders() || externals.size() < other.externals.size();
    places.putAll(other.places);
  }

  private Node(Machine machine, Configuration configuration) {
    this.machine = machine;
    this.configuration = configuration;
    nodes = machine.derived(Nodes.class, Nodes::of);
    deliberation = new Deliberation(machine, configuration, nodes);
    cpus =
        switch (configuration.cpuPolicy()) {
          case NONE -> null;
          case STATIC ->
              new CpuLedger(new StaticPolicy(machine, configuration), nodes, deliberation.byPod());
        };
    memory =
        switch (configuration.memory().policy()) {
          case NONE -> null;
          case STATIC -> new MemoryLedger(machine, nodes, configuration);
        };
    devices = new DeviceLedger(nodes);
    partial = false;
    if (cpus != null) {
      providers.add(cpus);
    }
    if (memory != null) {
      providers.add(memory);
    }
  }

  /**
   * Starts with nobody on it.
   *
   * @throws InvalidInputException where the configuration cannot work on this machine
   */
  public static Node start(Machine machine, Configuration configuration) {
    return new Node(machine, configuration);
  }

  /**
   * Starts where another left off.
   *
   * @param before who had which CPUs
   * @throws InvalidInputException where the configuration cannot work on this machine, or the
   *     assignments break a rule on it
   */
  public static Node start(Machine machine, Configuration configuration, Assignments before) {
    Node node = new Node(machine, configuration);
    if (before.policy() != configuration.cpuPolicy()) {
      throw new InvalidInputException(
          "assignments: expected those of policy "
              + configuration.cpuPolicy().kubernetesName()
              + ", found those of "
              + before.policy().kubernetesName());
    }
    if (node.cpus != null) {
      node.cpus.restore(before);
    }
    return node;
  }

  /**
   * Starts where another left off, memory included.
   *
   * @param before who had which CPUs
   * @param memoryBefore who had which memory
   * @throws InvalidInputException where the configuration cannot work on this machine, or the
   *     assignments break a rule on it
   */
  public static Node start(
      Machine machine,
      Configuration configuration,
      Assignments before,
      MemoryAssignments memoryBefore) {
    Node node = start(machine, configuration, before);
    if (node.memory != null) {
      node.memory.restore(memoryBefore);
    }
    return node;
  }

  /** One to be started with more than machine and configuration. */
  public static NodeBuilder builder(Machine machine, Configuration configuration) {
    return new NodeBuilder(machine, configuration);
  }

  /**
   * The same at this moment: what is done to one does not alter the other. For those who want to
   * try something.
   *
   * <p>A copy asks nobody which devices belong together. Of the providers that are not ours it has
   * those that can be copied ({@link dev.berth.hints.LastingProvider}).
   */
  public Node copy() {
    return new Node(this);
  }

  /**
   * Whether providers take part that cannot be copied, so that a {@link #copy} may decide
   * otherwise; of a copy, whether it is without one.
   */
  public boolean hasExternalProviders() {
    return partial || !externals.last();
  }

  void join(HintProvider external) {
    joinGuarded(new GuardedProvider(external, nodes));
  }

  void joinGuarded(GuardedProvider guarded) {
    externals.add(guarded);
    providers.add(guarded);
  }

  Ledgers ledgers() {
    return new Ledgers(cpus, memory, devices);
  }

  /** Whether a pod is owed something that it does not have. */
  boolean misses(Pod pod) {
    return providers.stream()
        .anyMatch(provider -> provider.begin(pod, Trace.OFF).standing() == Draft.Standing.MISSING);
  }

  /** Whether a pod is owed memory in the form in which it has some: with a budget or without. */
  boolean owesMemory(Pod pod, Holding held) {
    MemoryNeeds needs = new MemoryNeeds(pod, configuration.gates());
    boolean whole = needs.hasBudget() && deliberation.byPod();
    return needs.isOwed() && whole == !held.memoryBudget().isEmpty();
  }

  /** Keeps devices with a pod, or tells who has one of them. */
  Optional<String> keepDevices(String pod, Holding held) {
    joinDevices();
    return devices.keep(pod, held.devices());
  }

  /** The providers that are not ours. */
  Externals externals() {
    return externals;
  }

  /** The resources that providers give that are not ours. */
  public Set<String> otherResources() {
    return externals.resources();
  }

  void restore(Map<String, DeviceStock> stocks, DeviceAssignments before) {
    if (!stocks.isEmpty() || !before.ids().isEmpty()) {
      joinDevices();
      devices.restore(stocks, before);
    }
  }

  private void joinDevices() {
    if (!providers.contains(devices)) {
      providers.add(providers.size() - externals.size(), devices);
    }
  }

  /**
   * Replaces the devices of a resource: some may be new, gone, ill or well again.
   *
   * <p>Devices in use stay with their pods until those leave, whatever becomes of them here.
   *
   * @param list all devices of this resource; none where it is still known but has none
   * @throws InvalidInputException where a device comes twice or is of another resource
   */
  public void devices(String resource, List<Device> list) {
    devices.replace(resource, list);
    joinDevices();
  }

  /** Replaces the devices of every resource that is named here; the others stay as they are. */
  public void devices(List<Device> list) {
    list.stream()
        .map(Device::resource)
        .distinct()
        .forEach(resource ->
            devices(resource, list.stream().filter(d -> d.resource().equals(resource)).toList()));
  }

  /** From now on, has someone be asked which devices of a resource belong together. */
  public void prefer(String resource, PreferredAllocation preference) {
    devices.prefer(resource, preference);
  }

  /** All devices there are, by resource, then by id. */
  public List<Device> devices() {
    return devices.inventory();
  }

  /** Who has which devices now. */
  public DeviceAssignments deviceAssignments() {
    return devices.assignments();
  }

  /** Decides on a pod, and if it is let in, gives its containers what they are owed. */
  public Decision admit(Pod pod) {
    List<Draft> drafts = new ArrayList<>(providers.size());
    for (HintProvider provider : providers) {
      drafts.add(provider.begin(pod, Trace.OFF));
    }
    if (Deliberation.stays(drafts)) {
      return new Decision.Granted(granted(pod), Deliberation.kept(pod));
    }
    Admission admission = deliberation.admission(drafts, Trace.OFF);
    Refusal refusal = deliberation.run(admission, pod);
    boundedMerges += admission.isBounded() ? 1 : 0;
    if (refusal == null) {
      refusal = GuardedDraft.commit(drafts);
    }
    if (refusal != null) {
      drafts.forEach(Draft::abandon);
      remove(pod.uid());
      Explanation why =
          deliberation.whyRefused(
              pod, drafts, ledgers().frozen(externals), policy(), !hasExternalProviders());
      List<String> tried = List.copyOf(admission.places().keySet());
      return new Decision.Refused(refusal.reason(), refusal.message(), tried, why);
    }
    places.put(pod.uid(), Collections.unmodifiableMap(admission.places()));
    return new Decision.Granted(granted(pod), deliberation.whyGranted(pod, drafts));
  }

  private @Nullable StaticPolicy policy() {
    return cpus == null ? null : cpus.policy();
  }

  private Map<String, CpuSet> granted(Pod pod) {
    return cpus == null ? Map.of() : cpus.of(pod.uid());
  }

  /** Gives back all that a pod has; nothing where it has nothing. */
  public void remove(String uid) {
    places.remove(uid);
    for (HintProvider provider : providers) {
      provider.remove(uid);
    }
  }

  /** Who has which CPUs now. */
  public Assignments assignments() {
    return cpus == null
        ? Assignments.of(CpuPolicy.NONE, CpuSet.EMPTY, Map.of())
        : cpus.assignments();
  }

  /** Who has which memory now; none under memory policy None. */
  public Optional<MemoryAssignments> memoryAssignments() {
    return Optional.ofNullable(memory).map(MemoryLedger::assignments);
  }

  /** The CPUs of a container that has some of its own. */
  public Optional<CpuSet> cpusOf(String pod, String container) {
    return cpus == null ? Optional.empty() : Optional.ofNullable(cpus.of(pod).get(container));
  }

  /** All that one pod has now. */
  Holding holdingOf(String pod) {
    return new Holding(
        cpus == null ? Collections.emptySortedMap() : new TreeMap<>(cpus.of(pod)),
        cpus == null ? CpuSet.EMPTY : cpus.budgetOf(pod),
        memory == null ? Collections.emptySortedMap() : new TreeMap<>(memory.blocksOf(pod)),
        memory == null ? List.of() : memory.budgetOf(pod),
        devices.assignmentsOf(pod),
        externals.of(pod));
  }

  /** The nodes of the memory that is a container's own; empty where it has none. */
  public NodeSet memoryNodesOf(String pod, String container) {
    return memory == null ? NodeSet.EMPTY : memory.nodesOf(pod, container);
  }

  /** Where the containers of a pod were placed, by name; empty for one that is not in. */
  public Map<String, Hint> placesOf(String pod) {
    return places.getOrDefault(pod, Map.of());
  }

  /**
   * How many admissions met the bound of the search for the best place, so that a better one may
   * have existed; the metric {@code berth_topology_merges_bounded_total}. Lists and machines of up
   * to 16 NUMA nodes never do.
   */
  public long boundedMerges() {
    return boundedMerges;
  }

  /** SHARED: where containers without CPUs of their own run; all CPUs under policy none. */
  public CpuSet shared() {
    return cpus == null ? machine.cpus() : cpus.shared();
  }

  /** RESERVED: kept back for the system; in the shared pool unless the reservation is strict. */
  public CpuSet reserved() {
    return cpus == null ? CpuSet.EMPTY : cpus.policy().reserved;
  }

  /** ASSIGNABLE: what can still be given to one container alone. */
  public CpuSet assignable() {
    return cpus == null ? CpuSet.EMPTY : cpus.shared().difference(reserved());
  }

  /** EXCLUSIVE: what has been given to one pod alone. */
  public CpuSet exclusive() {
    return cpus == null ? CpuSet.EMPTY : cpus.policy().wholePool().difference(cpus.shared());
  }

  /** The rules that its assignments keep; none under policy none. */
  public Optional<Rules> rules() {
    return Optional.ofNullable(cpus).map(ledger -> ledger.policy().rules());
  }

  /** The machine it was started on. */
  public Machine machine() {
    return machine;
  }

  /** The configuration it was started with. */
  public Configuration configuration() {
    return configuration;
  }

  /** What a person should know: options without effect on this machine, a line each. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>(machine.notes());
    if (cpus != null) {
      notes.addAll(cpus.policy().notes());
    }
    notes.addAll(devices.notes());
    notes.addAll(externals.faults());
    return List.copyOf(notes);
  }
}
