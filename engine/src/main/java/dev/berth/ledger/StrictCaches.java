package dev.berth.ledger;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Demand;
import dev.berth.hints.Nodes;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * On which NUMA nodes a last-level cache has room, for offers under strict alignment: nodes on
 * which strict alignment would fail are no offer.
 */
final class StrictCaches {
  /** Up to so many nodes of one cache, all of their sets are looked at; the whole beyond. */
  private static final int SETS_UP_TO = 8;

  private final StaticPolicy policy;
  private final Nodes nodes;

  StrictCaches(StaticPolicy policy, Nodes nodes) {
    this.policy = policy;
    this.nodes = nodes;
  }

  /**
   * Where there is room.
   *
   * @param single met by a set with a node that has room by itself
   * @param spanning sets that have room only together, under a cache that serves several nodes
   */
  record Rooms(Demand single, List<NodeSet> spanning) {}

  /** Whether a request must have one cache: it fits the largest. */
  boolean concern(int count) {
    return policy.strictCaches && count > 0 && count <= policy.largestCache;
  }

  /** The nodes on which some cache has so many of these CPUs. */
  Rooms rooms(CpuSet available, int count) {
    CpuSet offered = OneCache.offered(available, policy);
    long[] single = new long[nodes.size()];
    for (int position = 0; position < single.length; position++) {
      CpuSet near = policy.cpusNear(NodeSet.of(nodes.id(position))).intersection(offered);
      single[position] = OneCache.with(count, near, policy).isPresent() ? 1 : 0;
    }
    List<NodeSet> spanning = new ArrayList<>();
    for (Domain cache : policy.machine.domains(Level.CACHE)) {
      if (cache.cpus().sharedWith(offered) >= count) {
        addSpanning(cache, offered, count, spanning);
      }
    }
    return new Rooms(Demand.atLeast(1, single), spanning);
  }

  private void addSpanning(Domain cache, CpuSet offered, int count, List<NodeSet> into) {
    int[] serves =
        nodes.all().stream()
            .filter(id -> policy.cpusNear(NodeSet.of(id)).intersects(cache.cpus()))
            .toArray();
    if (serves.length < 2) {
      return;
    }
    int all = (1 << Math.min(serves.length, SETS_UP_TO)) - 1;
    for (int mask = serves.length > SETS_UP_TO ? all : 1; mask <= all; mask++) {
      NodeSet set = serves.length > SETS_UP_TO ? NodeSet.of(serves) : subset(serves, mask);
      CpuSet near = policy.cpusNear(set).intersection(offered);
      if (set.size() > 1 && cache.cpus().sharedWith(near) >= count) {
        into.add(set);
      }
    }
  }

  private static NodeSet subset(int[] ids, int mask) {
    NodeSet set = NodeSet.EMPTY;
    for (int i = 0; i < ids.length; i++) {
      set = (mask >> i & 1) == 1 ? set.union(NodeSet.of(ids[i])) : set;
    }
    return set;
  }
}
