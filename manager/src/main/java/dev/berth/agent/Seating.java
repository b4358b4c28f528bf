package dev.berth.agent;

import dev.berth.cgroup.GroupPath;
import dev.berth.cgroup.Partition;
import dev.berth.cgroup.Settings;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.MemoryAssignments;
import dev.berth.ledger.MemoryBlock;
import dev.berth.ledger.Node;
import dev.berth.topology.NumaNode;
import dev.berth.workload.Container;
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
 * @param memory who has which memory
 * @param allMems all nodes with memory; the kernel lists no others
 */
record Seating(Node node, boolean isolated, Optional<MemoryAssignments> memory, NodeSet allMems) {
  /** Where the agent and the shells that watch containers live: on reserved CPUs. */
  static final GroupPath AGENT = GroupPath.of("agent");

  private static final GroupPath PODS = GroupPath.of("pods");

  /**
   * Where one container sits.
   *
   * @param cpus where it runs; never none
   * @param exclusive whether these are its own
   * @param mems where its memory comes from; never none
   */
  record Seat(CpuSet cpus, boolean exclusive, NodeSet mems) {}

  /** As it is on a node now. */
  static Seating of(Node node, boolean isolated) {
    return new Seating(node, isolated, node.memoryAssignments(), allMems(node));
  }

  private static NodeSet allMems(Node node) {
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

  /** Whether a group is that of a container of this pod, outside the pod's own group. */
  static boolean isApart(GroupPath group, String pod) {
    return group.segments().size() == 1 && group.segments().getFirst().startsWith(pod + "~");
  }

  /** The group of a container. */
  GroupPath groupOf(Pod pod, String container) {
    // The kernel wants a partition's parent to be one, so these stand right below our own group.
    return isolated && seat(pod, container).exclusive()
        ? GroupPath.of(pod.uid() + "~" + container)
        : PODS.child(pod.uid()).child(container);
  }

  /** Where a container sits, or would sit if it were started now. */
  Seat seat(Pod pod, String name) {
    CpuSet own = node.cpusOf(pod.uid(), name).orElse(CpuSet.EMPTY);
    boolean exclusive =
        !own.isEmpty()
            && pod.containers().stream()
                .anyMatch(c -> c.name().equals(name) && pod.exclusiveCpus(c) > 0);
    return new Seat(own.isEmpty() ? common() : own, exclusive, mems(pod.uid(), name));
  }

  /** Whether a container runs on the shared pool. */
  boolean shares(Pod pod, String name) {
    return node.cpusOf(pod.uid(), name).isEmpty();
  }

  /** Where the agent itself may be: on what is reserved, or anywhere. */
  CpuSet system() {
    return node.reserved().isEmpty() ? node.machine().cpus() : node.reserved();
  }

  /** The shared pool, or what is reserved where the pool is empty: no set is ever empty. */
  CpuSet common() {
    return node.shared().isEmpty() ? node.reserved() : node.shared();
  }

  private NodeSet mems(String pod, String container) {
    NodeSet own = memory.map(there -> mems(there, pod, container)).orElse(NodeSet.EMPTY);
    return own.isEmpty() ? allMems : own;
  }

  private static NodeSet mems(MemoryAssignments memory, String pod, String container) {
    List<MemoryBlock> blocks =
        memory.blocks().getOrDefault(pod, new TreeMap<>()).getOrDefault(container, List.of());
    if (blocks.isEmpty()) {
      blocks = memory.budgets().getOrDefault(pod, List.of());
    }
    NodeSet mems = NodeSet.EMPTY;
    for (MemoryBlock block : blocks) {
      mems = mems.union(block.nodes());
    }
    return mems;
  }

  /** What every group of ours is to have, with these residents. */
  SortedMap<GroupPath, Settings> wanted(Collection<Resident> residents) {
    SortedMap<GroupPath, Settings> wanted = new TreeMap<>();
    CpuSet all =
        isolated ? node.machine().cpus().difference(node.reserved()) : node.machine().cpus();
    Settings whole = placed(Settings.NONE, all, allMems);
    wanted.put(
        GroupPath.OWN, isolated && managesCpus() ? whole.withPartition(Partition.ROOT) : whole);
    if (!isolated) {
      wanted.put(AGENT, placed(Settings.NONE, system(), allMems));
    }
    wanted.put(PODS, whole);
    residents.forEach(resident -> add(resident, whole, wanted));
    return wanted;
  }

  private void add(Resident resident, Settings whole, Map<GroupPath, Settings> wanted) {
    List<ContainerLife> placed = resident.placed();
    if (placed.isEmpty()) {
      return;
    }
    Pod pod = resident.request();
    boolean anyExclusive = false;
    for (ContainerLife life : placed) {
      Container container =
          pod.containers().stream()
              .filter(c -> c.name().equals(life.name()))
              .findFirst()
              .orElseThrow();
      Seat seat = seat(pod, life.name());
      anyExclusive |= seat.exclusive();
      Settings settings = placed(Limits.of(container, seat.exclusive()), seat.cpus(), seat.mems());
      wanted.put(
          groupOf(pod, life.name()),
          isolated && seat.exclusive() ? settings.withPartition(Partition.ISOLATED) : settings);
    }
    Settings limits = Limits.of(pod, anyExclusive);
    wanted.put(
        groupOf(pod.uid()),
        managesCpus()
            ? limits.withCpus(whole.cpus().orElseThrow()).withMems(whole.mems().orElseThrow())
            : limits);
  }

  /** Under policy none nothing is said about CPUs, so that no cpuset file is ever written. */
  private Settings placed(Settings settings, CpuSet cpus, NodeSet mems) {
    return managesCpus() ? settings.withCpus(cpus).withMems(mems) : settings;
  }
}
