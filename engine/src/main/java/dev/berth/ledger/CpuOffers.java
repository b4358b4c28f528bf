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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the static policy offers: every set of NUMA nodes that has enough CPUs.
 *
 * <p>CPUs that an init container left must be used again, so a set has to have their nodes. A set
 * is preferred where it is as narrow as it could be on an empty machine, reserved CPUs counted;
 * with {@code align-by-socket} also where it spans no more sockets than that.
 */
final class CpuOffers {
  /** So many sets are tried where trying is the only way to know: all of 12 nodes, pairs of 64. */
  private static final int MOST_TRIED = 4096;

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
    return Offer.family(cover(available, reusable, request), preference(request));
  }

  /** The same, of sets on which one last-level cache has room. */
  Offer offer(CpuSet available, CpuSet reusable, int request, StrictCaches.Rooms rooms) {
    Cover all = cover(available, reusable, request);
    Cover roomy = cover(available, reusable, request, rooms.single());
    NodeSet required = nodesOf(reusable);
    List<NodeSet> spanning =
        rooms.spanning().stream()
            .map(required::union)
            .distinct()
            .filter(set -> all.contains(set) && !roomy.contains(set))
            .toList();
    return Offer.family(roomy, spanning, preference(request));
  }

  /**
   * The same, of sets that do, found by trying them: the narrowest first, all of a size or none.
   * Where the bound is met before any does, every set with enough CPUs is offered.
   */
  Offer offer(CpuSet available, CpuSet reusable, int request, Predicate<NodeSet> does) {
    Cover all = cover(available, reusable, request);
    List<NodeSet> found = new ArrayList<>();
    int[] ids = facts.withCpus.stream().toArray();
    boolean complete = true;
    long tried = 0;
    for (int size = 1; size <= ids.length && complete; size++) {
      tried += choices(ids.length, size);
      complete = tried <= MOST_TRIED;
      if (complete) {
        collect(ids, 0, size, NodeSet.EMPTY, set -> all.contains(set) && does.test(set), found);
      }
    }
    return found.isEmpty() && !complete
        ? Offer.family(all, preference(request))
        : Offer.family(Cover.of(nodes, NodeSet.EMPTY), found, preference(request));
  }

  /** How many sets of a size there are; the most there can be where that is more. */
  private static long choices(int of, int size) {
    long choices = 1;
    for (int i = 0; i < size && choices <= MOST_TRIED; i++) {
      choices = choices * (of - i) / (i + 1);
    }
    return choices;
  }

  private static void collect(
      int[] ids, int from, int size, NodeSet set, Predicate<NodeSet> does, List<NodeSet> into) {
    if (size == 0) {
      if (does.test(set)) {
        into.add(set);
      }
      return;
    }
    for (int i = from; i <= ids.length - size; i++) {
      collect(ids, i + 1, size - 1, set.union(NodeSet.of(ids[i])), does, into);
    }
  }

  private NodeSet nodesOf(CpuSet cpus) {
    int[] ids = new int[nodes.size()];
    int count = 0;
    for (int position = 0; position < ids.length; position++) {
      if (facts.cpus[position].intersects(cpus)) {
        ids[count++] = nodes.id(position);
      }
    }
    return NodeSet.of(Arrays.copyOf(ids, count));
  }

  private Cover cover(CpuSet available, CpuSet reusable, int request, Demand... more) {
    long[] free = new long[nodes.size()];
    for (int position = 0; position < free.length; position++) {
      free[position] = facts.cpus[position].sharedWith(available);
    }
    Demand enough = Demand.atLeast((long) request - reusable.size(), free);
    if (reusable.isEmpty() && more.length == 0) {
      return Cover.of(nodes, facts.withCpus, enough);
    }
    List<Demand> demands = new ArrayList<>(List.of(more));
    demands.add(enough);
    if (!reusable.isEmpty()) {
      demands.add(Demand.containing(nodes, nodesOf(reusable)));
    }
    return Cover.of(nodes, facts.withCpus, demands.toArray(Demand[]::new));
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
