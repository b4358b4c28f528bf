package dev.berth.hints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.NodeSet;
import dev.berth.topology.Distances;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Machines on which nothing can be listed. */
@Tag("slow")
class LargeMachineTest {
  private static final long SEED = Long.getLong("berth.seed", 693L);

  @Test
  void theBenchmarksFamiliesMeetOnTheLowestNodeAtAnySize() {
    for (int count : new int[] {1, 2, 34, 64, 65, 128, 1024}) {
      Nodes nodes = EvenNodes.of(count);
      Merged merged = new BestEffort(TieBreak.LOWEST).merge(nodes, everySetFourTimes(nodes));
      assertThat(merged)
          .as("%d nodes", count)
          .isEqualTo(new Merged(Affinity.to(NodeSet.of(0)), false, true, false));
    }
  }

  /** As {@code merge/numaN/providers4} has them. */
  private static List<Offer> everySetFourTimes(Nodes nodes) {
    return IntStream.range(0, 4)
        .mapToObj(p -> Offer.family(Cover.everySet(nodes), Preference.ofSize(1 + p % 2)))
        .toList();
  }

  @Test
  void ordinaryMachinesNeverReachTheBound() {
    for (int i = 0; i < 4_000; i++) {
      int count = new int[] {34, 64, 96}[i % 3];
      Workday day = new Workday(new Random(SEED + i), count, count / 2);
      List<Offer> offers = day.offers();
      for (TieBreak tieBreak : TieBreak.values()) {
        Merged merged = new Merger(day.nodes(), tieBreak).merge(offers);
        assertThat(merged.bounded()).as("seed %d", SEED + i).isFalse();
      }
    }
  }

  @Test
  void aSmallMachineInsideALargeOneGetsTheSameAnswer() {
    for (int i = 0; i < 4_000; i++) {
      long seed = SEED + i;
      Random random = new Random(seed);
      RandomOffers make = new RandomOffers(random);
      Nodes small = make.nodes(2 + random.nextInt(6));
      List<Offer> offers =
          Stream.generate(() -> make.family(small)).limit(1 + random.nextInt(4)).toList();
      int[] places = IntStream.range(0, 150).filter(p -> p % 17 == 5).limit(small.size()).toArray();
      Nodes large = inside(small, places);
      List<Offer> lifted = offers.stream().map(offer -> lift(large, places, offer)).toList();
      for (TieBreak tieBreak : TieBreak.values()) {
        Merged expected = new Merger(small, tieBreak).byTables(offers);
        Merged found = new Merger(large, tieBreak).merge(lifted);
        if (found.affinity().equals(Affinity.to(large.all()))) {
          assertThat(expected.affinity()).as("seed %d", seed).isEqualTo(Affinity.to(small.all()));
        } else {
          NodeSet set = lift(small, places, ((Affinity.To) expected.affinity()).nodes());
          assertThat(found)
              .as("seed %d", seed)
              .isEqualTo(new Merged(Affinity.to(set), expected.preferred(), true, false));
        }
      }
    }
  }

  @Test
  void aPreferredPairIsTheBestOfAllPairs() {
    for (int i = 0; i < 500; i++) {
      Random random = new Random(SEED + i);
      Nodes nodes = new RandomOffers(random).nodes(20 + random.nextInt(60));
      List<Family> families =
          Stream.generate(() -> pairs(random, nodes)).limit(1 + random.nextInt(3)).toList();
      for (TieBreak tieBreak : TieBreak.values()) {
        Merged merged = new Merger(nodes, tieBreak).merge(List.copyOf(families));
        Best best = new Best(nodes, tieBreak, 0);
        for (int high = 1; high < nodes.size(); high++) {
          for (int low = 0; low < high; low++) {
            long[] pair = Masks.none(nodes.size());
            Masks.add(pair, low);
            Masks.add(pair, high);
            if (families.stream().allMatch(family -> family.contains(pair))) {
              best.consider(pair);
            }
          }
        }
        assertThat(merged.preferred()).as("seed %d", SEED + i).isEqualTo(best.mask() != null);
        if (best.mask() != null) {
          assertThat(merged.affinity()).isEqualTo(Affinity.to(nodes.set(best.mask())));
        }
      }
    }
  }

  @Test
  void aBoundedSearchNeverClaimsWhatTheOffersDoNotAllow() {
    int bounded = 0;
    for (int i = 0; i < 3_000; i++) {
      Random random = new Random(SEED + i);
      RandomOffers make = new RandomOffers(random);
      Nodes nodes = make.nodes(3 + random.nextInt(8));
      List<Offer> offers = make.offers(nodes, 4);
      for (TieBreak tieBreak : TieBreak.values()) {
        Merger merger = new Merger(nodes, tieBreak);
        Merged exact = merger.byTables(offers);
        Merged hasty = merger.bySearch(offers, 1 + random.nextInt(30));
        bounded += hasty.bounded() ? 1 : 0;
        if (!hasty.bounded()) {
          assertThat(hasty).as("seed %d", SEED + i).isEqualTo(exact);
        } else if (hasty.preferred()) {
          assertThat(exact.preferred()).as("seed %d", SEED + i).isTrue();
          long[] set = nodes.mask("answer", ((Affinity.To) hasty.affinity()).nodes());
          assertThat(offers).allMatch(offer -> allows(offer, set));
        }
      }
    }
    assertThat(bounded).as("searches cut short").isGreaterThan(1_000);
  }

  private static boolean allows(Offer offer, long[] set) {
    return switch (offer) {
      case Offer.Anything ignored -> true;
      case Offer.Impossible ignored -> false;
      case Listed listed -> listed.prefersAny() || listed.prefers(set);
      case Family family -> family.prefers(set);
    };
  }

  private static Family pairs(Random random, Nodes nodes) {
    long[] free = random.longs(nodes.size(), 0, 17).toArray();
    Cover cover = Cover.of(nodes, nodes.all(), Demand.atLeast(24 + random.nextInt(8), free));
    return new Family(cover, List.of(), Preference.ofSize(2));
  }

  private static Nodes inside(Nodes small, int[] places) {
    int[] ids = IntStream.range(0, 150).toArray();
    int[][] rows = new int[150][150];
    for (int[] row : rows) {
      Arrays.fill(row, 99);
    }
    for (int i = 0; i < places.length; i++) {
      for (int j = 0; j < places.length; j++) {
        long distance = i == j ? small.self(i) : small.pair(i, j);
        // Pairs are known as there and back: give it all to one way, which no sum can tell.
        rows[places[i]][places[j]] = (int) (i > j ? distance - 1 : i == j ? distance : 1);
      }
    }
    return Nodes.of(NodeSet.of(ids), Distances.of(ids, rows));
  }

  private static NodeSet lift(Nodes small, int[] places, NodeSet set) {
    return NodeSet.of(
        IntStream.range(0, places.length)
            .filter(i -> set.contains(small.id(i)))
            .map(i -> places[i])
            .toArray());
  }

  private static NodeSet lift(int[] places, long[] mask) {
    return NodeSet.of(Arrays.stream(Masks.positions(mask)).map(i -> places[i]).toArray());
  }

  private static Offer lift(Nodes large, int[] places, Offer offer) {
    if (!(offer instanceof Family family)) {
      return offer;
    }
    Demand[] demands =
        family.cover().demands().stream()
            .map(demand -> lift(large, places, demand))
            .toArray(Demand[]::new);
    NodeSet universe = lift(places, family.cover().universe());
    List<NodeSet> more = new ArrayList<>();
    for (long[] mask : family.moreMasks()) {
      more.add(lift(places, mask));
    }
    Preference preference = Preference.ofSize(family.preference().size());
    if (family.preference().sockets().isPresent()) {
      int[][] sockets = new int[large.size()][0];
      for (int i = 0; i < places.length; i++) {
        sockets[places[i]] = family.preference().sockets().get().of(i);
      }
      preference = preference.orSockets(sockets, family.preference().sockets().get().count());
    }
    return Offer.family(Cover.of(large, universe, demands), more, preference);
  }

  private static Demand lift(Nodes large, int[] places, Demand demand) {
    if (demand.groups.length == 0) {
      long[] weights = new long[large.size()];
      for (int i = 0; i < places.length; i++) {
        weights[places[i]] = demand.weights[i];
      }
      return Demand.atLeast(demand.threshold, weights);
    }
    List<NodeSet> devices = new ArrayList<>();
    for (long[] group : demand.groups) {
      devices.add(lift(places, group));
    }
    for (int i = 0; i < places.length; i++) {
      for (int j = 0; j < demand.weights[i]; j++) {
        devices.add(NodeSet.of(places[i]));
      }
    }
    return Demand.devices(large, (int) demand.threshold, devices);
  }
}
