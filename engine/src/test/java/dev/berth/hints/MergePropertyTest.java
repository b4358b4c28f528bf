package dev.berth.hints;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The merge against its definition, on offers made at random; a failure names its seed. */
class MergePropertyTest {
  private static final long SEED = Long.getLong("berth.seed", 20261116L);

  @Test
  void listsMergeAsTheWalkOverAllCombinations() {
    for (int i = 0; i < 100_000; i++) {
      long seed = SEED + i;
      Random random = new Random(seed);
      RandomOffers make = new RandomOffers(random);
      Nodes nodes = make.nodes(1 + random.nextInt(6));
      List<List<Hint>> hints =
          IntStream.range(0, random.nextInt(4)).mapToObj(ignored -> make.hints(nodes, 6)).toList();
      List<Offer> offers = hints.stream().map(list -> Offer.listed(nodes, list)).toList();
      for (TieBreak tieBreak : TieBreak.values()) {
        Hint expected = PlainWalk.merge(nodes, hints, tieBreak == TieBreak.CLOSEST);
        Merger merger = new Merger(nodes, tieBreak);
        check(seed, offers, merger.byTables(offers), expected);
        check(seed, offers, merger.bySearch(offers, Budget.STEPS), expected);
      }
      Merged single = new SingleNumaNode().merge(nodes, offers);
      check(seed, offers, single, PlainWalk.single(nodes, hints));
    }
  }

  @Test
  void familiesMergeAsTheWalkOverAllTheirSets() {
    for (int i = 0; i < 100_000; i++) {
      long seed = SEED - i;
      Random random = new Random(seed);
      RandomOffers make = new RandomOffers(random);
      Nodes nodes = make.nodes(1 + random.nextInt(4));
      List<Offer> offers = make.offers(nodes, 3);
      List<List<Hint>> hints =
          offers.stream().map(offer -> RandomOffers.list(nodes, offer)).toList();
      for (TieBreak tieBreak : TieBreak.values()) {
        Hint expected = PlainWalk.merge(nodes, hints, tieBreak == TieBreak.CLOSEST);
        check(seed, offers, new Merger(nodes, tieBreak).bySearch(offers, Budget.STEPS), expected);
      }
      Merged single = new SingleNumaNode().merge(nodes, offers);
      check(seed, offers, single, PlainWalk.single(nodes, hints));
    }
  }

  @Test
  @Tag("slow")
  void familiesMergeAsTheirListsOnUpToTwelveNodes() {
    int bounded = 0;
    for (int i = 0; i < 20_000; i++) {
      long seed = SEED + 7919L * i;
      Random random = new Random(seed);
      RandomOffers make = new RandomOffers(random);
      Nodes nodes = make.nodes(3 + random.nextInt(10));
      List<Offer> offers = make.offers(nodes, 4);
      for (TieBreak tieBreak : TieBreak.values()) {
        Merger merger = new Merger(nodes, tieBreak);
        Merged expected = merger.byTables(offers);
        Merged found = merger.bySearch(offers, Budget.STEPS);
        if (found.bounded()) {
          bounded++;
          assertThat(found.preferred() && !expected.preferred()).as("seed %d", seed).isFalse();
        } else {
          assertThat(found).as("seed %d: %s", seed, offers).isEqualTo(expected);
        }
        assertThat(merger.merge(offers)).as("seed %d: %s", seed, offers).isEqualTo(expected);
      }
    }
    assertThat(bounded).as("searches that met their bound").isLessThan(200);
  }

  private static void check(long seed, List<Offer> offers, Merged merged, Hint expected) {
    if (!merged.affinity().equals(expected.affinity())
        || merged.preferred() != expected.preferred()
        || merged.bounded()) {
      assertThat(merged.toString()).as("seed %d: %s", seed, offers).isEqualTo(expected.toString());
    }
  }
}
