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
import java.util.Optional;

/**
 * What the static policy offers: every set of NUMA nodes that has enough CPUs.
 *
 * <p>CPUs that an init container left must be used again, so a set has to have their nodes. A set
 * is preferred where it is as narrow as it could be on an empty machine, reserved CPUs counted;
 * with {@code align-by-socket} also where it spans no more sockets than that.
 */
final class CpuOffers {
  private final Facts facts;
  private final Nodes nodes;

  /** Asked by {@code align-by-socket} alone. */
  private final Optional<Sockets> sockets;

  CpuOffers(Machine machine, Nodes nodes, boolean alignBySocket) {
    this.facts = machine.derived(Facts.class, Facts::new);
    this.nodes = nodes;
    this.sockets =
        alignBySocket
            ? Optional.of(machine.derived(Sockets.class, Sockets::new))
            : Optional.empty();
  }

  /** What does not change: the machine's nodes, those without CPUs included, by position. */
  private static final class Facts {
    final NodeSet withCpus;
    final CpuSet[] cpus;
    final int[] sizesDescending;

    Facts(Machine machine) {
      List<Domain> places = machine.domains(Level.NODE);
      int count = machine.nodes().size();
      int[] ids = new int[places.size()];
      int[] sizes = new int[places.size()];
      cpus = new CpuSet[count];
      int place = 0;
      for (int position = 0; position < count; position++) {
        cpus[position] = machine.nodes().get(position).cpus();
        if (!cpus[position].isEmpty()) {
          ids[place] = places.get(place).id();
          sizes[place++] = cpus[position].size();
        }
      }
      withCpus = NodeSet.of(ids);
      sizesDescending = descending(sizes);
    }

    private static int[] descending(int[] sizes) {
      Arrays.sort(sizes);
      int[] result = new int[sizes.length];
      for (int i = 0; i < sizes.length; i++) {
        result[i] = sizes[sizes.length - 1 - i];
      }
      return result;
    }
  }

  /** Which sockets the machine's nodes are in, by position; none for a node without CPUs. */
  private static final class Sockets {
    final int[][] ofNode;
    final int nodesPerSocket;

    Sockets(Machine machine) {
      int[][] ofPlace = machine.neighbours(Level.NODE, Level.SOCKET);
      ofNode = new int[machine.nodes().size()][];
      int place = 0;
      for (int position = 0; position < ofNode.length; position++) {
        boolean hasCpus = !machine.nodes().get(position).cpus().isEmpty();
        ofNode[position] = hasCpus ? ofPlace[place++] : new int[0];
      }
      nodesPerSocket = ofPlace.length / machine.domains(Level.SOCKET).size();
    }
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
    int[] required = new int[reusable.isEmpty() ? 0 : nodes.size()];
    for (int position = 0; position < free.length; position++) {
      CpuSet cpus = facts.cpus[position];
      free[position] = cpus.sharedWith(available);
      if (!reusable.isEmpty() && cpus.intersects(reusable)) {
        required[reusableNodes++] = nodes.id(position);
      }
    }
    Demand enough = Demand.atLeast((long) request - reusable.size(), free);
    Cover cover =
        reusableNodes == 0
            ? Cover.of(nodes, facts.withCpus, enough)
            : Cover.of(
                nodes,
                facts.withCpus,
                enough,
                Demand.containing(nodes, NodeSet.of(Arrays.copyOf(required, reusableNodes))));
    return Offer.family(cover, preference(request));
  }

  private Preference preference(int request) {
    int narrowest = facts.sizesDescending.length;
    int sum = 0;
    for (int count = 0; count < facts.sizesDescending.length; count++) {
      sum += facts.sizesDescending[count];
      if (sum >= request) {
        narrowest = count + 1;
        break;
      }
    }
    Preference preference = Preference.ofSize(narrowest);
    if (sockets.isEmpty() || sockets.get().nodesPerSocket == 0) {
      return preference;
    }
    int perSocket = sockets.get().nodesPerSocket;
    return preference.orSockets(sockets.get().ofNode, (narrowest + perSocket - 1) / perSocket);
  }
}
