package dev.berth.hints;

import dev.berth.cpu.NodeSet;
import dev.berth.topology.Distances;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Machines and offers of every shape, from a seed. */
final class RandomOffers {
  private final Random random;

  RandomOffers(Random random) {
    this.random = random;
  }

  /** Nodes with ids that may have gaps, at distances that come in clusters or at random. */
  Nodes nodes(int count) {
    int[] ids = new int[count];
    int id = random.nextInt(3);
    for (int i = 0; i < count; i++) {
      ids[i] = id;
      id += random.nextInt(4) == 0 ? 1 + random.nextInt(40) : 1;
    }
    int cluster = 1 + random.nextInt(count);
    int noise = random.nextBoolean() ? 1 : 9;
    int[][] rows = new int[count][count];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        int base = i == j ? 10 : i / cluster == j / cluster ? 12 : 21;
        rows[i][j] = base + random.nextInt(noise);
      }
    }
    return Nodes.of(NodeSet.of(ids), Distances.of(ids, rows));
  }

  NodeSet someNodes(Nodes nodes) {
    int[] ids =
        IntStream.range(0, nodes.size()).filter(i -> random.nextBoolean()).map(nodes::id).toArray();
    return ids.length > 0 ? NodeSet.of(ids) : NodeSet.of(nodes.id(random.nextInt(nodes.size())));
  }

  /** Up to {@code most} hints, "any" and repeated ones among them; sometimes none. */
  List<Hint> hints(Nodes nodes, int most) {
    int count = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(most);
    boolean generous = random.nextBoolean();
    List<Hint> hints = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean any = random.nextInt(12) == 0;
      Affinity affinity = any ? Affinity.ANY : Affinity.to(someNodes(nodes));
      hints.add(new Hint(affinity, random.nextInt(generous ? 2 : 6) == 0));
    }
    return hints;
  }

  Demand demand(Nodes nodes) {
    int kind = random.nextInt(6);
    if (kind == 0) {
      return Demand.containing(nodes, someNodes(nodes));
    }
    if (kind == 1) {
      int devices = 1 + random.nextInt(2 * nodes.size());
      List<NodeSet> places = new ArrayList<>();
      for (int i = 0; i < devices; i++) {
        boolean wide = random.nextInt(3) == 0;
        places.add(wide ? someNodes(nodes) : NodeSet.of(nodes.id(random.nextInt(nodes.size()))));
      }
      return Demand.devices(nodes, 1 + random.nextInt(devices), places);
    }
    int most = random.nextBoolean() ? 4 : 1000;
    boolean even = random.nextBoolean();
    long[] weights = new long[nodes.size()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = even ? most : random.nextInt(4) == 0 ? 0 : random.nextInt(most);
    }
    long total = Arrays.stream(weights).sum();
    double share = random.nextBoolean() ? random.nextDouble() : random.nextDouble() / nodes.size();
    return Demand.atLeast(1 + (long) (share * total), weights);
  }

  Offer family(Nodes nodes) {
    NodeSet universe = random.nextInt(3) == 0 ? someNodes(nodes) : nodes.all();
    Demand[] demands = new Demand[random.nextInt(4)];
    Arrays.setAll(demands, i -> demand(nodes));
    Cover cover = Cover.of(nodes, universe, demands);
    List<NodeSet> more = new ArrayList<>();
    while (random.nextInt(3) == 0) {
      more.add(someNodes(nodes));
    }
    int narrowest = Math.max(1, cover.narrowest().nodes());
    int size = random.nextInt(4) == 0 ? 1 + random.nextInt(nodes.size()) : narrowest;
    Preference preference = Preference.ofSize(size);
    if (random.nextInt(4) == 0) {
      int perSocket = 1 + random.nextInt(nodes.size());
      int[][] sockets = new int[nodes.size()][];
      for (int i = 0; i < sockets.length; i++) {
        int socket = random.nextInt(8) == 0 ? random.nextInt(4) : i / perSocket;
        sockets[i] = random.nextInt(10) == 0 ? new int[] {socket, socket + 1} : new int[] {socket};
      }
      preference = preference.orSockets(sockets, 1 + random.nextInt(2));
    }
    return Offer.family(cover, more, preference);
  }

  Offer offer(Nodes nodes) {
    return switch (random.nextInt(12)) {
      case 0 -> Offer.ANYTHING;
      case 1 -> Offer.listed(nodes, hints(nodes, 6));
      default -> family(nodes);
    };
  }

  /**
   * Offers of several resources; now and then two of them are the same one, as for memory and
   * hugepages.
   */
  List<Offer> offers(Nodes nodes, int most) {
    List<Offer> offers = new ArrayList<>();
    int count = 1 + random.nextInt(most);
    for (int i = 0; i < count; i++) {
      boolean repeat = i > 0 && random.nextInt(5) == 0;
      offers.add(repeat ? offers.getLast() : offer(nodes));
    }
    return offers;
  }

  /** Every hint of an offer, one by one; an empty list where it is impossible. */
  static List<Hint> list(Nodes nodes, Offer offer) {
    return switch (offer) {
      case Offer.Anything ignored -> List.of(new Hint(Affinity.ANY, true));
      case Offer.Impossible ignored -> List.of();
      case Listed listed -> list(nodes, listed);
      case Family family -> list(nodes, family);
    };
  }

  private static List<Hint> list(Nodes nodes, Listed listed) {
    List<Hint> hints = new ArrayList<>();
    for (int index = 0; index < listed.count(); index++) {
      hints.add(new Hint(Affinity.to(nodes.set(listed.set(index))), listed.isPreferred(index)));
    }
    if (listed.hasAny()) {
      hints.add(new Hint(Affinity.ANY, listed.prefersAny()));
    }
    return hints;
  }

  private static List<Hint> list(Nodes nodes, Family family) {
    List<Hint> hints = new ArrayList<>();
    for (int set = 1; set < 1 << nodes.size(); set++) {
      long[] mask = {set};
      if (family.contains(mask)) {
        hints.add(new Hint(Affinity.to(nodes.set(mask)), family.preference().prefers(mask)));
      }
    }
    return hints;
  }
}
