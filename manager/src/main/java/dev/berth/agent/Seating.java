package dev.berth.agent;

import dev.berth.agent.found.UnknownContainer;
import dev.berth.cgroup.GroupPath;
import dev.berth.cgroup.Partition;
import dev.berth.cgroup.Settings;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.Node;
import dev.berth.topology.NumaNode;
import dev.berth.workload.Container;
import dev.berth.workload.CpuWish;
import dev.berth.workload.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who sits where now, and so what every group of ours is to have. Looks at the node, changes
 * nothing.
 *
 * @param node who has what
 * @param isolated whether exclusive containers are partitions of their own
 */
record Seating(Node node, boolean isolated) {
  /** Where the agent and the shells that watch containers live: on reserved CPUs. */
  static final GroupPath AGENT = GroupPath.of("agent");

  private static final GroupPath PODS = GroupPath.of("pods");

  /**
   * Where one container sits.
   *
   * @param cpus where it runs; never none
   * @param exclusive whether these are its own
   */
  record Seat(CpuSet cpus, boolean exclusive) {}

  /** All nodes with memory; the kernel lists no others. */
  private NodeSet allMems() {
    List<NumaNode> nodes = node.machine().nodes();
    int[] ids = nodes.stream().filter(n -> n.memory().bytes() > 0).mapToInt(NumaNode::id).toArray();
    return ids.length > 0
        ? NodeSet.of(ids)
        : NodeSet.of(nodes.stream().mapToInt(NumaNode::id).toArray());
  }

  /** Whether CPUs are managed at all. */
  boolean managesCpus() {
    return node.configuration().cpuPolicy() == CpuPolicy.STATIC;
  }

  /** The group of a pod. */
  static GroupPath groupOf(String pod) {
    return PODS.child(pod);
  }

  /** Whether a group is that of a container, and not of a pod, the agent or all together. */
  static boolean isContainer(GroupPath group) {
    return group.segments().size() == 3;
  }

  /** Whether a group is that of a container of this pod, outside the pod's own group. */
  static boolean isApart(GroupPath group, String pod) {
    return group.segments().size() == 1 && group.segments().getFirst().startsWith(pod + "~");
  }

  /** The uid of the pod that a group belongs to; empty for a group of all pods. */
  static String podOf(GroupPath group) {
    List<String> names = group.segments();
    if (names.size() > 1) {
      return names.get(1);
    }
    int apart = names.isEmpty() ? -1 : names.getFirst().indexOf('~');
    return apart < 0 ? "" : names.getFirst().substring(0, apart);
  }

  /** The group of a container. */
  GroupPath groupOf(Pod pod, String container) {
    // The kernel wants a partition's parent to be one, so these stand right below our own group.
    return isolated && seat(pod, container).exclusive()
        ? apart(pod, container)
        : within(pod, container);
  }

  /** The group that a container was in before it lost its own CPUs, or got some. */
  GroupPath otherGroupOf(Pod pod, String container) {
    GroupPath apart = apart(pod, container);
    return groupOf(pod, container).equals(apart) ? within(pod, container) : apart;
  }

  private static GroupPath apart(Pod pod, String container) {
    return GroupPath.of(pod.uid() + "~" + container);
  }

  private static GroupPath within(Pod pod, String container) {
    return PODS.child(pod.uid()).child(container);
  }

  /** Where a container sits, or would sit if it were started now. */
  Seat seat(Pod pod, String name) {
    CpuSet own = node.cpusOf(pod.uid(), name).orElse(CpuSet.EMPTY);
    boolean exclusive =
        !own.isEmpty()
            && pod.containers().stream()
                .anyMatch(c -> c.name().equals(name) && pod.exclusiveCpus(c) > 0);
    return new Seat(own.isEmpty() ? common() : own, exclusive);
  }

  /** The CPUs of which something is asked: those of their own of all who do. */
  CpuSet wished(CpuWish wish, Collection<? extends Resident> residents) {
    CpuSet wished = CpuSet.EMPTY;
    for (Resident resident : residents) {
      if (resident.wishes().contains(wish)) {
        for (ContainerLife container : resident.placed()) {
          Seat seat = seat(resident.request(), container.name());
          wished = seat.exclusive() ? wished.union(seat.cpus()) : wished;
        }
      }
    }
    return wished;
  }

  /** Whether a container runs on the shared pool. */
  boolean shares(Pod pod, String name) {
    return node.cpusOf(pod.uid(), name).isEmpty();
  }

  /** Where the agent itself may be: on what is reserved, or anywhere. */
  CpuSet system() {
    return node.reserved().isEmpty() ? node.machine().cpus() : node.reserved();
  }

  /** The shared pool, or something else where the pool is empty: no set is ever empty. */
  CpuSet common() {
    if (!node.shared().isEmpty()) {
      return node.shared();
    }
    // What is reserved is outside our group where that is a partition.
    return isolated ? all() : node.reserved();
  }

  /** Where a container's memory comes from; never none. */
  NodeSet mems(String pod, String container) {
    return ownMems(pod, container).orElseGet(this::allMems);
  }

  /** The nodes of the memory that is a container's own, where it has some. */
  Optional<NodeSet> ownMems(String pod, String container) {
    return Optional.of(node.memoryNodesOf(pod, container)).filter(own -> !own.isEmpty());
  }

  /**
   * What every group of ours is to have.
   *
   * @param residents the pods
   * @param unknown containers that no record names
   */
  SortedMap<GroupPath, Settings> wanted(
      Collection<? extends Resident> residents, Collection<UnknownContainer> unknown) {
    SortedMap<GroupPath, Settings> wanted = new TreeMap<>();
    NodeSet allMems = allMems();
    Settings whole = placed(Settings.NONE, all(), allMems);
    wanted.put(
        GroupPath.OWN, isolated && managesCpus() ? whole.withPartition(Partition.ROOT) : whole);
    if (!isolated) {
      wanted.put(AGENT, placed(Settings.NONE, system(), allMems));
    }
    residents.forEach(resident -> addContainers(resident, wanted));
    unknown.forEach(one -> addUnknown(one, wanted));
    CpuSet pods = all().difference(partitioned(wanted));
    CpuSet most = pods.isEmpty() ? all() : pods;
    wanted.put(PODS, placed(Settings.NONE, most, allMems));
    residents.forEach(resident -> addPod(resident, most, allMems, wanted));
    return wanted;
  }

  /** All CPUs and all nodes with memory, whatever the policy. */
  Settings whole() {
    return Settings.NONE.withCpus(node.machine().cpus()).withMems(allMems());
  }

  /** All CPUs that are ours to give. A partition has those to itself that it is given. */
  private CpuSet all() {
    CpuSet all = node.machine().cpus();
    return isolated ? all.difference(node.reserved()) : all;
  }

  /** What no other group may so much as name: the kernel wants it to be the partitions' alone. */
  private static CpuSet partitioned(Map<GroupPath, Settings> wanted) {
    CpuSet cpus = CpuSet.EMPTY;
    for (Settings settings : wanted.values()) {
      if (settings.partition().equals(Optional.of(Partition.ISOLATED))) {
        cpus = cpus.union(settings.cpus().orElse(CpuSet.EMPTY));
      }
    }
    return cpus;
  }

  private void addContainers(Resident resident, Map<GroupPath, Settings> wanted) {
    Pod pod = resident.request();
    CpuSet taken = CpuSet.EMPTY;
    for (ContainerLife life : resident.placed()) {
      Seat seat = seat(pod, life.name());
      Settings limits = Limits.of(container(pod, life.name()), seat.exclusive());
      Settings settings =
          placed(
              seat.exclusive() ? limits.withExclusive() : limits,
              seat.cpus(),
              mems(pod.uid(), life.name()));
      if (!isolated || !seat.exclusive()) {
        wanted.put(groupOf(pod, life.name()), settings);
      } else if (!taken.intersects(seat.cpus())) {
        // One that gets the CPUs of an init container has its group once that one is over.
        taken = taken.union(seat.cpus());
        wanted.put(groupOf(pod, life.name()), settings.withPartition(Partition.ISOLATED));
      }
    }
  }

  /** One that holds CPUs stays on them; one that shares follows the shared pool. */
  private void addUnknown(UnknownContainer one, Map<GroupPath, Settings> wanted) {
    if (!managesCpus()) {
      return;
    }
    CpuSet kept = one.found().cpus().intersection(all());
    Settings settings =
        one.shares() || kept.isEmpty()
            ? Settings.NONE.withCpus(common())
            : Settings.NONE.withCpus(kept).withExclusive();
    wanted.put(
        one.found().group(),
        one.found().partition() ? settings.withPartition(Partition.ISOLATED) : settings);
  }

  private static Container container(Pod pod, String name) {
    return pod.containers().stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  private void addPod(
      Resident resident, CpuSet cpus, NodeSet allMems, Map<GroupPath, Settings> wanted) {
    List<ContainerLife> placed = resident.placed();
    if (!placed.isEmpty()) {
      Pod pod = resident.request();
      boolean anyExclusive = placed.stream().anyMatch(c -> seat(pod, c.name()).exclusive());
      wanted.put(groupOf(pod.uid()), placed(Limits.of(pod, anyExclusive), cpus, allMems));
    }
  }

  /** Under policy none nothing is said about CPUs, so that no cpuset file is ever written. */
  private Settings placed(Settings settings, CpuSet cpus, NodeSet mems) {
    return managesCpus() ? settings.withCpus(cpus).withMems(mems) : settings;
  }
}
