package dev.berth.ledger;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Cover;
import dev.berth.hints.Demand;
import dev.berth.hints.Nodes;
import dev.berth.hints.Offer;
import dev.berth.hints.Preference;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.util.Arrays;
import java.util.List;

/**
 * What the static policy offers: every set of NUMA nodes that has enough CPUs.
 *
 * <p>CPUs that an init container left must be used again, so a set has to have their nodes. A set
 * is preferred where it is as narrow as it could be on an empty machine, reserved CPUs counted;
 * with {@code align-by-socket} also where it spans no more sockets than that.
 */
final class CpuOffers {
  private final Machine machine;
  private final Nodes nodes;
  private final NodeSet withCpus;
  private final int[] sizesDescending;
  private final int[][] socketsOfNodes;
  private final int nodesPerSocket;
  private final boolean alignBySocket;

  CpuOffers(Machine machine, Nodes nodes, boolean alignBySocket) {
    this.machine = machine;
    this.nodes = nodes;
    this.alignBySocket = alignBySocket;
    List<Domain> places = machine.domains(Level.NODE);
    withCpus = NodeSet.of(places.stream().mapToInt(Domain::id).toArray());
    sizesDescending =
        places.stream().mapToInt(node -> -node.size()).sorted().map(s -> -s).toArray();
    nodesPerSocket = places.size() / machine.domains(Level.SOCKET).size();
    socketsOfNodes = new int[nodes.size()][];
    for (int position = 0; position < nodes.size(); position++) {
      socketsOfNodes[position] = sockets(nodes.id(position));
    }
  }

  private int[] sockets(int node) {
    return machine.domains(Level.NODE).stream()
        .filter(place -> place.id() == node)
        .flatMapToInt(place -> place.cpus().stream())
        .map(cpu -> machine.indexOf(Level.SOCKET, cpu))
        .distinct()
        .toArray();
  }

  /**
   * The offer for a request.
   *
   * @param available CPUs that may be taken
   * @param reusable CPUs that must be among those taken
   */
  Offer offer(CpuSet available, CpuSet reusable, int request) {
    long[] free = new long[nodes.size()];
    int reusableNodes = 0;
    int[] required = new int[nodes.size()];
    int place = 0;
    List<Domain> places = machine.domains(Level.NODE);
    for (int position = 0; position < free.length && place < places.size(); position++) {
      if (nodes.id(position) != places.get(place).id()) {
        continue;
      }
      CpuSet cpus = places.get(place++).cpus();
      free[position] = cpus.sharedWith(available);
      if (!reusable.isEmpty() && cpus.intersects(reusable)) {
        required[reusableNodes++] = nodes.id(position);
      }
    }
    Demand enough = Demand.atLeast((long) request - reusable.size(), free);
    Cover cover =
        reusableNodes == 0
            ? Cover.of(nodes, withCpus, enough)
            : Cover.of(
                nodes,
                withCpus,
                enough,
                Demand.containing(nodes, NodeSet.of(Arrays.copyOf(required, reusableNodes))));
    return Offer.family(cover, preference(request));
  }

  private Preference preference(int request) {
    int narrowest = sizesDescending.length;
    int sum = 0;
    for (int count = 0; count < sizesDescending.length; count++) {
      sum += sizesDescending[count];
      if (sum >= request) {
        narrowest = count + 1;
        break;
      }
    }
    Preference preference = Preference.ofSize(narrowest);
    if (!alignBySocket || nodesPerSocket == 0) {
      return preference;
    }
    int sockets = (narrowest + nodesPerSocket - 1) / nodesPerSocket;
    return preference.orSockets(socketsOfNodes, sockets);
  }
}
